package input

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// A BlockTime is the number and timestamp of a block.
type BlockTime struct {
	Number    uint64 `json:"number"`
	Timestamp uint64 `json:"timestamp"`
}

// After returns the block of a Tx with delay d that follows b.
func (b BlockTime) After(d Delay) BlockTime {
	return BlockTime{Number: b.Number + d.Blocks, Timestamp: b.Timestamp + d.Seconds}
}

// JSONTx is a Tx in reports. Values are formatted as by Names.Format, wei in
// decimal, and the block is the one that runs the Tx.
type JSONTx struct {
	From     string    `json:"from"`
	To       string    `json:"to"`
	Function string    `json:"function"`
	Args     []string  `json:"args"`
	Value    string    `json:"value"`
	Calldata string    `json:"calldata"`
	Block    BlockTime `json:"block"`
	Script   string    `json:"agent,omitempty"` // as by Names.FormatScript
}

// JSONCreation is a Creation in reports.
type JSONCreation struct {
	Name        string   `json:"name"`
	Contract    string   `json:"contract,omitempty"` // contract name, if it differs from name
	File        string   `json:"file,omitempty"`
	Address     string   `json:"address"`
	Constructor string   `json:"constructor"` // signature
	Args        []string `json:"args"`
	Value       string   `json:"value"`
	By          string   `json:"by,omitempty"` // its creator, if it is not the deployer
	Of          string   `json:"of,omitempty"` // the creation whose code it runs, if not its own
	Setup       []JSONTx `json:"setup,omitempty"`
	Tested      bool     `json:"tested,omitempty"` // the contract under test, if that is not the last creation
	Named       bool     `json:"named,omitempty"`  // code names the address, and a mock was put there
}

// JSON returns the form of s in reports. start is the block of the deployment.
func (s *Sequence) JSON(start BlockTime) (creations []JSONCreation, txs []JSONTx) {
	names := NewNames(nil) // names are added in order, as readers see them
	if s.Deployment != nil {
		for i := range s.Deployment.Creations {
			c := &s.Deployment.Creations[i]
			fields := make([]Field, len(c.Args))
			for k := range c.Args {
				fields[k].Type = c.Args[k].Type
			}
			j := JSONCreation{
				Name: c.Name, File: c.File, Address: c.Address.Hex(),
				Constructor: signature("constructor", fields),
				Args:        names.formatAll(c.Args), Value: c.Value.Dec(),
				Contract: c.Contract, By: c.By, Of: c.Of, Tested: c.Tested, Named: c.Named,
			}
			names.add(c)
			j.Setup = names.jsonTxs(c.Setup, start)
			creations = append(creations, j)
		}
	}
	return creations, names.jsonTxs(s.Txs, start)
}

func (n *Names) jsonTxs(list []Tx, start BlockTime) []JSONTx {
	txs := make([]JSONTx, 0, len(list))
	for i := range list {
		tx := &list[i]
		start = start.After(tx.Delay)
		j := JSONTx{
			From: n.Address(tx.From.Address()), To: n.Address(tx.To), Function: "fallback()",
			Args: n.formatAll(tx.Args), Value: tx.Value.Dec(),
			Calldata: string(appendHex(nil, tx.Calldata())), Block: start, Script: n.FormatScript(tx.Script),
		}
		if tx.Function != nil {
			j.Function = tx.Function.Signature
		}
		txs = append(txs, j)
	}
	return txs
}

func (n *Names) formatAll(values []Value) []string {
	list := make([]string, len(values))
	for i := range values {
		list[i] = n.Format(values[i])
	}
	return list
}

