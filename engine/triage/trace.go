package triage

import (
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
)

// A Preparation is a transaction before those of a sequence: the set-up of a test.
type Preparation struct {
	At   exec.State // before it
	Tx   input.Tx
	Text string // "setUp() prepares the test"
}

// Trace executes s from the deployment and records the tree of calls and the
// statements, those of preparations first. The step at the place of blamed is
// marked; if blamed is a property, its check follows the last transaction.
func (c *Checker) Trace(s input.Sequence, blamed finding.Finding, first ...Preparation) *replay.Trace {
	n := c.resolver
	n.labels = c.labels(s)
	r := replay.NewRecorder(n.source(), blamed)
	r.Deployed(c.subject.Deployment.Record.Describe()...)
	for i := range first {
		p := &first[i]
		r.Begin(replay.Opening{Call: p.Text, Check: true}, timeOf(p.At.Block), p.At.World)
		c.transact(p.At, &p.Tx, r.Hooks())
		r.End()
	}
	at := c.subject.Start
	for i, sentence := range s.DescribeAs(n.labels, n.abiAt) {
		tx := &s.Txs[i]
		plain := *tx
		plain.Delay, plain.Script = input.Delay{}, nil
		plainSequence := input.Sequence{Deployment: s.Deployment, Txs: []input.Tx{plain}}
		call := plainSequence.DescribeAs(n.labels, nil)[0]
		r.Begin(replay.Opening{Call: call, More: strings.TrimPrefix(sentence, call)}, timeOf(at.Block.After(tx.Delay)), at.World)
		next, outcome := c.transact(at, tx, r.Hooks())
		r.End()
		if outcome.Status == evm.Success {
			at = next
		}
	}
	for _, p := range c.properties {
		if p.node == nil || p.itself || !c.blames(blamed, p) {
			continue
		}
		tx := c.asking(p)
		r.Begin(replay.Opening{Call: "Then " + p.function.Name + "() is checked", Check: true}, timeOf(at.Block), at.World)
		c.transact(at, &tx, r.Hooks())
		r.End()
	}
	return r.Trace()
}

// blames reports whether a finding is about a property. One about a test is at the
// assertion that fails, and names the test.
func (c *Checker) blames(f finding.Finding, p property) bool {
	if c.subject.Suite != nil && f.Function != "" {
		return f.Function == p.function.Signature
	}
	return c.brokenProperty(p).Place.Span == f.Place.Span
}

// labels returns the names that the contracts of tests give to addresses. It executes
// s, because a name holds for earlier calls, too.
func (c *Checker) labels(s input.Sequence) (names map[common.Address]string) {
	if c.subject.Suite == nil {
		return nil
	}
	for at, i := c.subject.Start, 0; i < len(s.Txs); i++ {
		next, outcome := c.transact(at, &s.Txs[i], nil)
		if outcome.Status == evm.Success {
			at = next
		}
		names = c.subject.Suite.Labels(c.executor.Machine)
	}
	return names
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
