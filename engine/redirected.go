package engine

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// redirected makes inputs in which somebody answers a call that nobody answered, where the
// transaction failed behind it: in place of an account without code, the arguments of the
// sequence name the attacker contract, or a contract that has the called function.
type redirected struct {
	search  *search.Search
	origin  *search.Origin
	queue   search.Queue
	asked   int                   // times for an input, while some waited
	learned map[demand.Callee]int // paths
}

// Bounds of redirected: the arguments of a sequence that it replaces, the contracts of the
// deployment that it puts there, the inputs that wait, how many inputs there are for one of
// them, the paths of a function that it learns from, and how many inputs there are for one
// more.
const (
	maxRedirected = 4
	maxAnswering  = 2
	maxUnanswered = 256
	redirectEvery = 4
	runsPerCallee = 8
	extraRunEvery = 1024
)

// Learn queues inputs for a new path.
func (d *redirected) Learn(r *search.Result) {
	if !r.NewPath || !r.Real() || r.Succeeded() || !r.Run.Unanswered || r.Irrelevant {
		return
	}
	callee := demand.CalleeOf(r.Sequence.Last())
	if d.learned[callee] >= runsPerCallee+d.search.Progress.Inputs/extraRunEvery {
		return
	}
	d.learned[callee]++
	answering := d.answering(r.Run.Unheard)
	left := maxRedirected
	for i := range slices.Backward(r.Sequence.Txs) {
		tx := &r.Sequence.Txs[i]
		for _, p := range input.Parameters(tx) {
			w := input.Get(tx, &p)
			if p.Kind != input.ParamArg || p.Of.Kind != input.KindAddress || w.Bytes20() != r.Run.Vacant {
				continue
			}
			for _, address := range answering {
				d.add(r, r.Sequence.WithTx(i, input.Set(tx, &p, *new(uint256.Int).SetBytes20(address[:]))), i)
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// add queues a sequence whose ith transaction differs from that of a result.
func (d *redirected) add(r *search.Result, s input.Sequence, i int) {
	if d.queue.Len() >= maxUnanswered {
		return
	}
	s, hashed := input.Rehashed(r.Sequence, s, i, d.search.Generator.Demand.Preimages.Input)
	if d.search.Generator.Propose(s) {
		next := d.search.Corpus.Child(d.search.Corpus.EntryOf(r), s, mutate.Diff{Tx: i, First: i})
		next.Origin, next.Hashed = d.origin, hashed
		d.queue.Add(next)
	}
}

// answering lists who may answer calls of a function.
func (d *redirected) answering(selector [4]byte) []common.Address {
	list := []common.Address{input.Attacker.Address()}
	subject := d.search.Subject
	for _, c := range subject.Deployment.Contracts {
		has := func(f *input.Function) bool { return f.Selector == selector }
		if len(list) <= maxAnswering && slices.ContainsFunc(subject.Program.ABI(c.Contract).Functions, has) {
			list = append(list, c.Address)
		}
	}
	return list
}

// Next returns an input that waits, one time in so many.
func (d *redirected) Next() *search.Candidate {
	if d.queue.Len() == 0 {
		return nil
	}
	if d.asked++; d.asked%redirectEvery > 0 {
		return nil
	}
	return d.queue.Take()
}
