package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/solc"
)

// Trace executes a sequence on contract as it is compiled now and writes down
// what happens: the tree of calls, and the statements. The step that stands at
// the place of blamed, which may be empty, is marked; if blamed is a property,
// its check follows the last transaction. The error says why the sequence does
// not fit the contract.
func Trace(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, blamed finding.Finding) (trace *replay.Trace, err error) {
	err = guard(contract, func() (err error) {
		trace, err = traced(ctx, contract, project, s, blamed)
		return err
	})
	return trace, err
}

func traced(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, blamed finding.Finding) (*replay.Trace, error) {
	c, err := newCampaign(ctx, contract, project, Options{})
	if err != nil {
		return nil, err
	}
	if c.result.Note != "" {
		return nil, errors.New(c.result.Note)
	}
	defer c.endWith(ctx)()
	if err := c.redeploy(ctx, s.Deployment); err != nil {
		return nil, err
	}
	bound, ok := c.bind(s)
	if !ok {
		return nil, fmt.Errorf("the sequence calls a function that %s no longer has; fuzz it again", contract.Name)
	}
	t := c.judge.trace(bound, blamed)
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	return t, nil
}

// trace runs s from the deployment and records it.
func (j *judge) trace(s input.Sequence, blamed finding.Finding) *replay.Trace {
	n := newNarrator(j.campaign)
	r := replay.NewRecorder(n.source(), blamed)
	r.Deployed(n.deployment()...)
	at := j.start
	for i, sentence := range s.Describe(n.abiAt) {
		tx := &s.Txs[i]
		alone := *tx
		alone.Delay, alone.Script = input.Delay{}, nil
		alones := input.Sequence{Deployment: s.Deployment, Txs: []input.Tx{alone}}
		call := alones.Describe(nil)[0]
		r.Begin(replay.Opening{Call: call, More: strings.TrimPrefix(sentence, call)}, blockOf(at.Block.After(tx.Delay)), at.World)
		next, outcome := j.executor.Transact(at, tx, nil, r.Hooks())
		r.End()
		if outcome.Status == evm.Success {
			at = next
		}
	}
	for _, p := range j.propertyFunctions {
		if p.node == nil || j.brokenProperty(p).Place.Span != blamed.Place.Span {
			continue
		}
		tx := input.Tx{From: input.Deployer, To: p.address, Function: p.function}
		r.Begin(replay.Opening{Call: "Then " + p.function.Name + "() is checked", Check: true}, blockOf(at.Block), at.World)
		j.executor.Transact(at, &tx, nil, r.Hooks())
		r.End()
	}
	return r.Trace()
}

// reads runs s and tells what the lines that f blames read in the last Tx.
func (j *judge) reads(s input.Sequence, f finding.Finding) []finding.VariableRead {
	at, ok := j.reach(s)
	if !ok {
		return nil
	}
	r := replay.NewRecorder(newNarrator(j.campaign).source(), f)
	r.Begin(replay.Opening{}, blockOf(at.Block), at.World)
	j.executor.Transact(at, s.Last(), nil, r.Hooks())
	return r.Reads()
}

func blockOf(b evm.BlockContext) input.BlockTime {
	return input.BlockTime{Number: b.Number, Timestamp: b.Timestamp}
}
