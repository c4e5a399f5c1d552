package conditions

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// holds is the condition of each kind, on integers or data.
var holds = [len(kinds)]func(signed []*big.Int, a, b *input.Value) bool{
	isTruth:         func(n []*big.Int, _, _ *input.Value) bool { return n[0].Sign() != 0 },
	isEqual:         func(n []*big.Int, _, _ *input.Value) bool { return n[0].Cmp(n[1]) == 0 },
	isLess:          func(n []*big.Int, _, _ *input.Value) bool { return n[0].Cmp(n[1]) < 0 },
	isGreater:       func(n []*big.Int, _, _ *input.Value) bool { return n[0].Cmp(n[1]) > 0 },
	isSignedLess:    func(n []*big.Int, _, _ *input.Value) bool { return n[0].Cmp(n[1]) < 0 },
	isSignedGreater: func(n []*big.Int, _, _ *input.Value) bool { return n[0].Cmp(n[1]) > 0 },
	isEqualBytes:    func(_ []*big.Int, a, b *input.Value) bool { return a.Equal(b) },
	isEqualLists:    func(_ []*big.Int, a, b *input.Value) bool { return a.Equal(b) },
	isFar:           isFarther,
	isSignedFar:     isFarther,
	isFarRelative:   isFartherRelative, isSignedFarRelative: isFartherRelative,
}

func isFarther(n []*big.Int, _, _ *input.Value) bool {
	d := new(big.Int).Sub(n[0], n[1])
	return d.Abs(d).Cmp(n[2]) > 0
}

func isFartherRelative(n []*big.Int, _, _ *input.Value) bool {
	d := new(big.Int).Sub(n[0], n[1])
	d.Mul(d.Abs(d), big.NewInt(1e18))
	return d.Div(d, n[1]).Cmp(n[2]) > 0
}

// The code of each cheatcode decides as its condition, on random arguments that
// are close to each other.
func TestCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, row := range rows {
		for _, of := range row.types {
			types := []string{of, of, row.also}
			if of == "" {
				types = []string{row.also}
			}
			f, err := input.ParseSignature("f(" + strings.Trim(strings.Join(types, ","), ",") + ")")
			if err != nil {
				t.Fatal(err)
			}
			outcomes := map[bool]int{}
			for range 200 {
				args := arguments(r, f)
				var numbers []*big.Int
				for i := range args {
					numbers = append(numbers, args[i].Type.WordType().Integer(&args[i].Word))
				}
				got := decide(t, row.kind, (&input.Tx{Function: f, Args: args}).Calldata())
				if want := holds[row.kind](numbers, &args[0], &args[len(args)-1]); got != want {
					t.Fatalf("%s%v: %t", row.name, args, got)
				}
				outcomes[got]++
			}
			if outcomes[true] < 3 || outcomes[false] < 3 {
				t.Errorf("%s of %s: %v", row.name, of, outcomes)
			}
		}
	}
}

// arguments draws small ones: unsigned, or of both signs; not zero.
func arguments(r *rand.Rand, f *input.Function) []input.Value {
	args := make([]input.Value, len(f.Inputs))
	for i := range args {
		v := input.Zero(f.Inputs[i].Type)
		small := func(t *input.Type) uint256.Int {
			w := *uint256.NewInt(1 + r.Uint64N(3))
			if t.Kind == input.KindInt && r.IntN(2) == 0 {
				w.Neg(&w)
			}
			if t.Kind == input.KindBool {
				w = *uint256.NewInt(r.Uint64N(2))
			}
			if t.Kind == input.KindFixedBytes {
				w.Lsh(&w, 248)
			}
			return w
		}
		switch t := f.Inputs[i].Type; t.Kind {
		case input.KindString, input.KindBytes:
			v.Data = bytes.Repeat([]byte{'a'}, r.IntN(3)*20)
		case input.KindSlice:
			for range r.IntN(3) {
				v.Elems = append(v.Elems, input.NewWord(t.Elem, new(uint256.Int).Set(ref(small(t.Elem)))))
			}
		default:
			v.Word = small(t)
			if i == 2 && r.IntN(2) == 0 {
				v.Word.Mul(&v.Word, uint256.NewInt(333_333_333_333_333_333))
			}
		}
		args[i] = v
	}
	return args
}

func ref(w uint256.Int) *uint256.Int { return &w }

// decide runs the code of a kind and returns the last condition that it branches
// by.
func decide(t *testing.T, kind int, data []byte) (condition bool) {
	t.Helper()
	w := evm.NewWorld(evm.NewCodes())
	to := addressOf(uint16(kind) * sites)
	w.SetCode(to, program(0, kinds[kind]))
	hooks := &evm.Hooks{Ops: []byte{bytecode.JUMPI}, Step: func(s *evm.Step) { condition = !s.Top(1).IsZero() }}
	out := evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{To: to, Data: data}, hooks)
	if out.Status != evm.Success || len(out.Return) > 0 {
		t.Fatalf("kind %d: %+v", kind, out)
	}
	return condition
}

// Calls have code of their own, as long as there is some.
func TestSites(t *testing.T) {
	s := NewSites()
	seen := map[common.Address]bool{}
	for pc := range uint64(sites) {
		seen[s.at(3, pc, isLess)] = true
	}
	if len(seen) != sites {
		t.Errorf("%d codes of %d calls", len(seen), sites)
	}
	if again := s.at(3, 7, isLess); !seen[again] || again != s.at(3, 7, isLess) {
		t.Error("a call changes its code")
	}
	if a := s.at(3, sites, isLess); !seen[a] || !Is(a) {
		t.Errorf("the next call has %s", a)
	}
	if Is(common.Address{}) || s.at(4, 7, isGreater) == s.at(4, 7, isLess) {
		t.Error("kinds share codes")
	}
	codes := map[string]bool{}
	for n := range uint16(sites) {
		codes[fmt.Sprintf("%x", program(n, kinds[isTruth]))] = true
	}
	if len(codes) != sites {
		t.Error("sites share a code")
	}
}
