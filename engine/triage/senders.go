package triage

import (
	"fmt"
	"math/big"
	"slices"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/solc/ast"
)

// needsUnknown reports whether a verdict needs a transaction of an account that
// stands as a number in the code: nobody here has its key, and no name says that the
// project trusts it, as that of an owner in a variable.
func (c *Checker) needsUnknown(s input.Sequence, v *Verdict) bool {
	return c.needsSenders(s, v, input.User1, func(who input.Actor) bool {
		_, named := c.required(who)
		return who.Key() == nil && !named
	})
}

// needsMock reports whether a verdict needs a transaction of a contract in whose place a
// mock stands: one that the deployment chose.
func (c *Checker) needsMock(s input.Sequence, v *Verdict) bool {
	return c.needsSenders(s, v, input.User1, func(who input.Actor) bool { return c.mockAt(who) != nil })
}

// needs reports whether an account has to send its transactions for a verdict: the
// verdict shows with none of the actors in its place.
func (c *Checker) needs(s input.Sequence, v *Verdict, who input.Actor) bool {
	for _, actor := range input.Actors {
		if !c.needsSenders(s, v, actor, func(other input.Actor) bool { return other == who }) {
			return false
		}
	}
	return true
}

// needsSenders reports whether a verdict does not show if an actor sends the
// transactions of some accounts.
func (c *Checker) needsSenders(s input.Sequence, v *Verdict, actor input.Actor, some func(input.Actor) bool) bool {
	txs, changed := slices.Clone(s.Txs[:v.tx+1]), false
	for i := range txs {
		if some(txs[i].From) {
			txs[i].From, changed = actor, true
		}
	}
	return changed && !c.showsWith(s, txs, v)
}

// mockAt returns the creation of the mock that sends transactions; nil if the sender is none.
func (c *Checker) mockAt(who input.Actor) *input.Creation {
	if _, actor := input.ActorOf(who.Address()); actor {
		return nil
	}
	return c.subject.Deployment.Record.Find(who.Address())
}

// required returns where the code requires a sender; false if its address stands there
// as a number.
func (c *Checker) required(who input.Actor) (at finding.Place, named bool) {
	code, pc, ok := c.subject.Deployment.Requiring(who)
	if !ok {
		return at, true
	}
	b, ok := c.subject.Program.LocateSite(oracle.Site{Code: code, PC: pc})
	if !ok || b.Node == nil {
		return b.Place, true
	}
	around := b.Node.Statement()
	if around == nil {
		around = b.Node.Enclosing(ast.FunctionDefinition, ast.ModifierDefinition)
	}
	if around == nil {
		return b.Place, true
	}
	number := new(big.Int).SetBytes(who[:])
	for _, constant := range around.Constants() {
		if constant.Number != nil && constant.Number.Cmp(number) == 0 {
			return c.subject.Program.PlaceOf(b.Source, constant.Node.Span), false
		}
	}
	return b.Place, true
}

// senders says of accounts that have to send transactions of a witness and are no actors
// who they are.
func (c *Checker) senders(s input.Sequence, v *Verdict) (list []finding.Related) {
	var known []input.Actor
	for i := range s.Txs {
		who := s.Txs[i].From
		if _, actor := input.ActorOf(who.Address()); actor || slices.Contains(known, who) || c.subject.Suite != nil {
			continue
		}
		known = append(known, who)
		at, _ := c.required(who)
		if at.File == "" || !c.needs(s, v, who) || c.run.cancelled {
			continue
		}
		text := fmt.Sprintf("the sender has to be %s, whose key nobody here has", who)
		if mock := c.mockAt(who); mock != nil {
			text = fmt.Sprintf("the sender has to be %s, which stands for a contract outside of the project", mock.Name)
		} else if name := who.KnownAs(); name != "" {
			text = fmt.Sprintf("the sender has to be %s, %s: everybody has its key", who, name)
		}
		list = append(list, finding.Related{Place: at, Message: text})
	}
	return list
}
