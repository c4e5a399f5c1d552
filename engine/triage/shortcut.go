package triage

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/replay"
)

// Limits of looking for shortcuts: states that are gone on from, calls in each.
const (
	maxShortcutStates = 128
	maxShortcutCalls  = 16
)

// shortcuts looks for a shorter way to the last transaction of a witness: a
// breadth-first search over the states that calls of the original sequence lead
// to. Two states are one if they agree in what the witness changes; if that leads
// nowhere, balances and delays count as well.
type shortcuts struct {
	witness *witness
	last    input.Tx
	longest int // transactions of a way, without the last one
	calls   []input.Tx
	matters map[evm.Slot]bool // that the witness changes; balances and codes have balanceKey and codeKey
	exact   bool              // balances and delays count
	seen    map[uint64]bool
	queue   []way
	next    int // index of the call to try from the first way
}

// A way is a sequence of calls with the states before and after each.
type way struct {
	txs    []input.Tx
	states []reachedState
}

// Keys that stand for what an account has besides storage. No program writes them.
var (
	balanceKey = common.MaxHash
	codeKey    = common.BytesToHash(slices.Concat(common.MaxHash[:31], []byte{0xfe}))
)

// newShortcuts starts to look for a shorter way than the best sequence of a
// witness; nil if there can be none.
func newShortcuts(w *witness, exact bool) *shortcuts {
	best := w.shrinking.Best()
	if len(best.Txs) < 3 || w.states == nil || w.whole() {
		return nil
	}
	s := &shortcuts{
		witness: w, last: *best.Last(), longest: len(best.Txs) - 2, exact: exact,
		calls: callsOf(best, w.original), matters: map[evm.Slot]bool{}, seen: map[uint64]bool{},
	}
	for i := range best.Txs[:len(best.Txs)-1] {
		for slot := range changes(w.states[i].World, w.states[i+1].World) {
			s.matters[slot] = true
		}
	}
	start := way{states: w.states[:1:1]}
	s.seen[s.digest(&start)] = true
	s.queue = []way{start}
	return s
}

// callsOf lists different calls: those of the shrunk sequence, then one of each
// function of the original one.
func callsOf(best, original input.Sequence) (list []input.Tx) {
	add := func(txs []input.Tx, known func(a, b *input.Tx) bool) {
		for i := range txs {
			tx := &txs[i]
			if len(list) < maxShortcutCalls && !slices.ContainsFunc(list, func(other input.Tx) bool { return known(&other, tx) }) {
				list = append(list, *tx)
			}
		}
	}
	add(best.Txs[:len(best.Txs)-1], func(a, b *input.Tx) bool { return a.Equal(b) })
	add(original.Txs[:len(original.Txs)-1], func(a, b *input.Tx) bool {
		return a.To == b.To && a.Function == b.Function && a.Value.IsZero() == b.Value.IsZero()
	})
	return list
}

// step executes one call from the first way; false if there is nothing left to try.
// It returns the shorter sequence that shows the verdict, if it leads to one.
func (s *shortcuts) step() (found []input.Tx, more bool) {
	if len(s.queue) == 0 || len(s.seen) > maxShortcutStates {
		return nil, false
	}
	w, from := s.witness, s.queue[0]
	tx := s.calls[s.next]
	at := from.states[len(from.states)-1]
	next, outcome := w.run.transact(at.State, &tx, nil)
	if w.run.cancelled {
		return nil, true
	}
	if s.next++; s.next == len(s.calls) {
		s.next, s.queue = 0, s.queue[1:]
	}
	if outcome.Status != evm.Success {
		return nil, true
	}
	after := reachedState{next, w.checker.properties.next(at.run, &tx, &outcome, next.World)}
	to := way{append(slices.Clone(from.txs), tx), append(slices.Clone(from.states), after)}
	digest := s.digest(&to)
	if s.seen[digest] {
		return nil, true
	}
	s.seen[digest] = true
	if txs := append(slices.Clone(to.txs), s.last); s.shows(&to, txs) {
		return txs, true
	}
	if len(to.txs) < s.longest {
		s.queue = append(s.queue, to)
	}
	return nil, true
}

// shows reports whether the last transaction shows the verdict after a way.
func (s *shortcuts) shows(after *way, txs []input.Tx) bool {
	w := s.witness
	before := w.states
	w.states = after.states
	shown := w.shows(replay.Attempt{Sequence: input.Sequence{Deployment: w.original.Deployment, Txs: txs}, First: len(txs) - 1})
	if w.states = before; w.run.cancelled {
		return false
	}
	return shown
}