// FromJSON is the inverse of Sequence.JSON; see ReadText about lookup. The
// calldata of a Tx counts only for functions without typed arguments.
func FromJSON(creations []JSONCreation, txs []JSONTx, start BlockTime, lookup Lookup) (Sequence, error) {
	var s Sequence
	if len(creations) > 0 {
		s.Deployment = &Deployment{}
	}
	for i := range creations {
		c, err := creations[i].creation(NewNames(s.Deployment), lookup)
		if err != nil {
			return Sequence{}, fmt.Errorf("creation %d: %w", i+1, err)
		}
		s.Deployment.Creations = append(s.Deployment.Creations, c)
		made := s.Deployment.Newest()
		if made.Setup, err = NewNames(s.Deployment).readTxs(creations[i].Setup, start, lookup); err != nil {
			return Sequence{}, fmt.Errorf("creation %d: %w", i+1, err)
		}
	}
	var err error
	s.Txs, err = NewNames(s.Deployment).readTxs(txs, start, lookup)
	if err != nil {
		return Sequence{}, err
	}
	return s, nil
}

func (n *Names) readTxs(list []JSONTx, start BlockTime, lookup Lookup) (txs []Tx, err error) {
	for i := range list {
		tx, err := list[i].tx(n, start, lookup)
		if err != nil {
			return nil, fmt.Errorf("transaction %d: %w", i+1, err)
		}
		txs, start = append(txs, tx), list[i].Block
	}
	return txs, nil
}

func (j *JSONCreation) creation(names *Names, lookup Lookup) (c Creation, err error) {
	c.Name, c.Contract, c.File, c.By, c.Of, c.Tested, c.Named = j.Name, j.Contract, j.File, j.By, j.Of, j.Tested, j.Named
	for _, o := range creationNames {
		if name := *o.of(&c); name != "" && !identifier(name) {
			return c, fmt.Errorf("contract name %q", clip(name))
		}
	}
	if !identifier(c.Name) || len(j.Address) != 42 || !common.IsHexAddress(j.Address) {
		return c, fmt.Errorf("name %q, address %q", clip(c.Name), clip(j.Address))
	}
	c.Address = common.HexToAddress(j.Address)
	f, err := ParseSignature(j.Constructor)
	if err != nil {
		return c, err
	}
	if !f.Constructor {
		return c, errors.New("want constructor(…)")
	}
	if err := c.fits(f, lookup); err != nil {
		return c, err
	}
	if c.Args, err = names.parseAll(f, j.Args); err != nil {
		return c, err
	}
	c.Value, err = ParseWei(j.Value)
	return c, err
}

func (j *JSONTx) tx(names *Names, before BlockTime, lookup Lookup) (tx Tx, err error) {
	from, ok := names.Resolve(j.From)
	if !ok {
		return tx, fmt.Errorf("sender %q is neither an actor nor an address", clip(j.From))
	}
	tx.From = Actor(from)
	if tx.To, ok = names.Resolve(j.To); !ok {
		return tx, fmt.Errorf("contract %q is not part of the deployment", clip(j.To))
	}
	f, err := ParseSignature(j.Function)
	if err != nil {
		return tx, err
	}
	if tx.Function, err = bind(f, j.To, lookup); err != nil {
		return tx, err
	}
	if f.Raw {
		tx.Data, err = parseHex(j.Calldata, -1)
	} else {
		tx.Args, err = names.parseAll(tx.Function, j.Args)
	}
	if err != nil {
		return tx, err
	}
	if tx.Value, err = ParseWei(j.Value); err != nil {
		return tx, err
	}
	if j.Block.Number < before.Number || j.Block.Timestamp < before.Timestamp {
		return tx, errors.New("block goes back")
	}
	tx.Delay = Delay{Blocks: j.Block.Number - before.Number, Seconds: j.Block.Timestamp - before.Timestamp}
	if tx.Delay.Blocks > MaxBlocks || tx.Delay.Seconds > MaxSeconds {
		return tx, errors.New("too long a delay")
	}
	tx.Script, err = names.ParseScript(j.Script, lookup)
	return tx, err
}

func (n *Names) parseAll(f *Function, args []string) ([]Value, error) {
	if len(args) != len(f.Inputs) {
		return nil, fmt.Errorf("%d arguments for %s", len(args), f.Signature)
	}
	values := make([]Value, len(args))
	for i := range args {
		var err error
		if values[i], err = n.Parse(f.Inputs[i].Type, args[i]); err != nil {
			return nil, err
		}
	}
	return values, nil
}
