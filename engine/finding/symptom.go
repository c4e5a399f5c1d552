package finding

// A Symptom is how a weakness can be seen from outside, by somebody who sends
// the transactions of the Witness and looks at nothing else. The zero value
// means that it cannot.
type Symptom struct {
	Property string // signature of the function of the contract under test that returns false or reverts afterwards
	Event    string // signature of the event that the last transaction emits
	Fails    bool   // the last transaction fails
	Data     []byte // with this revert data; none where all gas is lost
}
