package evm

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// edges are words at which arithmetic goes wrong if it does.
func edges() []uint256.Int {
	var words []uint256.Int
	for _, n := range []uint{0, 1, 2, 7, 8, 31, 32, 64, 128, 160, 255, 256} {
		power := new(big.Int).Lsh(big.NewInt(1), n)
		for _, d := range []int64{-1, 0, 1} {
			word, _ := uint256.FromBig(new(big.Int).Add(power, big.NewInt(d)))
			words = append(words, *word)
		}
	}
	return words
}

// TestFoldAgreesWithBigIntegers checks the order of the operands and the
// encoding; what the opcodes compute is go-ethereum's.
func TestFoldAgreesWithBigIntegers(t *testing.T) {
	trusted := map[vm.OpCode]func(x, y *big.Int) *big.Int{
		vm.ADD: func(x, y *big.Int) *big.Int { return x.Add(x, y) },
		vm.SUB: func(x, y *big.Int) *big.Int { return x.Sub(x, y) },
		vm.MUL: func(x, y *big.Int) *big.Int { return x.Mul(x, y) },
		vm.LT:  func(x, y *big.Int) *big.Int { return big.NewInt(int64(max(0, -x.Cmp(y)))) },
		vm.DIV: func(x, y *big.Int) *big.Int {
			if y.Sign() == 0 {
				return y
			}
			return x.Div(x, y)
		},
	}
	f := NewFolder()
	for op, trust := range trusted {
		for _, x := range edges() {
			for _, y := range edges() {
				got, ok := f.Fold(byte(op), x, y)
				want, _ := uint256.FromBig(trust(x.ToBig(), y.ToBig()))
				if !ok || got != *want {
					t.Fatalf("%v %v %v: got %v, want %v", &x, op, &y, &got, want)
				}
			}
		}
	}
}

func TestFoldRefusesWhatIsNoComputation(t *testing.T) {
	f := NewFolder()
	for op := range 256 {
		n, known := Folds(byte(op))
		args := make([]uint256.Int, n)
		if _, ok := f.Fold(byte(op), args...); ok != known {
			t.Errorf("%v: folded %v, known %v", vm.OpCode(op), ok, known)
		}
	}
	if _, ok := f.Fold(byte(vm.ADD), uint256.Int{}); ok {
		t.Error("ADD of one word")
	}
}

func BenchmarkFold(b *testing.B) {
	f := NewFolder()
	x, y := *uint256.NewInt(3), *uint256.NewInt(4)
	b.ReportAllocs()
	for b.Loop() {
		f.Fold(byte(vm.ADD), x, y)
	}
}
