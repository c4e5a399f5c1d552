package attack

import (
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
)

// attacking deploys a contract and sets the sources of attacks up.
func attacking(t *testing.T, file, name string) (*searchtest.Driver, *Scripts, *Deposits) {
	t.Helper()
	d := searchtest.New(t, searchtest.Compile(t, file), name, 3)
	scripts, deposits := New(d.Search, nil, nil, search.Privileged(d.Subject.Deployment.Record), false)
	return d, scripts, deposits
}

// calls executes calls of functions by one actor, one after the other, as one
// input. It pays wei to those that are payable.
func calls(t *testing.T, d *searchtest.Driver, from input.Actor, names ...string) *search.Result {
	t.Helper()
	s := input.Sequence{Deployment: d.Subject.Deployment.Record}
	for _, name := range names {
		callee := d.Callee(t, name)
		tx := input.Tx{From: from, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		if callee.Function.Mutability == input.Payable {
			tx.Value.SetUint64(1000)
		}
		s.Txs = append(s.Txs, tx)
	}
	r := d.Execute(d.Generator.FromStart(s))
	r.Run.Keep()
	if r.PrefixFailed {
		t.Fatalf("%v fails", names)
	}
	return r
}

// planned takes everything that is planned.
func planned(a *Scripts) (list []*search.Candidate) {
	for next := a.take(); next != nil; next = a.take() {
		list = append(list, next)
	}
	return list
}

// names lists the functions that a sequence calls.
func names(s input.Sequence) (list []string) {
	for i := range s.Txs {
		list = append(list, s.Txs[i].Function.Name)
	}
	return list
}

// senders lists who sends the transactions of a sequence.
func senders(s input.Sequence) (list []input.Actor) {
	for i := range s.Txs {
		list = append(list, s.Txs[i].From)
	}
	return list
}

// Once enough is spent on scripted inputs of other sources, their scripts are
// removed but for the answers.
func TestStrippingScripts(t *testing.T) {
	d, scripts, _ := attacking(t, "testdata/Bank.sol", "Bank")
	exempt := &search.Origin{Name: "replayed"}
	s := calls(t, d, input.Attacker, "withdraw").Sequence
	script := reentering(*s.Last())
	script.Answers = [][]uint256.Int{{*uint256.NewInt(5)}}
	strip := func(origin *search.Origin, purpose search.Purpose, script *input.Script) *search.Candidate {
		tx := *s.Last()
		tx.Script = script
		next := d.Generator.FromStart(s.WithTx(0, tx))
		next.Origin, next.Purpose, next.Change.Single = origin, purpose, true
		scripts.Strip(next, exempt)
		return next
	}
	if c := strip(d.Origin, nil, script); c.Sequence.Last().Script != script {
		t.Error("a script is removed though nothing is spent")
	}
	scripts.other.Spent = 1 << 60
	for _, row := range []struct {
		name string
		c    *search.Candidate
	}{
		{"the attack's own", strip(scripts.Origin(), nil, script)}, {"a replayed", strip(exempt, nil, script)}, {"a purposeful", strip(d.Origin, met{}, script)},
	} {
		if row.c.Sequence.Last().Script != script || row.c.Change.Shape {
			t.Errorf("%s candidate lost its script", row.name)
		}
	}
	c := strip(d.Origin, nil, script)
	if got := c.Sequence.Last().Script; got == nil || got.Mode != input.Accept || !slices.EqualFunc(got.Answers, script.Answers, slices.Equal) {
		t.Errorf("the script is %+v", got)
	}
	if !c.Change.Shape || c.Change.Single {
		t.Errorf("the change is %+v", c.Change)
	}
	if got := strip(d.Origin, nil, &input.Script{Mode: input.Refuse}).Sequence.Last().Script; got != nil {
		t.Errorf("the script is %+v", got)
	}
}

// met is a purpose.
type met struct{}

func (met) Met(*search.Candidate) bool { return true }
