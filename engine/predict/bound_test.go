package predict

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// large is an execution with many words, many comparisons and long preimages.
func large(t *testing.T) *Observation {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 0))
	f, err := input.ParseSignature("f(uint256[4000])")
	if err != nil {
		t.Fatal(err)
	}
	o := &Observation{Preimage: func(common.Hash) ([]byte, bool) { return make([]byte, 1<<20), true }}
	for range 4 {
		o.Sequence.Txs = append(o.Sequence.Txs, input.RandomTx(r, f, input.User1.Address(), nil))
	}
	for i := range 2000 {
		o.Comparisons = append(o.Comparisons, Comparison{Left: *uint256.NewInt(uint64(i)), Right: *uint256.NewInt(uint64(i * i))})
	}
	return o
}

// Extend bounds its work, in what it looks at, whatever the execution.
func TestExtendIsBounded(t *testing.T) {
	o := large(t)
	proposals := 0
	for range New(nil).Extend(o) {
		proposals++
	}
	if proposals == 0 || o.work < maxWork/2 {
		t.Errorf("%d proposals, %d of %d work: this execution is not large", proposals, o.work, maxWork)
	}
	// Once the work is spent every attempt still counts what it would take.
	if most := proposals * o.size; most > maxWork {
		t.Errorf("%d proposals of %d words", proposals, o.size)
	}
}

// Extend stops when it is told to, and proposes nothing that nobody asks for.
func TestExtendStops(t *testing.T) {
	o := large(t)
	for range New(nil).Extend(o) {
		break
	}
	if all := len(o.located) * len(Extensions) * 4; o.work > all {
		t.Errorf("%d work for one proposal", o.work)
	}
	o.Stop = func() bool { return true }
	if list := slices.Collect(New(nil).Extend(o)); len(list) > 0 {
		t.Errorf("%d proposals after the end", len(list))
	}
}