// digest distinguishes states by what matters.
func (s *shortcuts) digest(of *way) uint64 {
	digest := input.NoTxs
	last := &of.states[len(of.states)-1]
	for _, d := range last.World.Diff(s.witness.run.start.World) {
		if s.exact && s.matters[evm.Slot{Address: d.Address, Key: balanceKey}] {
			digest = input.DigestWords(digest, common.BytesToHash(d.Address[:]), d.Balance[1].Bytes32())
		}
		for _, word := range d.Storage {
			if s.matters[evm.Slot{Address: d.Address, Key: word.Key}] {
				digest = input.DigestWords(digest, common.BytesToHash(d.Address[:]), word.Key, word.After)
			}
		}
		if d.CodeChanged && s.matters[evm.Slot{Address: d.Address, Key: codeKey}] {
			digest = input.DigestWords(digest, common.BytesToHash(d.Address[:]), codeKey)
		}
	}
	if s.exact {
		for i := range of.txs {
			digest += of.txs[i].Delay.Seconds + of.txs[i].Delay.Blocks<<32
		}
	}
	return digest
}

// changes returns what differs between two worlds. What senders have without code
// does not count.
func changes(before, after *evm.World) map[evm.Slot]bool {
	all := map[evm.Slot]bool{}
	for _, d := range after.Diff(before) {
		if _, actor := input.ActorOf(d.Address); !actor && d.Balance[0] != d.Balance[1] && after.Code(d.Address) != nil {
			all[evm.Slot{Address: d.Address, Key: balanceKey}] = true
		}
		if d.CodeChanged {
			all[evm.Slot{Address: d.Address, Key: codeKey}] = true
		}
		for _, word := range d.Storage {
			all[evm.Slot{Address: d.Address, Key: word.Key}] = true
		}
	}
	return all
}

// withoutLoops returns a sequence, with known states and digests of their worlds, without
// the calls that lead back to where they start: those that revert, those without an effect,
// and, if far is set, detours. What follows stays in its block.
func withoutLoops(s input.Sequence, states []reachedState, digests []uint64, far bool) input.Sequence {
	var txs, skipped []input.Tx
	for i := 0; i < len(s.Txs); i++ {
		end := i + 1 // of the loop
		if end < len(digests) && digests[end] != digests[i] {
			end = i
		}
		for k := i + 2; far && k < len(digests); k++ {
			if digests[k] == digests[i] {
				end = k
			}
		}
		if i == len(s.Txs)-1 || end == i {
			txs, skipped = append(txs, s.Txs[i].After(skipped)), nil
			continue
		}
		for ; i < end; i++ {
			if states[i].World != states[i+1].World { // else it reverted, and no block was made
				skipped = append(skipped, s.Txs[i])
			}
		}
		i--
	}
	return input.Sequence{Deployment: s.Deployment, Txs: txs}
}

// worldDigests distinguishes the worlds that transactions led to, by how each differs from
// the first, but for what actors own. A digest is the sum of a hash for each difference, so
// that one follows from another by what changed between them.
func worldDigests(states []reachedState) []uint64 {
	digests := make([]uint64, len(states))
	start := states[0].World
	for i := 1; i < len(states); i++ {
		digests[i] = digests[i-1]
		before, after := states[i-1].World, states[i].World
		if before == after {
			continue
		}
		for _, d := range after.Diff(before) {
			digests[i] += accountDigest(start, after, d.Address) - accountDigest(start, before, d.Address)
			address := common.BytesToHash(d.Address[:])
			for _, word := range d.Storage {
				first := start.Storage(d.Address, word.Key)
				if word.Before != first {
					digests[i] -= input.DigestWords(input.NoTxs, address, word.Key, word.Before)
				}
				if word.After != first {
					digests[i] += input.DigestWords(input.NoTxs, address, word.Key, word.After)
				}
			}
		}
	}
	return digests
}

// accountDigest distinguishes an account from that at the start by its code, and by what it
// owns if it has code; 0 if they agree.
func accountDigest(start, w *evm.World, at common.Address) (digest uint64) {
	address := common.BytesToHash(at[:])
	if code := w.Code(at); code != start.Code(at) {
		digest += input.DigestWords(input.NoTxs, address, codeKey)
	}
	if _, actor := input.ActorOf(at); actor || w.Code(at) == nil {
		return digest
	}
	balance, nonce := w.Balance(at), w.Nonce(at)
	if balance != start.Balance(at) || nonce != start.Nonce(at) {
		digest += input.DigestWords(input.NoTxs, address, balance.Bytes32(), uint256.NewInt(nonce).Bytes32())
	}
	return digest
}
