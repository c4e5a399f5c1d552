package engine

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// sourced is the remembered answer to what an instruction stands for.
type sourced struct {
	blame oracle.Blame
	ok    bool
}

// source is program.sourceOf for one goroutine, which asks again and again.
func (j *judge) source(site oracle.Site) (oracle.Blame, bool) {
	s, known := j.sources[site]
	if !known {
		s.blame, s.ok = j.program.BlameSite(site)
		j.sources[site] = s
	}
	return s.blame, s.ok
}

// privilegedActors are those who may have a say in a deployment: who made it,
// and whom its constructors and what sets it up were told of.
func privilegedActors(d *input.Deployment) (who [input.ActorCount]bool) {
	who[input.Deployer] = true
	for i := range d.Creations {
		if d.Creations[i].File == "" {
			continue // a stand-in: everybody holds its tokens
		}
		told := slices.Clone(d.Creations[i].Args)
		for _, tx := range d.Creations[i].Setup {
			told = append(told, tx.Args...)
		}
		for j := range told {
			tellActors(&told[j], &who)
		}
	}
	return who
}

func tellActors(v *input.Value, who *[input.ActorCount]bool) {
	if v.Type.Kind == input.KindAddress {
		if a, ok := input.ActorOf(v.Word.Bytes20()); ok {
			who[a] = true
		}
	}
	for i := range v.Elems {
		tellActors(&v.Elems[i], who)
	}
}

// believe checks what a report is true on condition of. at is the state before
// the Tx that it is about. A verdict on s may turn out to be shown by another
// Sequence, if that is allowed.
func (j *judge) believe(s input.Sequence, at exec.State, v verdict, substitutes bool) (verdict, bool) {
	if v.report.Unprivileged && j.privilegedTx(s.Txs[:v.tx+1]) {
		if !substitutes {
			return v, false
		}
		return j.alone(s, v)
	}
	if len(v.report.Variants) > 0 {
		ok := j.confirmed(s, at, &v)
		j.doubted = j.doubted || !ok
		return v, ok
	}
	return v, true
}

func (j *judge) privilegedTx(txs []input.Tx) bool {
	return slices.ContainsFunc(txs, func(tx input.Tx) bool { return j.privileged[tx.From] })
}

// alone looks for the same verdict without those who are privileged: their
// transactions are left out, the last one is another's.
func (j *judge) alone(s input.Sequence, v verdict) (verdict, bool) {
	stranger := slices.Index(j.privileged[:], false)
	if stranger < 0 {
		return v, false
	}
	last := s.Txs[v.tx]
	if j.privileged[last.From] {
		last.From = input.Actor(stranger)
	}
	others := slices.DeleteFunc(slices.Clone(s.Txs[:v.tx]), func(tx input.Tx) bool { return j.privileged[tx.From] })
	instead := input.Sequence{Deployment: s.Deployment, Txs: append(others, last)}
	found, ok := j.shows(instead, v.key)
	found.instead = &instead
	return found, ok && found.tx == len(others)
}

// confirmed reports whether one of a report's variants makes the difference
// that it has to.
func (j *judge) confirmed(s input.Sequence, at exec.State, v *verdict) bool {
	s.Txs = s.Txs[:v.tx+1]
	jump := v.report.Trail[0]
	if v.report.Variants[0].Block != nil {
		at = wealthy(at, v.report.Contract)
	}
	before := j.retrace(at, s.Last(), nil, jump)
	for i := range v.report.Variants {
		if after := j.variant(s, at, &v.report.Variants[i], jump); after != nil && v.report.Confirm(before, after) {
			return true
		}
	}
	return false
}

// wealthy lets a contract have more wei than it can want: that it cannot pay
// a little more is no decision.
func wealthy(at exec.State, contract common.Address) exec.State {
	at.World = at.World.Fork()
	wei := at.World.Balance(contract)
	wei.Add(&wei, deploy.ActorWei)
	at.World.SetBalance(contract, &wei)
	return at
}

// variant traces the last Tx of s with something changed; nil if that cannot be.
func (j *judge) variant(s input.Sequence, at exec.State, v *oracle.Variant, jump oracle.Site) *oracle.TxSummary {
	if v.Flow == nil && v.Was == nil {
		return j.retrace(at, s.Last(), v.Block, jump)
	}
	changed, first, ok := j.changed(s, v)
	if !ok {
		return nil
	}
	if first < len(s.Txs)-1 {
		if at, ok = j.reach(changed); !ok {
			return nil
		}
	}
	return j.retrace(at, changed.Last(), v.Block, jump)
}

// changed makes the Sequence of a variant, and tells which Tx is the first
// that differs; false if there is none.
func (j *judge) changed(s input.Sequence, v *oracle.Variant) (changed input.Sequence, first int, ok bool) {
	if v.Flow == nil {
		changed, ok = replaced(s, v.Was, &v.Field)
		return changed, 0, ok
	}
	w := &substitution{campaign: j.campaign, offsets: map[int]input.OffsetMap{}}
	changed, change, ok := w.write(s, v.Flow, &v.Field)
	return changed, change.First, ok
}

// replaced puts another value in place of every argument that has one; false
// if none has.
func replaced(s input.Sequence, was, by *uint256.Int) (changed input.Sequence, ok bool) {
	for i := range s.Txs {
		tx := s.Txs[i]
		for _, p := range input.Parameters(&tx) {
			if word := input.Get(&tx, &p); p.Kind == input.ParamArg && word.Eq(was) {
				tx, ok = input.Set(&tx, &p, *by), true
			}
		}
		s = s.WithTx(i, tx)
	}
	return s, ok
}

// reach runs all but the last Tx of s from the deployment; as in examine,
// those that fail leave no trace.
func (j *judge) reach(s input.Sequence) (exec.State, bool) {
	at := j.start
	for i := range s.Txs[:len(s.Txs)-1] {
		next, outcome := j.executor.Transact(at, &s.Txs[i], nil, nil)
		if outcome.Halt == evm.ErrCancelled {
			return at, false
		}
		if outcome.Status == evm.Success {
			at = next
		}
	}
	return at, true
}

// retrace runs one Tx in a block that may be changed.
func (j *judge) retrace(at exec.State, tx *input.Tx, change func(*evm.BlockContext), jump oracle.Site) *oracle.TxSummary {
	tracer := oracle.NewTracer(jump)
	block := at.Changed(tx, change)
	world := at.World.Fork()
	if tx.Script != nil {
		exec.WriteScript(world, tx.Script)
	}
	j.executor.Machine.Execute(world, block, evm.TxCall(tx, tx.Calldata()), tracer.Hooks())
	return &tracer.TxSummary
}
