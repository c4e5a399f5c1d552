package triage

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cover"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/solc"
	"leveret/solc/ast"
)

// A property is a function of the contract under test that has to hold after
// every transaction: named invariant_…, echidna_… or property_…, without
// arguments. It fails if it returns false or reverts. In a campaign over tests,
// its Suite says which functions these are and when they fail; a function that
// transactions call is a property, too, whose own calls break it.
type property struct {
	function *input.Function
	address  common.Address
	node     *ast.Node // its FunctionDefinition; nil without an AST
	source   *solc.Source
	itself   bool // broken by transactions that call it
	anywhere bool // at any address: of a contract that transactions create

	where *program.Location // broken only by failures there; nil: by all
}

// A call is a transaction that was executed.
type call struct {
	tx      *input.Tx
	outcome *evm.Outcome
	before  exec.State
	after   exec.State
	reached search.Reached // how far it is in a run
}

func propertyOf(s *search.Subject, f *input.Function, of deploy.Deployed, itself bool) property {
	p := property{function: f, address: of.Address, itself: itself}
	if p.node = s.Program.DefinitionIn(of.Contract, f); p.node != nil {
		p.source = of.Contract.Build.Sources[p.node.Span.Source]
	}
	return p
}

// properties are those of the contract under test, and of what transactions create.
type properties struct {
	subject *search.Subject
	run     *runner
	list    []property

	placed map[key]property        // functions that failed at a place
	paths  map[cover.PathID]key    // of calls that failed
	traced map[*input.Function]int // calls that failed and whose place was looked up, for violates
}

// maxTraced bounds the calls of a function that failed in different ways and whose places
// are looked up.
const maxTraced = 1000

func newProperties(s *search.Subject, run *runner) *properties {
	ps := &properties{subject: s, run: run, placed: map[key]property{}, paths: map[cover.PathID]key{}, traced: map[*input.Function]int{}}
	under := s.Deployment.UnderTest()
	add := func(f *input.Function, of deploy.Deployed, itself bool) {
		ps.list = append(ps.list, propertyOf(s, f, of, itself))
	}
	if s.Suite == nil {
		for _, f := range s.Program.ABI(under.Contract).Functions {
			if program.IsProperty(f) {
				add(f, under, false)
			}
		}
		return ps
	}
	for _, f := range s.Suite.Properties {
		add(f, under, false)
	}
	for _, callee := range s.Callees {
		if !callee.Function.Property {
			add(callee.Function, deploy.Deployed{Contract: callee.Contract, Address: callee.Address}, true)
		}
	}
	return ps
}

// addCreated adds the properties of functions that transactions call of contracts
// that others create.
func (ps *properties) addCreated(txs []input.Tx) {
	s := ps.subject.Suite
	if s == nil || s.Created == nil {
		return
	}
	for i := range txs {
		f := txs[i].Function
		of := s.Created.Owner(f)
		if of == nil || slices.ContainsFunc(ps.list, func(p property) bool { return p.function == f }) {
			continue
		}
		p := propertyOf(ps.subject, f, deploy.Deployed{Contract: of}, true)
		p.anywhere = true
		ps.list = append(ps.list, p)
	}
}

// with returns the property whose verdicts have a key; none if an oracle's have it.
func (ps *properties) with(k key) []property {
	if p, ok := ps.placed[k]; ok {
		return []property{p}
	}
	for _, p := range ps.list {
		if p.node != nil && ps.verdict(p).key == k {
			return []property{p}
		}
	}
	return nil
}

// asking returns the transaction that asks whether a property holds.
func (ps *properties) asking(p property) input.Tx {
	tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
	if s := ps.subject.Suite; s != nil {
		tx.From = s.Sender
	}
	return tx
}

// holds executes a property on a copy of s.
func (ps *properties) holds(s exec.State, p property) bool {
	tx := ps.asking(p)
	world, outcome := ps.run.ask(s, &tx)
	switch {
	case outcome.Unfinished():
		return true
	case ps.subject.Suite != nil:
		return ps.subject.Suite.Holds(p.function, &outcome, world)
	case outcome.Status != evm.Success:
		return false
	case len(p.function.Outputs) == 0:
		return true
	}
	return len(outcome.Return) < 32 || common.BytesToHash(outcome.Return[:32]) != common.Hash{}
}

// next returns how far a run is after a transaction that led to a world. Without
// a Suite there are no runs.
func (ps *properties) next(at search.Reached, tx *input.Tx, o *evm.Outcome, w *evm.World) search.Reached {
	if s := ps.subject.Suite; s != nil {
		return s.Next(at, tx, o, w)
	}
	return at
}

// checks reports whether a property is checked that far in a run.
func (ps *properties) checks(p property, at search.Reached) bool {
	s := ps.subject.Suite
	switch {
	case s == nil:
		return true
	case p.itself:
		return s.Run.Allows(at)
	}
	return s.Run.Checks(p.function, at)
}

// atEnd reports whether only whole runs break a property.
func (ps *properties) atEnd(p property) bool {
	s := ps.subject.Suite
	return s != nil && slices.Contains(s.Run.AtEnd, p.function)
}

// breaks reports whether a call breaks a property.
func (ps *properties) breaks(p property, c *call) bool {
	if !ps.checks(p, c.reached) {
		return false
	}
	if !p.itself {
		return !ps.holds(c.after, p)
	}
	if c.tx.To != p.address && !p.anywhere || c.tx.Function != p.function || ps.subject.Suite.Breaks(c.tx, c.outcome, c.after.World) != p.function {
		return false
	}
	if p.where == nil {
		return true
	}
	at := ps.failedAt(c)
	return at != nil && at.Place == p.where.Place
}

