package triage

import (
	"fmt"
	"math/big"
	"slices"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search"
	"leveret/solc/ast"
)

// needsUnknown reports whether a claim needs a transaction of an account that stands as a
// number in the code: nobody here has its key, and no name says that the project trusts
// it, as that of an owner in a variable.
func needsUnknown(s *search.Subject, c *claim) bool {
	return c.needs(func(who input.Actor) bool {
		_, named := required(s, who)
		return who.Key() == nil && !named
	}, input.User1)
}

// needsMock reports whether a claim needs a transaction of a contract in whose place a mock
// stands: one that the deployment chose. An assertion claims something for all calls.
func needsMock(s *search.Subject, c *claim) bool {
	return !c.isOf(&oracle.Assertion) && c.needs(func(who input.Actor) bool { return mockAt(s, who) != nil }, input.User1)
}

// mockAt returns the creation of the mock that sends transactions; nil if the sender is none.
func mockAt(s *search.Subject, who input.Actor) *input.Creation {
	if _, actor := input.ActorOf(who.Address()); actor {
		return nil
	}
	return s.Deployment.Record.Find(who.Address())
}

// required returns where the code requires a sender; false if its address stands there
// as a number.
func required(s *search.Subject, who input.Actor) (at finding.Place, named bool) {
	code, pc, ok := s.Deployment.Requiring(who)
	if !ok {
		return at, true
	}
	b, ok := s.Program.LocateSite(oracle.Site{Code: code, PC: pc})
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
			return s.Program.PlaceOf(b.Source, constant.Node.Span), false
		}
	}
	return b.Place, true
}

// senders says of accounts that have to send transactions of a claim and are no actors
// who they are: the claim shows with none of the actors in their place.
func (w *writer) senders(c *claim) (list []finding.Related) {
	var known []input.Actor
	for i := range c.txs {
		who := c.txs[i].From
		if _, actor := input.ActorOf(who.Address()); actor || slices.Contains(known, who) || w.subject.Suite != nil {
			continue
		}
		known = append(known, who)
		at, _ := required(w.subject, who)
		dispensable := func(actor input.Actor) bool {
			return !c.needs(func(other input.Actor) bool { return other == who }, actor)
		}
		if at.File == "" || slices.ContainsFunc(input.Actors[:], dispensable) || w.run.cancelled {
			continue
		}
		text := fmt.Sprintf("the sender has to be %s, whose key nobody here has", who)
		if mock := mockAt(w.subject, who); mock != nil {
			text = fmt.Sprintf("the sender has to be %s, which stands for a contract outside of the project", mock.Name)
		} else if name := who.KnownAs(); name != "" {
			text = fmt.Sprintf("the sender has to be %s, %s: everybody has its key", who, name)
		}
		list = append(list, finding.Related{Place: at, Message: text})
	}
	return list
}
