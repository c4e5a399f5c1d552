package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// symptom tells how what v reports can be seen from outside when s is run.
func (j *judge) symptom(s input.Sequence, v *verdict) (symptom finding.Observable) {
	for _, p := range j.propertyFunctions {
		if p.node != nil && p.node == v.Node {
			symptom.Property = p.function.Signature
		}
	}
	symptom.Effect = v.report.Effect
	if len(v.report.Discriminators) > 0 {
		symptom.Effect, symptom.Instead = j.telling(s, &v.report)
	}
	if symptom.Instead != nil {
		s = *symptom.Instead
	}
	onlooker := j.newOnlooker(&symptom)
	at, last := j.start, len(s.Txs)-1
	for i := range s.Txs {
		onlooker.block = at.Block.After(s.Txs[i].Delay)
		next, outcome := j.executor.Transact(at, &s.Txs[i], nil, &onlooker.hooks)
		if outcome.Halt == evm.ErrCancelled {
			return symptom // there was no time to look
		}
		if i == last {
			j.ending(&symptom, &outcome)
			if v.report.Oracle.AnyEffect && symptom.Effect == nil {
				symptom.Effect = consequence(next.World, at.World, &outcome)
			}
		}
		if outcome.Status == evm.Success {
			at = next
		}
	}
	return symptom
}

// ending notes how the last Tx ended.
func (j *judge) ending(symptom *finding.Observable, outcome *evm.Outcome) {
	symptom.Fails, symptom.Data = outcome.Status != evm.Success, outcome.Return
	for _, l := range outcome.Logs {
		if len(l.Topics) > 0 && j.topics[l.Topics[0]] {
			symptom.Event = j.topicNames[l.Topics[0]]
		}
	}
}

// consequence is something that a Tx brought about: a storage word, an answer
// or a balance.
func consequence(after, before *evm.World, outcome *evm.Outcome) finding.Effect {
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

// telling finds the first variant that shows from outside what is wrong, and
// the Sequence that does, if it is not s; nil if there is none.
func (j *judge) telling(s input.Sequence, r *oracle.Report) (finding.Effect, *input.Sequence) {
	at, ok := j.reach(s)
	if !ok {
		return nil, nil
	}
	before := j.retrace(at, s.Last(), nil, r.Trail[0])
	for i := range r.Discriminators {
		v := &r.Discriminators[i]
		after := j.variant(s, at, v, r.Trail[0])
		if after == nil || !r.Discriminates(before, after) {
			continue
		}
		if v.Block != nil {
			return j.swayed(at, s.Last(), v.Block), nil
		}
		if changed, _, ok := j.changed(s, v); ok {
			return v.Effect, &changed
		}
	}
	return nil, nil
}

// swayed runs a Tx in another block.
func (j *judge) swayed(at exec.State, tx *input.Tx, change func(*evm.BlockContext)) finding.Effect {
	var seen finding.Observable
	onlooker := j.newOnlooker(&seen)
	onlooker.block = at.Changed(tx, change)
	world := at.World.Fork()
	if tx.Script != nil {
		exec.WriteScript(world, tx.Script)
	}
	j.executor.Machine.Execute(world, onlooker.block, evm.TxCall(tx, tx.Calldata()), &onlooker.hooks)
	return finding.BlockDependence{
		Block:      input.BlockTime{Number: onlooker.block.Number, Timestamp: onlooker.block.Timestamp},
		BlockReads: seen.BlockReads,
	}
}

// An onlooker notes what Txs have to do with their block and with the
// attacker's contract.
type onlooker struct {
	symptom *finding.Observable
	block   evm.BlockContext
	hooks   evm.Hooks
}

func (j *judge) newOnlooker(symptom *finding.Observable) *onlooker {
	o := &onlooker{symptom: symptom}
	o.hooks = evm.Hooks{
		Ops: []byte{
			bytecode.BLOCKHASH, bytecode.PREVRANDAO, bytecode.COINBASE,
			bytecode.EXTCODESIZE, bytecode.EXTCODEHASH, bytecode.EXTCODECOPY,
		},
		Step: o.step,
		Enter: func(f *evm.Frame) {
			symptom.Attacker = symptom.Attacker || f.To == input.Attacker.Address()
		},
	}
	return o
}

func (o *onlooker) step(s *evm.Step) {
	asked := &o.symptom.BlockReads
	switch s.Op {
	case bytecode.PREVRANDAO:
		asked.Prevrandao = o.block.Prevrandao
	case bytecode.COINBASE:
		asked.Coinbase = o.block.Coinbase
	case bytecode.BLOCKHASH:
		o.hash(s.Top(0))
	default:
		o.symptom.Attacker = o.symptom.Attacker || s.Top(0).Bytes20() == input.Attacker.Address()
	}
}

// hash notes the hash of a block, if there is one to be had.
func (o *onlooker) hash(number *uint256.Int) {
	if !number.IsUint64() || number.Uint64() >= o.block.Number || number.Uint64()+256 < o.block.Number {
		return
	}
	h := finding.BlockHash{Number: number.Uint64(), Hash: evm.BlockHash(number.Uint64())}
	if asked := &o.symptom.BlockReads; !slices.Contains(asked.Hashes, h) {
		asked.Hashes = append(asked.Hashes, h)
	}
}
