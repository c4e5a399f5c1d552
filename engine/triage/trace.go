package triage

import (
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
)

// Trace executes s from the deployment and records the tree of calls and the
// statements. The step at the place of blamed is marked; if blamed is a
// property, its check follows the last transaction.
func (c *Checker) Trace(s input.Sequence, blamed finding.Finding) *replay.Trace {
	n := c.resolver
	r := replay.NewRecorder(n.source(), blamed)
	r.Deployed(c.subject.Deployment.Record.Describe()...)
	at := c.subject.Start
	for i, sentence := range s.Describe(n.abiAt) {
		tx := &s.Txs[i]
		plain := *tx
		plain.Delay, plain.Script = input.Delay{}, nil
		plainSequence := input.Sequence{Deployment: s.Deployment, Txs: []input.Tx{plain}}
		call := plainSequence.Describe(nil)[0]
		r.Begin(replay.Opening{Call: call, More: strings.TrimPrefix(sentence, call)}, timeOf(at.Block.After(tx.Delay)), at.World)
		next, outcome := c.transact(at, tx, r.Hooks())
		r.End()
		if outcome.Status == evm.Success {
			at = next
		}
	}
	for _, p := range c.properties {
		if p.node == nil || p.itself || c.brokenProperty(p).Place.Span != blamed.Place.Span {
			continue
		}
		tx := c.asking(p)
		r.Begin(replay.Opening{Call: "Then " + p.function.Name + "() is checked", Check: true}, timeOf(at.Block), at.World)
		c.transact(at, &tx, r.Hooks())
		r.End()
	}
	return r.Trace()
}

// reads executes s and returns what the lines that f blames read in the last
// transaction.
func (c *Checker) reads(s input.Sequence, f finding.Finding) []finding.VariableRead {
	at, ok := c.prefix(s)
	if !ok {
		return nil
	}
	r := replay.NewRecorder(c.resolver.source(), f)
	r.Begin(replay.Opening{}, timeOf(at.Block), at.World)
	c.transact(at, s.Last(), r.Hooks())
	return r.Reads()
}

func timeOf(b evm.BlockContext) input.BlockTime {
	return input.BlockTime{Number: b.Number, Timestamp: b.Timestamp}
}
