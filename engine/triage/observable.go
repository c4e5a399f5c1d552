package triage

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// observable returns how what v reports can be observed from outside when s is
// executed.
func (w *writer) observable(s input.Sequence, v *Verdict) (seen finding.Observable) {
	for _, p := range w.properties.list {
		if p.node != nil && p.node == v.Node {
			seen.Property = p.function.Signature
		}
	}
	seen.Effect = v.report.Effect
	if len(v.report.Discriminators) > 0 {
		seen.Effect, seen.Instead = discriminate(w.run, s, &v.report)
	}
	if seen.Instead != nil {
		s = *seen.Instead
	}
	observer := newEffectObserver(&seen)
	at, last := w.run.start, len(s.Txs)-1
	for i := range s.Txs {
		observer.block = at.Block.After(s.Txs[i].Delay)
		next, outcome := w.run.transact(at, &s.Txs[i], &observer.hooks)
		if outcome.Unfinished() {
			return seen // incomplete: the campaign is over
		}
		if i == last {
			noteEnding(&seen, &outcome, w.subject.Topics)
			if v.report.Oracle.AnyEffect && seen.Effect == nil {
				seen.Effect = firstEffect(next.World, at.World, &outcome)
			}
		}
		at = w.run.executor.Then(at, next, &s.Txs[i], &outcome)
	}
	return seen
}

// noteEnding records how the last transaction ended. topics are those of failed assertions.
func noteEnding(seen *finding.Observable, outcome *evm.Outcome, topics map[common.Hash]string) {
	seen.Fails, seen.Data = outcome.Status != evm.Success, outcome.Return
	for _, l := range outcome.Logs {
		if len(l.Topics) == 0 {
			continue
		}
		if event, ok := topics[l.Topics[0]]; ok {
			seen.Event = event
		}
	}
}

// firstEffect returns an effect of a transaction: a storage word, a return value
// or a balance.
func firstEffect(after, before *evm.World, outcome *evm.Outcome) finding.Effect {
	if outcome.Status != evm.Success {
		return nil
	}
	diff := after.Diff(before)
	for _, d := range diff {
		if len(d.Storage) > 0 && d.Address != input.Attacker.Address() {
			return finding.WrongStorage{Contract: d.Address, Slot: d.Storage[0].Key, Value: d.Storage[0].After}
		}
	}
	if len(outcome.Return) > 0 {
		return finding.WrongReturn{}
	}
	for _, d := range diff {
		if _, actor := input.ActorOf(d.Address); !actor && d.Balance[0] != d.Balance[1] {
			return finding.WrongBalance{Account: d.Address, Balance: d.Balance[1]}
		}
	}
	return nil
}

// discriminate finds the first variant that shows from outside what is wrong,
// and the sequence that does if it is not s; nil if there is none.
func discriminate(run *runner, s input.Sequence, r *oracle.Report) (finding.Effect, *input.Sequence) {
	at, ok := run.prefix(s.Txs)
	if !ok {
		return nil, nil
	}
	before := summarize(run, at, s.Last(), nil, r.Trail[0])
	for i := range r.Discriminators {
		v := &r.Discriminators[i]
		after := runVariant(run, s, at, v, r.Trail[0])
		if after == nil || !r.Discriminates(before, after) {
			continue
		}
		if v.Block != nil {
			return inBlock(run, at, s.Last(), v.Block), nil
		}
		if changed, _, ok := changeBy(run, s, v); ok {
			return v.Effect, &changed
		}
	}
	return nil, nil
}

// inBlock executes a transaction in another block.
func inBlock(run *runner, at exec.State, tx *input.Tx, change func(*evm.BlockContext)) finding.Effect {
	var seen finding.Observable
	observer := newEffectObserver(&seen)
	observer.block = at.Changed(tx, change)
	run.executeIn(at, observer.block, tx, &observer.hooks)
	return finding.BlockDependence{
		Block:      input.BlockTime{Number: observer.block.Number, Timestamp: observer.block.Timestamp},
		BlockReads: seen.BlockReads,
	}
}

// An effectObserver records what transactions read of their block and of the
// attacker contract.
type effectObserver struct {
	seen  *finding.Observable
	block evm.BlockContext
	hooks evm.Hooks
}

func newEffectObserver(seen *finding.Observable) *effectObserver {
	o := &effectObserver{seen: seen}
	o.hooks = evm.Hooks{
		Ops: []byte{
			bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE, bytecode.GASPRICE,
			bytecode.EXTCODESIZE, bytecode.EXTCODEHASH, bytecode.EXTCODECOPY,
		},
		Step: o.step,
		Enter: func(f *evm.Frame) {
			seen.Attacker = seen.Attacker || f.To == input.Attacker.Address()
		},
	}
	return o
}

func (o *effectObserver) step(s *evm.Step) {
	reads := &o.seen.BlockReads
	switch s.Op {
	case bytecode.PREVRANDAO:
		reads.Prevrandao = o.block.Prevrandao
	case bytecode.COINBASE:
		reads.Coinbase = o.block.Coinbase
	case bytecode.GASPRICE:
		reads.GasPrice = exec.GasPrice
	case bytecode.BLOCKHASH:
		o.blockHash(s.Top(0))
	default:
		o.seen.Attacker = o.seen.Attacker || s.Top(0).Bytes20() == input.Attacker.Address()
	}
}

// blockHash records the hash of a block if BLOCKHASH knows it.
func (o *effectObserver) blockHash(number *uint256.Int) {
	if !number.IsUint64() || number.Uint64() >= o.block.Number || number.Uint64()+256 < o.block.Number {
		return
	}
	h := finding.BlockHash{Number: number.Uint64(), Hash: evm.BlockHash(number.Uint64())}
	if reads := &o.seen.BlockReads; !slices.Contains(reads.Hashes, h) {
		reads.Hashes = append(reads.Hashes, h)
	}
}
