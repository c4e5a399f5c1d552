package search

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/foreign"
	"leveret/engine/input"
)

// foreignActors are the accounts of Echidna and Medusa, unless they are configured.
var foreignActors = map[common.Address]input.Actor{
	common.HexToAddress("0x10000"): input.User1, common.HexToAddress("0x20000"): input.User2, common.HexToAddress("0x30000"): input.Deployer,
}

// Translate makes a sequence of the calls of another fuzzer, whose chain has other
// addresses. An error says which call has no function here.
func (s *Subject) Translate(calls []foreign.Call) (input.Sequence, error) {
	if len(calls) == 0 {
		return input.Sequence{}, errors.New("no calls")
	}
	t := translation{subject: s, addresses: map[common.Address]common.Address{}}
	for from, actor := range foreignActors {
		t.addresses[from] = actor.Address()
	}
	out := input.Sequence{Deployment: s.Deployment.Record}
	for i := range calls {
		tx, err := t.tx(&calls[i])
		if err != nil {
			return input.Sequence{}, fmt.Errorf("call %d: %w", i+1, err)
		}
		out.Txs = append(out.Txs, tx.Typed())
	}
	for i := range out.Txs {
		for k := range out.Txs[i].Args {
			t.rename(&out.Txs[i].Args[k])
		}
	}
	return out, nil
}

// A translation knows which addresses of this chain stand for those of another one.
type translation struct {
	subject   *Subject
	addresses map[common.Address]common.Address
	senders   int // that are not among the known accounts
}

func (t *translation) tx(c *foreign.Call) (tx input.Tx, err error) {
	at, f := t.callee(c)
	if f == nil {
		return tx, fmt.Errorf("the contract has no function with the selector of 0x%x", c.Data[:min(len(c.Data), 4)])
	}
	tx = input.Tx{To: at, Function: f, Value: c.Value, Delay: c.Delay}
	if f.Raw {
		tx.Data = c.Data
	} else if tx.Args, err = input.DecodeCalldata(f, c.Data); err != nil {
		return tx, err
	}
	if f.Mutability != input.Payable {
		tx.Value.Clear()
	}
	tx.From = t.sender(c.From, f)
	if c.To != (common.Address{}) {
		t.addresses[c.To] = at
	}
	return tx, nil
}

// callee returns the function that a call names: at its address if that has it, else
// of the first contract that does.
func (t *translation) callee(c *foreign.Call) (at common.Address, f *input.Function) {
	for i := range t.subject.Callees {
		callee := &t.subject.Callees[i]
		if !takes(callee.Function, c.Data) {
			continue
		}
		if f == nil || callee.Address == c.To {
			at, f = callee.Address, callee.Function
		}
	}
	return at, f
}

// takes reports whether calldata is a call of f.
func takes(f *input.Function, data []byte) bool {
	if f.Raw {
		return len(data) < 4
	}
	return len(data) >= 4 && f.Selector == [4]byte(data)
}

// sender returns the account that stands for a sender. Those that are not known become
// the users and the attacker in turn.
func (t *translation) sender(from common.Address, f *input.Function) input.Actor {
	may := f.MaySend()
	for _, actor := range may {
		if actor.Address() == from {
			return actor
		}
	}
	to, known := t.addresses[from]
	if !known {
		turn := []input.Actor{input.User1, input.User2, input.Attacker}
		to = turn[t.senders%len(turn)].Address()
		t.senders++
		t.addresses[from] = to
	}
	if actor := input.Actor(to); Actors(may).Has(actor) {
		return actor
	}
	return may[0]
}

// rename replaces the addresses in a value. The value belongs to the translation.
func (t *translation) rename(v *input.Value) {
	if v.Type.Kind == input.KindAddress {
		if to, ok := t.addresses[v.Address()]; ok {
			v.Word.SetBytes20(to[:])
		}
	}
	for i := range v.Elems {
		t.rename(&v.Elems[i])
	}
}
