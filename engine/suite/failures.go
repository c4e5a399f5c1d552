package suite

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/solc"
)

// A forgeCall is a call in a failure file of forge 1.7. Fuzz tests have calldata
// alone.
type forgeCall struct {
	Warp     *uint64         `json:"warp"` // seconds that pass before
	Roll     *uint64         `json:"roll"` // blocks
	Sender   *common.Address `json:"sender"`
	To       *common.Address `json:"addr"`
	Calldata string          `json:"calldata"`
}

// ParseFailure reads the file that forge keeps of a failing input of a fuzz test,
// or of the calls that break an invariant.
func (s *Suite) ParseFailure(t solc.Test, data []byte) (q input.Sequence, err error) {
	calls := make([]forgeCall, 1)
	if t.Kind == solc.InvariantTest {
		var file struct {
			Calls []forgeCall `json:"call_sequence"`
		}
		err = json.Unmarshal(data, &file)
		calls = file.Calls
	} else {
		err = json.Unmarshal(data, &calls[0])
	}
	if err != nil {
		return q, err
	}
	if len(calls) == 0 {
		return q, errors.New("no calls")
	}
	for i := range calls {
		tx, err := s.parseCall(t, &calls[i])
		if err != nil {
			return q, fmt.Errorf("call %d: %w", i+1, err)
		}
		q.Txs = append(q.Txs, tx)
	}
	return q, nil
}

func (s *Suite) parseCall(t solc.Test, c *forgeCall) (tx input.Tx, err error) {
	data := common.FromHex(c.Calldata)
	tx.From, tx.To = input.Actor(s.Sender()), s.Address
	if c.Sender != nil {
		tx.From = input.Actor(*c.Sender)
	}
	if t.Kind != solc.InvariantTest {
		tx.Function = s.Function(t)
	} else if c.To != nil {
		tx.To = *c.To
		if of := s.Program.ContractAt(s.world, tx.To); of != nil {
			tx.Function = s.Program.ABI(of).Select(data)
		}
	}
	if tx.Function == nil || tx.Function.Raw || len(data) < 4 || tx.Function.Selector != [4]byte(data) {
		return tx, errors.New("no function has this calldata")
	}
	if c.Warp != nil {
		tx.Delay.Seconds = min(*c.Warp, input.MaxSeconds)
	}
	if c.Roll != nil {
		tx.Delay.Blocks = min(*c.Roll, input.MaxBlocks)
	}
	tx.Args, err = input.DecodeCalldata(tx.Function, data)
	return tx, err
}
