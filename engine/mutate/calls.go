package mutate

import (
	"math/rand/v2"
	"slices"

	"leveret/engine/input"
)

// pruneCall removes a Tx, never the only one.
func pruneCall(r *rand.Rand, _ *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	if len(s.Txs) < 2 {
		return s, Diff{}, false
	}
	i := r.IntN(len(s.Txs))
	child := s.Without(i)
	return child, Diff{Tx: min(i, len(child.Txs)-1), First: min(i, len(child.Txs)-1), Shape: true}, true
}

// addCall inserts a random call, usually before the last Tx.
func addCall(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	if len(s.Txs) >= env.MaxTxs || len(env.Targets) == 0 {
		return s, Diff{}, false
	}
	t := env.Targets[r.IntN(len(env.Targets))]
	i := max(0, len(s.Txs)-1)
	if r.IntN(3) == 0 {
		i = r.IntN(len(s.Txs) + 1)
	}
	child := s.Insert(i, input.RandomTx(r, t.Function, t.To, env.Pool(t.Function)))
	return child, Diff{Tx: i, First: i, Shape: true}, true
}

// duplicateCall repeats a Tx right after itself.
func duplicateCall(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	if len(s.Txs) == 0 || len(s.Txs) >= env.MaxTxs {
		return s, Diff{}, false
	}
	i := r.IntN(len(s.Txs))
	return s.Insert(i, s.Txs[i]), Diff{Tx: i, First: i + 1, Shape: true}, true
}

// swapCalls exchanges two Txs.
func swapCalls(r *rand.Rand, _ *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	if len(s.Txs) < 2 {
		return s, Diff{}, false
	}
	i, j := r.IntN(len(s.Txs)), r.IntN(len(s.Txs)-1)
	if j >= i {
		j++
	}
	s.Txs = slices.Clone(s.Txs)
	s.Txs[i], s.Txs[j] = s.Txs[j], s.Txs[i]
	return s, Diff{Tx: max(i, j), First: min(i, j), Shape: true}, true
}

// crossover appends a tail of the donor to a head of s.
func crossover(r *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
	if env.Donor == nil || env.MaxTxs < 2 || len(s.Txs) == 0 {
		return s, Diff{}, false
	}
	donor, ok := env.Donor(r)
	if !ok {
		return s, Diff{}, false
	}
	child, _, cut, ok := crossoverOf(r, s, donor, env.MaxTxs)
	return child, Diff{Tx: cut, First: cut, Shape: true}, ok
}

// crossoverOf cuts two Sequences and swaps their tails [sFuzz, section 3.3].
// Each child has the deployment and first Txs of its head; cut is the index
// where the first child leaves a. It returns false if no cut gives children
// that are new, not empty and at most maxTxs long.
func crossoverOf(r *rand.Rand, a, b input.Sequence, maxTxs int) (ab, ba input.Sequence, cut int, ok bool) {
	for range 8 {
		i, j := r.IntN(len(a.Txs)+1), r.IntN(len(b.Txs)+1)
		n, m := i+len(b.Txs)-j, j+len(a.Txs)-i
		pointless := i == 0 && j == 0 || i == len(a.Txs) && j == len(b.Txs)
		if pointless || n == 0 || m == 0 || n > maxTxs || m > maxTxs {
			continue
		}
		return a.Splice(i, b.Txs[j:]), b.Splice(j, a.Txs[i:]), min(i, n-1), true
	}
	return a, b, 0, false
}
