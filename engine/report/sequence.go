package report

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A CreationDocument is the JSON form of one contract of a deployment.
type CreationDocument struct {
	Name        string   `json:"name"`
	File        string   `json:"file,omitempty"` // empty for a contract that the engine brings along
	Address     string   `json:"address"`
	Constructor string   `json:"constructor"` // "constructor(uint256)"
	Args        []string `json:"args"`
	Calldata    string   `json:"calldata"` // the encoded arguments: what counts
	Value       string   `json:"value"`
}

// A TxDocument is the JSON form of one transaction.
type TxDocument struct {
	From     string          `json:"from"`
	To       string          `json:"to"` // name in the deployment
	Function string          `json:"function"`
	Args     []string        `json:"args"`
	Value    string          `json:"value"`    // wei, decimal
	Calldata string          `json:"calldata"` // what counts when the sequence is re-executed
	Block    BlockDocument   `json:"block"`
	Delay    DelayDocument   `json:"delay"`
	Agent    *ScriptDocument `json:"agent,omitempty"`
}

// A BlockDocument says in which block a transaction runs.
type BlockDocument struct {
	Number    uint64 `json:"number"`
	Timestamp uint64 `json:"timestamp"`
}

// A DelayDocument says how far the block moves before a transaction.
type DelayDocument struct {
	Blocks  uint64 `json:"blocks"`
	Seconds uint64 `json:"seconds"`
}

// A ScriptDocument is the JSON form of an Agent's script.
type ScriptDocument struct {
	Mode    string   `json:"mode"`
	Target  string   `json:"target,omitempty"`
	Data    string   `json:"data,omitempty"`
	Value   string   `json:"value,omitempty"`
	Depth   int      `json:"depth,omitempty"`
	Returns []string `json:"returns,omitempty"`
}

var modeNames = [...]string{input.AgentAccept: "accept", input.AgentRefuse: "refuse", input.AgentBurn: "burn", input.AgentReenter: "reenter"}

func newSequenceDocument(s input.Sequence, block Block) ([]CreationDocument, []TxDocument) {
	w := wording{names: creationNames(s), exact: true}
	deployment, txs := []CreationDocument{}, []TxDocument{}
	if s.Deployment != nil {
		for _, c := range s.Deployment.Creations {
			deployment = append(deployment, w.creation(c))
		}
	}
	for _, tx := range s.Txs {
		block.Number += tx.Delay.Blocks
		block.Timestamp += tx.Delay.Seconds
		doc := TxDocument{
			From: tx.From.String(), To: w.of(tx.To), Args: w.values(tx.Args),
			Value: tx.Value.Dec(), Calldata: hexBytes(tx.Calldata()),
			Block: BlockDocument(block), Delay: DelayDocument(tx.Delay), Agent: newScriptDocument(tx.Agent),
		}
		if tx.Function != nil {
			doc.Function = tx.Function.Signature
		}
		txs = append(txs, doc)
	}
	return deployment, txs
}

func (w wording) creation(c input.Creation) CreationDocument {
	var types []string
	for _, a := range c.Args {
		types = append(types, a.Type.String())
	}
	return CreationDocument{
		Name: c.Name, File: c.File, Address: c.Address.Hex(),
		Constructor: "constructor(" + strings.Join(types, ",") + ")",
		Args:        w.values(c.Args), Calldata: hexBytes(input.Encode(c.Args)), Value: c.Value.Dec(),
	}
}

func newScriptDocument(s *input.Script) *ScriptDocument {
	if s == nil {
		return nil
	}
	d := &ScriptDocument{Mode: modeNames[s.Mode]}
	if s.Mode == input.AgentReenter {
		d.Target, d.Data, d.Value, d.Depth = s.Target.Hex(), hexBytes(s.Data), s.Value.Dec(), s.Depth
	}
	for i := range s.Returns {
		d.Returns = append(d.Returns, s.Returns[i].Dec())
	}
	return d
}

