package engine

import (
	"bytes"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/demand"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// plot lines up every way in which the attacker's contract can answer in e:
// refuse, burn, and call back each function.
func (c *campaign) plot(e asking) {
	last := e.Sequence.Last()
	scripts := []*input.Script{{Mode: input.Refuse}, {Mode: input.BurnGas}, reentering(*last)}
	for _, callee := range c.callees {
		if !callee.Function.Constant() && demand.CalleeOf(last) != callee.Callee {
			scripts = append(scripts, reentering(c.exampleOf(callee.Callee)))
		}
		if callee.Function.Mutability == input.Payable && !e.given.IsZero() {
			back := reentering(c.exampleOf(callee.Callee)) // a loan, say, put into an account of one's own
			back.Value = e.given
			scripts = append(scripts, back)
		}
	}
	if len(e.answer) > 0 {
		scripts = append(scripts, &input.Script{})
	}
	for _, s := range scripts {
		s.Returns = e.answer
		c.agents.plan = append(c.agents.plan, c.scripted(e.Entry, e.Sequence, s))
		if s.Mode == input.Reenter {
			c.agents.plan = append(c.agents.plan, c.scripted(e.Entry, c.richer(e.Sequence), s))
		}
	}
	c.plotRicher(e)
}

// richerPlans is how often plotRicher tries.
const richerPlans = 12

// plotRicher lines up what takes twice, if there is a payer to take it from.
func (c *campaign) plotRicher(e asking) {
	for range richerPlans {
		if len(c.agents.payers) == 0 {
			return
		}
		richer := c.richer(e.Sequence)
		script := reentering(*richer.Last())
		script.Returns = e.answer
		c.agents.plan = append(c.agents.plan, c.scripted(e.Entry, richer, script))
	}
}

// fitted makes a script that repeats a Tx repeat what became of that Tx.
func fitted(s *input.Script, was, now *input.Tx) *input.Script {
	if s.Target != was.To || !bytes.Equal(s.Data, was.Calldata()) {
		return s
	}
	again := reentering(*now)
	again.Returns, again.Depth = s.Returns, s.Depth
	return again
}

// answer finds out what the attacker's contract has to return for the contract
// under test to go on. Hooks want their own selector back, more often than not;
// if asked to look, the shadow tier tells what an answer is compared with.
func (c *campaign) answer(r *result, look bool) []uint256.Int {
	words := make([]uint256.Int, 1)
	words[0].SetBytes32(common.RightPadBytes(r.Run.AttackerSelector[:], 32))
	if !look || c.options.NoPrediction {
		return words
	}
	tx := *r.Sequence.Last()
	tx.Script = &input.Script{Returns: words}
	defer exec.Stopwatch(c.options.Now, &c.result.Stats.Shadow)()
	s := c.reenact(&corpus.Entry{Sequence: r.Sequence.WithTx(len(r.Sequence.Txs)-1, tx)})
	if s == nil {
		return words
	}
	for _, d := range slices.Backward(s.observer.Branches) {
		for leaf := range d.Condition.Leaves {
			if wanted, ok := s.wantedAnswer(leaf); ok {
				return []uint256.Int{wanted}
			}
		}
	}
	return words
}

// wantedAnswer is what an equality compares a call's answer with.
func (s *substitution) wantedAnswer(leaf *shadow.Condition) (wanted uint256.Int, ok bool) {
	if leaf.Form != shadow.Compare || leaf.Relation != shadow.Equal && leaf.Relation != shadow.Differ {
		return wanted, false
	}
	sets := s.observer.Sets()
	left := sets.HasKind(leaf.Left.Sources(), shadow.FromReturnData)
	right := sets.HasKind(leaf.Right.Sources(), shadow.FromReturnData)
	if left {
		wanted = leaf.R
	} else {
		wanted = leaf.L
	}
	return wanted, left != right
}

// plotEvery is after how many inputs one of those that agents have planned
// runs: what is planned is not many, and more likely than others to show
// something.
const plotEvery = 4

// plotted returns what agents have planned, when it is its turn. Where there
// are targets it has none of its own.
func (c *campaign) plotted() *candidate {
	a := &c.agents
	if len(a.plan) == 0 || c.direction != nil {
		return nil
	}
	if a.turn++; a.turn%plotEvery != 0 {
		return nil
	}
	next := take(&a.plan)
	next.source = c.attacking
	return next
}

// worsenings is how many ways to make more of a weak verdict are tried.
const worsenings = 24

// worsen plans to show worse than s does: with more to take from others, and
// with other amounts.
func (c *campaign) worsen(s input.Sequence) {
	if script := s.Last().Script; script == nil || script.Mode != input.Reenter {
		return
	}
	for range worsenings {
		richer := c.richer(input.Sequence{Deployment: s.Deployment, Txs: slices.Clone(s.Txs)})
		tx := *richer.Last()
		tx.Script = fitted(tx.Script, s.Last(), &tx)
		richer = richer.WithTx(len(richer.Txs)-1, tx)
		c.agents.plan = append(c.agents.plan, &candidate{Job: exec.Job{Sequence: richer, States: []exec.State{c.start}}, change: mutate.Diff{Shape: true}})
	}
}

// disarm lets the attacker's contract do no more than answer in a candidate
// that was made for something else, if enough is spent on what it can do
// besides.
func (c *campaign) disarm(next *candidate) {
	tx := *next.Sequence.Last()
	if !exec.Scripted(&tx) || next.source == c.attacking || next.source == c.recalled || next.solving != nil || next.aim != nil || c.agents.arming.Allows(c.work) {
		return
	}
	script := tx.Script
	if tx.Script = nil; len(script.Returns) > 0 {
		tx.Script = &input.Script{Returns: script.Returns}
	}
	next.Sequence = next.Sequence.WithTx(len(next.Sequence.Txs)-1, tx)
	next.change.Shape, next.change.Single = true, false
}
