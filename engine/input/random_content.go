package input

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// A CallPool is a Pool that knows the functions of contracts.
type CallPool interface {
	Pool
	Call(r *rand.Rand) (*Content, bool) // of a function that transactions can call
	In(f *Function) Pool                // for the arguments of f
}

// Bounds of what is drawn: of bytes values within another, and one in so many that
// are plain bytes in spite of what the code takes them for.
const (
	maxDeep    = 5
	plainOneIn = 8
)

// content draws a bytes value that holds values, if t tells what the code takes it
// for.
func (d *drawer) content(t *Type) (v Value, ok bool) {
	n := len(t.Contents)
	if t.Calls {
		n++
	}
	if n == 0 || d.deep == maxDeep || d.r.IntN(plainOneIn) == 0 {
		return v, false
	}
	c, i := (*Content)(nil), d.r.IntN(n)
	calls, _ := d.pool.(CallPool)
	switch {
	case i < len(t.Contents):
		c = t.Contents[i]
	case calls == nil:
		return v, false
	default:
		if c, ok = calls.Call(d.r); !ok {
			return v, false
		}
	}
	if d.left -= len(c.Fields); d.left < 0 {
		return v, false
	}
	return d.holding(t, c), true
}

// holding draws the values that a bytes value of type t holds.
func (d *drawer) holding(t *Type, c *Content) Value {
	pool := d.pool
	if calls, ok := d.pool.(CallPool); ok && c.Function != nil {
		d.pool = calls.In(c.Function)
	}
	d.deep++
	v := Value{Type: t, Content: c, Elems: make([]Value, len(c.Fields))}
	for i := range v.Elems {
		v.Elems[i] = d.value(c.Fields[i].Type)
	}
	direct(v.Elems)
	d.deep--
	d.pool = pool
	return v
}

// Directed returns tx, whose value at path is new, with the addresses beside it that
// say which contract is called.
func Directed(tx Tx, path []int) Tx {
	for n := len(path) - 1; n > 0; n-- {
		if v := tx.At(path[:n]); (v.Type.Kind == KindTuple || v.Content != nil) && directs(v.Elems) {
			tx.Args = replaceAt(tx.Args, path[:n], func(v Value) Value {
				v.Elems = slices.Clone(v.Elems)
				direct(v.Elems)
				return v
			})
		}
	}
	if len(path) > 0 && directs(tx.Args) {
		tx.Args = slices.Clone(tx.Args)
		direct(tx.Args)
	}
	return tx
}

// directs reports whether there are calls that direct looks at.
func directs(values []Value) bool {
	for i := range values {
		if v := &values[i]; v.calls() || v.listsCalls() {
			return true
		}
	}
	return false
}

// calls reports whether a bytes value holds a call of a certain contract.
func (v *Value) calls() bool { return v.Content != nil && v.Content.To != (common.Address{}) }

// listsCalls reports whether a value is a list of calls.
func (v *Value) listsCalls() bool { return v.Type.Kind == KindSlice && v.Type.Elem.Calls }

// direct makes the address beside a call, or the addresses beside a list of calls,
// that of the contract that has the function.
func direct(values []Value) {
	for i := range values {
		switch v := &values[i]; {
		case v.calls():
			if to := beside(values, i, KindAddress); to != nil {
				*to = addressed(to.Type, v)
			}
		case v.listsCalls():
			directEach(values, i)
		}
	}
}

// directEach is direct for a list of calls, which gets a target for each.
func directEach(values []Value, i int) {
	calls, targets := values[i].Elems, beside(values, i, KindSlice)
	if targets == nil {
		return
	}
	elems := make([]Value, len(calls))
	for k := range calls {
		elems[k] = Zero(targets.Type.Elem)
		if calls[k].Content != nil {
			elems[k] = addressed(targets.Type.Elem, &calls[k])
		}
	}
	targets.Elems = elems
	for k := range values { // amounts, one for each call
		if v := &values[k]; k != i && v != targets && v.Type.Kind == KindSlice && v.Type.Elem.Kind == KindUint {
			v.Elems = make([]Value, len(calls))
			for j := range v.Elems {
				v.Elems[j] = Zero(v.Type.Elem)
			}
		}
	}
}

// addressed is the address that a call is meant for.
func addressed(t *Type, call *Value) Value {
	v := Value{Type: t}
	v.Word.SetBytes20(call.Content.To[:])
	return v
}

// beside returns the nearest address, or list of addresses, before the ith value, or
// else the first one behind it; nil if there is none.
func beside(values []Value, i int, kind Kind) *Value {
	is := func(t *Type) bool {
		return t.Kind == kind && (kind == KindAddress || t.Elem.Kind == KindAddress)
	}
	for k := i - 1; k >= 0; k-- {
		if is(values[k].Type) {
			return &values[k]
		}
	}
	for k := i + 1; k < len(values); k++ {
		if is(values[k].Type) {
			return &values[k]
		}
	}
	return nil
}