// Witness makes the Sequence that the document describes. The functions know
// what their signatures say and no more: parameters have no names, and all
// are payable. An error names what cannot be understood.
func (d *FindingDocument) Witness() (input.Sequence, error) {
	if len(d.Deployment) == 0 {
		return input.Sequence{}, errors.New("it has no deployment")
	}
	if len(d.Sequence) == 0 {
		return input.Sequence{}, errors.New("its sequence is empty")
	}
	s := input.Sequence{Deployment: &input.Deployment{}}
	addresses := map[string]common.Address{}
	for i, c := range d.Deployment {
		creation, err := c.read()
		if err != nil {
			return s, fmt.Errorf("contract %d of the deployment: %w", i+1, err)
		}
		s.Deployment.Creations = append(s.Deployment.Creations, creation)
		addresses[creation.Name] = creation.Address
	}
	for i, t := range d.Sequence {
		tx, err := t.read(addresses)
		if err != nil {
			return s, fmt.Errorf("transaction %d: %w", i+1, err)
		}
		s.Txs = append(s.Txs, tx)
	}
	return s, nil
}

func (d CreationDocument) read() (input.Creation, error) {
	c := input.Creation{Name: d.Name, File: d.File}
	f, err := input.ParseSignature(d.Constructor)
	if err != nil {
		return c, err
	}
	if c.Address, err = readAddress(d.Address); err != nil {
		return c, err
	}
	if c.Value, err = readWei(d.Value); err != nil {
		return c, err
	}
	data, err := readBytes(d.Calldata)
	if err != nil {
		return c, err
	}
	c.Args, err = input.Decode(f.Inputs, data)
	return c, err
}

func (d TxDocument) read(addresses map[string]common.Address) (input.Tx, error) {
	tx := input.Tx{Delay: input.Delay(d.Delay)}
	var known bool
	if tx.From, known = input.ParseActor(d.From); !known {
		return tx, fmt.Errorf("%q is no actor", d.From)
	}
	if tx.To, known = addresses[d.To]; !known {
		return tx, fmt.Errorf("%q is no contract of the deployment", d.To)
	}
	var err error
	if tx.Value, err = readWei(d.Value); err != nil {
		return tx, err
	}
	if tx.Agent, err = d.Agent.read(); err != nil {
		return tx, err
	}
	data, err := readBytes(d.Calldata)
	if err != nil {
		return tx, err
	}
	if tx.Function, err = input.ParseSignature(d.Function); err != nil {
		return tx, err
	}
	if tx.Function.Raw {
		tx.Data = data
		return tx, nil
	}
	tx.Args, err = input.DecodeCalldata(tx.Function, data)
	return tx, err
}

func (d *ScriptDocument) read() (*input.Script, error) {
	if d == nil {
		return nil, nil
	}
	s := &input.Script{Depth: d.Depth}
	known := false
	for mode, name := range modeNames {
		if name == d.Mode {
			s.Mode, known = input.AgentMode(mode), true
		}
	}
	if !known {
		return nil, fmt.Errorf("agent mode %q is none of %s", d.Mode, strings.Join(modeNames[:], ", "))
	}
	var err error
	if s.Mode == input.AgentReenter {
		if s.Target, err = readAddress(d.Target); err != nil {
			return nil, err
		}
		if s.Data, err = readBytes(d.Data); err != nil {
			return nil, err
		}
		if s.Value, err = readWei(d.Value); err != nil {
			return nil, err
		}
	}
	for _, r := range d.Returns {
		word, err := readWei(r)
		if err != nil {
			return nil, err
		}
		s.Returns = append(s.Returns, word)
	}
	return s, nil
}

func readAddress(s string) (common.Address, error) {
	if !common.IsHexAddress(s) {
		return common.Address{}, fmt.Errorf("%q is no address", s)
	}
	return common.HexToAddress(s), nil
}

func readBytes(s string) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	b, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, fmt.Errorf("%q is no hexadecimal data", clip(s))
	}
	return b, nil
}

func readWei(s string) (uint256.Int, error) {
	var w uint256.Int
	if s == "" {
		return w, nil
	}
	if err := w.SetFromDecimal(s); err != nil {
		return w, fmt.Errorf("%q is no number of 256 bits", clip(s))
	}
	return w, nil
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
