package input

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// Calldata returns the calldata of tx. The caller owns it.
func (tx *Tx) Calldata() []byte { return tx.AppendCalldata(nil) }

// Equal reports whether both transactions do the same in the same state. Functions
// and scripts are compared by identity.
func (tx *Tx) Equal(to *Tx) bool {
	return tx.From == to.From && tx.To == to.To && tx.Function == to.Function && tx.Value == to.Value && tx.Delay == to.Delay &&
		tx.Script == to.Script && bytes.Equal(tx.Data, to.Data) &&
		slices.EqualFunc(tx.Args, to.Args, func(a, b Value) bool { return a.Equal(&b) })
}

// AppendCalldata appends the calldata of tx to dst: selector and encoded
// arguments, only the arguments for a constructor, Data for a Raw function, To for
// Forced.
func (tx *Tx) AppendCalldata(dst []byte) []byte {
	f := tx.Function
	switch {
	case f.Forces():
		return append(append(dst, make([]byte, 32-len(tx.To))...), tx.To[:]...)
	case f == nil || f.Raw:
		return append(dst, tx.Data...)
	case f.Constructor:
		return AppendValues(dst, tx.Args)
	}
	return AppendValues(append(dst, f.Selector[:]...), tx.Args)
}

// WithArg returns tx with the value at path replaced. The first element of
// path is the argument's index, the following ones lead into its elements.
func (tx Tx) WithArg(path []int, v Value) Tx {
	tx.Args = replaceAt(tx.Args, path, func(Value) Value { return v })
	return tx
}

// At returns the value at path.
func (tx *Tx) At(path []int) *Value {
	values := tx.Args
	for _, i := range path[:len(path)-1] {
		values = values[i].Elems
	}
	return &values[path[len(path)-1]]
}

// replaceAt copies only what is on the path.
func replaceAt(values []Value, path []int, change func(Value) Value) []Value {
	values = slices.Clone(values)
	v := &values[path[0]]
	if len(path) == 1 {
		*v = change(*v)
	} else {
		v.Elems = replaceAt(v.Elems, path[1:], change)
	}
	return values
}

// Agreeing returns tx with the arguments of another Tx, as far as both have
// arguments of the same types in the same order. It reports whether that
// changed any.
func (tx Tx) Agreeing(with *Tx) (Tx, bool) {
	changed := false
	next := 0 // index of the other's argument
	for i := range tx.Args {
		kind := tx.Args[i].Type
		k := slices.IndexFunc(with.Args[next:], func(v Value) bool { return v.Type.Same(kind) })
		if k < 0 {
			continue
		}
		next += k + 1
		if v := with.Args[next-1]; !tx.Args[i].Equal(&v) {
			v.Type = tx.Args[i].Type
			tx, changed = tx.WithArg([]int{i}, v), true
		}
	}
	return tx, changed
}

// After returns tx as late as if some Txs were executed before it, as far as its
// function may wait.
func (tx Tx) After(txs []Tx) Tx {
	most := tx.Function.maxDelay()
	for i := range txs {
		tx.Delay.Blocks = max(tx.Delay.Blocks, min(tx.Delay.Blocks+txs[i].Delay.Blocks, most.Blocks))
		tx.Delay.Seconds = max(tx.Delay.Seconds, min(tx.Delay.Seconds+txs[i].Delay.Seconds, most.Seconds))
	}
	return tx
}

// WithTx returns s with its ith Tx replaced.
func (s Sequence) WithTx(i int, tx Tx) Sequence {
	s.Txs = slices.Clone(s.Txs)
	s.Txs[i] = tx
	return s
}

// Insert returns s with tx before its ith Tx.
func (s Sequence) Insert(i int, tx Tx) Sequence {
	txs := make([]Tx, 0, len(s.Txs)+1)
	txs = append(append(append(txs, s.Txs[:i]...), tx), s.Txs[i:]...)
	s.Txs = txs
	return s
}

// Without returns s less its ith Tx.
func (s Sequence) Without(i int) Sequence {
	txs := make([]Tx, 0, len(s.Txs)-1)
	s.Txs = append(append(txs, s.Txs[:i]...), s.Txs[i+1:]...)
	return s
}

// Splice returns the first n Txs of s followed by tail, on the deployment of s.
func (s Sequence) Splice(n int, tail []Tx) Sequence {
	txs := make([]Tx, 0, n+len(tail))
	s.Txs = append(append(txs, s.Txs[:n]...), tail...)
	return s
}

// Last returns the last Tx, nil if there is none.
func (s *Sequence) Last() *Tx {
	if len(s.Txs) == 0 {
		return nil
	}
	return &s.Txs[len(s.Txs)-1]
}

// UnderTest returns the contract under test; nil without a deployment.
func (s *Sequence) UnderTest() *Creation { return s.Deployment.UnderTest() }

// UnderTest returns the contract under test: the Creation that is marked so,
// else the last one; nil if there is none.
func (d *Deployment) UnderTest() *Creation {
	if d == nil || len(d.Creations) == 0 {
		return nil
	}
	for i := range d.Creations {
		if d.Creations[i].Tested {
			return &d.Creations[i]
		}
	}
	return d.Newest()
}

// Newest returns the last Creation; nil if there is none.
func (d *Deployment) Newest() *Creation {
	if d == nil || len(d.Creations) == 0 {
		return nil
	}
	return &d.Creations[len(d.Creations)-1]
}

// Class returns the name of c's contract.
func (c *Creation) Class() string {
	if c.Contract != "" {
		return c.Contract
	}
	return c.Name
}

// Maker returns the name of c's creator.
func (c *Creation) Maker() string {
	if c.By != "" {
		return c.By
	}
	return Deployer.String()
}

// Made describes the creation, with the constructor's arguments in brackets.
func (c *Creation) Made(arguments string) string {
	if c.Of != "" {
		return c.Name + ", a proxy with the code of " + c.Of
	}
	text := c.Class()
	if c.By == "" {
		text += arguments
	}
	if c.Contract != "" {
		text += " as " + c.Name
	}
	if c.Named {
		text += " at " + c.Address.Hex() + ", which the code names or computes"
	}
	return text
}

// Find returns the creation at an address; nil if there is none.
func (d *Deployment) Find(a common.Address) *Creation {
	if d == nil {
		return nil
	}
	for i := range d.Creations {
		if d.Creations[i].Address == a {
			return &d.Creations[i]
		}
	}
	return nil
}

// SentBy returns transactions of one account as another one sends them, at once: with its address
// where they have the sender's, and without scripts.
func SentBy(txs []Tx, who Actor) []Tx {
	txs = slices.Clone(txs)
	for i := range txs {
		tx := &txs[i]
		tx.Args, _ = Renamed(tx.Args, tx.From.Address(), who.Address())
		tx.From, tx.Script, tx.Delay = who, nil, Delay{}
	}
	return txs
}