// failedAt returns the place where a call that broke a function failed; nil if that is not
// known or makes no difference.
func (ps *properties) failedAt(c *call) *program.Location {
	if ps.subject.Suite.FailedAt == nil {
		return nil
	}
	hooks, place := ps.subject.Suite.FailedAt()
	ps.run.transact(c.before, c.tx, hooks)
	return place()
}

// broken checks some of the properties after a call, the ith of a sequence.
func (ps *properties) broken(some []property, c *call, i int) []Verdict {
	var broken []Verdict
	for _, p := range some {
		if p.node == nil || !ps.breaks(p, c) {
			continue
		}
		v := ps.verdict(ps.at(p, c))
		v.tx = i
		broken = append(broken, v)
	}
	return broken
}

// at returns a property that a call breaks with the place where it failed, as far as that
// is known.
func (ps *properties) at(p property, c *call) property {
	if !p.itself || p.where != nil {
		return p
	}
	if p.where = ps.failedAt(c); p.where != nil {
		ps.placed[ps.verdict(p).key] = p
	}
	return p
}

// verdict returns what is said of a property that a transaction breaks, without the
// transaction.
func (ps *properties) verdict(p property) Verdict {
	b, function := program.Location{Source: p.source, Node: p.node, Text: p.function.Name}, ""
	if p.where != nil {
		b, function = *p.where, p.function.Signature
	} else {
		b.Place = ps.subject.Program.PlaceOf(p.source, p.node.NameSpan(p.source.Text))
	}
	message := "the property `%s` does not hold"
	if p.itself {
		message = "`%s` fails"
	}
	report := oracle.Report{Oracle: &oracle.Assertion, Contract: p.address, Message: fmt.Sprintf(message, p.function.Name)}
	return Verdict{key: key{oracle.Assertion.Name, b.Place.File, b.Place.Span, function}, Location: b, report: report}
}

// violates reports whether r breaks a property that is not reported, or leads to a state
// in which one does not hold. The path does not show that: it depends on values.
func (ps *properties) violates(r *search.Result, reported func(key) bool) bool {
	after := exec.State{World: r.After, Block: r.At.Block.After(r.Sequence.Last().Delay)}
	if suite := ps.subject.Suite; suite != nil {
		if !r.Real() || suite.Rejects(&r.Outcome) {
			return false
		}
		at := suite.Next(reached(r.Sequence.Txs[:len(r.Sequence.Txs)-1]), r.Sequence.Last(), &r.Outcome, r.After)
		changed := r.Succeeded() || at.Calls == suite.Run.Depth || ps.run.executor.Waits(r.Sequence.Last(), &r.Outcome) // a call that fails ends a run, too
		return ps.breaksItself(r, after, at, reported) || changed && ps.fails(after, at, reported)
	}
	if !r.Succeeded() || len(ps.list) == 0 || !ps.changes(r) {
		return false
	}
	return ps.fails(after, search.Reached{}, reported)
}

// reached returns how far some transactions are in a run, if none was rejected.
func reached(txs []input.Tx) (at search.Reached) {
	for i := range txs {
		if !program.IsProperty(txs[i].Function) {
			at.Calls++
		}
	}
	return at
}

// breaksItself reports whether the last transaction of r breaks the function that
// it calls, at a place that is not reported. The path tells the place.
func (ps *properties) breaksItself(r *search.Result, after exec.State, at search.Reached, reported func(key) bool) bool {
	c := call{r.Sequence.Last(), &r.Outcome, exec.State{World: r.Before(), Block: r.At.Block}, after, at}
	ps.addCreated(r.Sequence.Txs[len(r.Sequence.Txs)-1:])
	i := slices.IndexFunc(ps.list, func(p property) bool {
		return p.itself && p.node != nil && p.function == c.tx.Function && ps.breaks(p, &c)
	})
	if i < 0 {
		return false
	}
	p := ps.list[i]
	if ps.subject.Suite.FailedAt == nil {
		return !reported(ps.verdict(p).key)
	}
	k, known := ps.paths[r.Run.Path]
	if !known {
		if ps.traced[p.function] >= maxTraced {
			return false
		}
		ps.traced[p.function]++
		k = ps.verdict(ps.at(p, &c)).key
		ps.paths[r.Run.Path] = k
	}
	return !reported(k)
}

// isOpen reports whether a property can be reported and is not.
func (ps *properties) isOpen(p property, reported func(key) bool) bool {
	return p.node != nil && !reported(ps.verdict(p).key)
}

// fails reports whether a property that is not reported does not hold in a state,
// so far in a run.
func (ps *properties) fails(s exec.State, at search.Reached, reported func(key) bool) bool {
	return slices.ContainsFunc(ps.list, func(p property) bool {
		return !p.itself && ps.checks(p, at) && ps.isOpen(p, reported) && !ps.holds(s, p)
	})
}

// changes reports whether r changed what a property may depend on: storage, the
// contract's wei or the time.
func (ps *properties) changes(r *search.Result) bool {
	under := ps.subject.Deployment.UnderTest().Address
	return len(r.Run.Writes) > 0 || r.Sequence.Last().Delay != (input.Delay{}) || r.After.Balance(under) != r.Before().Balance(under)
}
