package shadow

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

// TestSolve checks Solve against the definition of a Flow.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	word := func() uint256.Int { return uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()} }
	for range 2000 {
		f := Flow{Bits: 8 * (1 + r.IntN(32)), Scale: word(), Offset: word()}
		f.Shift = r.IntN(257 - f.Bits)
		f.Scale.Lsh(&f.Scale, uint(r.IntN(4)))
		want := word()
		window := ones(0, f.Bits)
		want.And(&want, &window)
		target := f.term(&want)
		target.Add(&target, &f.Offset)
		got, ok := f.Solve(&target)
		if !ok {
			t.Fatalf("no solution of %+v for %s though %s is one", f, target.Hex(), want.Hex())
		}
		if back := f.term(&got); !back.Add(&back, &f.Offset).Eq(&target) || got.BitLen() > f.Bits {
			t.Fatalf("%s does not solve %+v for %s", got.Hex(), f, target.Hex())
		}
	}
}

// TestSubstitution solves the Flows of the operands of equalities and other
// comparisons for the other operand, and demands that the operands are then
// equal.
func TestSubstitution(t *testing.T) {
	for _, c := range contracts(t) {
		tried, hit, lost := 0, 0, 0
		s := deploy(t, c.code(), nil)
		s.machine.Steps = 5000
		o, again := New(NewState()), New(NewState())
		for _, call := range callsOf(t, &c) {
			o.Attach(NewState())
			s.call(call.data, call.wei, o.Hooks())
			for i := range o.Branches {
				d := &o.Branches[i]
				for l := range d.Condition.Leaves {
					if l.Form != Compare || l.mask != nil || l.right != nil {
						continue
					}
					for side, operand := range [2]Word{l.Left, l.Right} {
						target := [2]uint256.Int{l.R, l.L}[side]
						for _, f := range operand.Flows() {
							data, ok := substitute(o, call.data, &f, &target, [2]Word{l.Right, l.Left}[side])
							if !ok {
								continue
							}
							tried++
							switch s.equalAt(again, data, call.wei, l.Place) {
							case 1:
								hit++
							case -1:
								lost++
							}
						}
					}
				}
			}
		}
		t.Logf("%-24s %d substitutions, %d made the operands equal, %d took another way before", c.name(), tried, hit, lost)
		if hit+lost < tried*95/100 || hit < tried*4/5 {
			t.Errorf("%s: of %d substitutions %d made the operands equal, %d took another way before", c.name(), tried, hit, lost)
		}
	}
}

// substitute writes into calldata what makes the word of a Flow target.
func substitute(o *Observer, data []byte, f *Flow, target *uint256.Int, other Word) ([]byte, bool) {
	if f.Source.Kind != FromCalldata || f.Source.Offset < 4 || o.Sets().Has(other.Sources(), f.Source) {
		return nil, false
	}
	value, ok := f.Solve(target)
	at := int(f.Source.Offset)
	if !ok || at+32 > len(data) {
		return nil, false
	}
	var w, window uint256.Int
	w.SetBytes32(data[at : at+32])
	window = ones(f.Low, f.Bits)
	window.Not(&window)
	w.And(&w, &window)
	value.Lsh(&value, uint(f.Low))
	w.Or(&w, &value)
	out := append([]byte{}, data...)
	w.WriteToSlice(out[at : at+32])
	return out, true
}

// equalAt runs a call and returns whether a comparison at place has equal
// operands: 1 yes, 0 no, -1 it did not run.
func (s *stage) equalAt(o *Observer, data []byte, wei uint64, place OperandPlace) int {
	o.Attach(NewState())
	s.call(data, wei, o.Hooks())
	found := -1
	for _, d := range o.Branches {
		for l := range d.Condition.Leaves {
			if l.Form == Compare && l.Place == place {
				found = max(found, 0)
				if l.L.Eq(&l.R) {
					return 1
				}
			}
		}
	}
	return found
}

// TestStoredFlow asks in one transaction for what an earlier one stored,
// packed with other things.
func TestStoredFlow(t *testing.T) {
	for _, c := range named(t, "Flows") {
		s := deploy(t, c.code(), nil)
		o := New(NewState())
		s.must(t, c.pack(t, "pack", []any{500, 0x1234}), o)
		s.must(t, c.pack(t, "amountIs", []any{1000}), o)
		found := false
		for _, d := range o.Branches {
			for l := range d.Condition.Leaves {
				if l.Form != Compare || l.L.Uint64() != 1507 && l.R.Uint64() != 1507 {
					continue
				}
				operand := l.Left
				if l.R.Uint64() == 1507 {
					operand = l.Right
				}
				for _, f := range operand.Flows() {
					if f.Source == (TaintSource{Kind: FromCalldata, Tx: 0, Offset: 4}) {
						v, ok := f.Solve(uint256.NewInt(1000))
						found = ok && v.Uint64() == 331
					}
				}
				if set := o.Sets(); set.HasKind(operand.Sources(), FromTimestamp) || !set.HasKind(operand.Sources(), FromStorage) {
					t.Errorf("%s: amount comes from %v", c.name(), set.Sources(operand.Sources()))
				}
			}
		}
		if !found {
			t.Errorf("%s: the stored amount's way from the earlier transaction is lost\n%s", c.name(), decisions(o))
		}
	}
}

func (s *stage) must(t *testing.T, data []byte, o *Observer) {
	t.Helper()
	c := context{block: now, call: (&namedCall{data: data}).call(s)}
	if out := s.machine.Execute(s.world, c.block, c.call, o.Hooks()); out.Status != 0 {
		t.Fatalf("call fails: %v %x", out.Halt, out.Return)
	}
}
