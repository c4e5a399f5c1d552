package direct

import (
	"fmt"
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// A need is what a condition depends on, and what would change it.
type need struct {
	of      shadow.Kind
	depends string
	remedy  string
}

// needs lists the kinds of sources of conditions, those first that decide what a
// condition would need.
var needs = []need{
	{shadow.FromStorage, "the state", "calls before it that bring about another state"},
	{shadow.FromReturnData, "what a call returns", "another answer of the called contract"},
	{shadow.FromCallResult, "whether a call succeeds", "another outcome of the call"},
	{shadow.FromBalance, "a balance", "ether that is sent to or forced on the account before"},
	{shadow.FromCode, "code of an account", "an account with other code"},
	{shadow.FromCaller, "the sender", "another sender"},
	{shadow.FromOrigin, "the origin", "another sender"},
	{shadow.FromTimestamp, "the time", "another time"},
	{shadow.FromNumber, "the block", "another block"},
	{shadow.FromCalldata, "the arguments", "arguments that meet it together with the conditions before it"},
	{shadow.FromCalldataSize, "the length of the arguments", "arguments of another length"},
	{shadow.FromCallValue, "the ether sent along", "another amount of ether"},
	{shadow.FromGas, "the gas that is left", "another amount of gas"},
}

// condition describes the condition of a branch in the last transaction of an entry:
// its operands, what they depend on, and what would change it.
func (l *Lookahead) condition(e *corpus.Entry, b cover.Branch, x *exec.Executor) (compared string, depends, remedies []string) {
	observer := shadow.New(shadow.NewState())
	at := l.subject.Start
	for i := range e.Sequence.Txs {
		next, outcome := x.Transact(at, &e.Sequence.Txs[i], nil, observer.Hooks())
		if outcome.Unfinished() {
			return "", nil, nil
		}
		at = x.Then(at, next, &e.Sequence.Txs[i], &outcome)
	}
	last := len(e.Sequence.Txs) - 1
	for i := range observer.Branches {
		d := &observer.Branches[i]
		if taken, ok := l.subject.Cover.Branch(d.Code, d.PC, !d.Taken); !ok || taken != b {
			continue
		}
		compared = compares(d.Condition)
		kinds, earlier := map[shadow.Kind]bool{}, false
		for source := range observer.Sets().Members(d.Cond.Sources()) {
			earlier = earlier || source.Tx < last
			kinds[source.Kind] = kinds[source.Kind] || source.Tx == last
		}
		if earlier {
			kinds[shadow.FromStorage] = true
		}
		for _, n := range needs {
			if kinds[n.of] {
				depends = append(depends, n.depends)
				if !slices.Contains(remedies, n.remedy) {
					remedies = append(remedies, n.remedy)
				}
			}
		}
	}
	return compared, depends, remedies
}

// compares writes the operands of the condition's first comparison that decides it.
func compares(c *shadow.Condition) string {
	for leaf := range c.Leaves {
		if leaf.Form == shadow.Compare && !leaf.Const {
			return fmt.Sprintf("%s and %s", number(leaf, true), number(leaf, false))
		}
	}
	return ""
}

// number writes an operand, as an address if it is one.
func number(leaf *shadow.Condition, left bool) string {
	w := leaf.R
	if left {
		w = leaf.L
	}
	switch {
	case w.BitLen() > 128 && w.BitLen() <= 160:
		return (*input.Names)(nil).Address(w.Bytes20())
	case w.BitLen() > 128:
		return w.Hex()
	}
	return w.Dec()
}
