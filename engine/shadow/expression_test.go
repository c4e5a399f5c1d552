package shadow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestCompute compares Compute with the machine for every pure instruction.
func TestCompute(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	machine, world, at := evm.NewMachine(), evm.NewWorld(evm.NewCodes()), common.Address{19: 0x77}
	computed := 0
	for op := range bytecode.Ops {
		info := bytecode.Ops[op]
		if !info.Pure || info.Name == "" {
			continue
		}
		for range 60 {
			var words [3]uint256.Int
			var code []byte
			for i := range words {
				words[i] = edges[r.IntN(len(edges))]
				if r.IntN(2) == 0 {
					words[i] = uint256.Int{r.Uint64() >> r.IntN(64), 0, r.Uint64() * uint64(r.IntN(2)), 0}
				}
			}
			for i := range words {
				b := words[2-i].Bytes32()
				code = append(append(code, bytecode.PUSH32), b[:]...)
			}
			code = append(code, byte(op), bytecode.PUSH0, bytecode.MSTORE, bytecode.PUSH1, 32, bytecode.PUSH0, bytecode.RETURN)
			world.SetCode(at, code)
			out := machine.Execute(world.Fork(), now, evm.Call{From: sender, To: at}, nil)
			if out.Status != evm.Success {
				continue // not an instruction of this fork
			}
			var have, want uint256.Int
			want.SetBytes(out.Return)
			if !Compute(&have, byte(op), &words[0], &words[1], &words[2]) || have != want {
				t.Fatalf("%s(%s, %s, %s) is %s, computed as %s", info.Name, words[0].Hex(), words[1].Hex(), words[2].Hex(), want.Hex(), have.Hex())
			}
			if Compute(&words[0], byte(op), &words[0], &words[1], &words[2]); words[0] != want {
				t.Fatalf("%s in place of its operand is %s, not %s", info.Name, words[0].Hex(), want.Hex())
			}
			computed++
		}
	}
	if computed < 1000 {
		t.Errorf("only %d results were compared", computed)
	}
}

// A valuation evaluates Expressions slowly, with some inputs changed.
type valuation struct {
	x      *Expressions
	inputs map[TaintSource]uint256.Int
	known  map[Expr]uint256.Int
}

func (v *valuation) of(e Expr) uint256.Int {
	if w, ok := v.known[e]; ok {
		return w
	}
	n := &v.x.Nodes[e]
	w := n.Value
	switch n.Op {
	case OpConst:
	case OpInput:
		if changed, ok := v.inputs[n.Source]; ok {
			w = changed
		}
	case OpFrozen:
		w = v.of(n.A)
	default:
		a, b, c := v.of(n.A), v.of(n.B), v.of(n.C)
		Compute(&w, n.Op, &a, &b, &c)
	}
	v.known[e] = w
	return w
}

// frozen reports whether an Expression is unknown if a source changes.
func (v *valuation) frozen(e Expr, by TaintSource, sets *Sets) bool {
	n := &v.x.Nodes[e]
	switch n.Op {
	case OpConst, OpInput:
		return false
	case OpFrozen:
		return sets.Has(n.Pins, by) || v.frozen(n.A, by, sets)
	}
	return v.frozen(n.A, by, sets) || v.frozen(n.B, by, sets) || v.frozen(n.C, by, sets)
}

// compare makes calls twice, the second time with one word of the calldata of
// call number which changed, and compares the conditions of the last call with
// what the Expressions of the first time say. stored counts those that changed
// through storage.
func (s *stage) compare(o, again *Observer, calls [][]byte, which, word int, value uint256.Int) (compared, stored int, err error) {
	run := func(o *Observer, calls [][]byte) {
		o.Attach(NewState())
		o.state.Expressions = NewExpressions()
		world := s.world.Fork()
		for _, data := range calls {
			s.machine.Execute(world, now, evm.Call{From: sender, To: s.at, Data: data}, o.Hooks())
		}
	}
	run(o, calls)
	changed := append([][]byte{}, calls...)
	changed[which] = append([]byte{}, calls[which]...)
	b := value.Bytes32()
	copy(changed[which][4+32*word:], b[:])
	run(again, changed)
	source := TaintSource{Kind: FromCalldata, Tx: which, Offset: uint64(4 + 32*word)}
	v := &valuation{x: o.state.Expressions, inputs: map[TaintSource]uint256.Int{source: value}, known: map[Expr]uint256.Int{}}
	for c := range o.Path(len(o.log)) {
		if c.Tx < len(calls)-1 {
			if w := v.of(c.Word); v.frozen(c.Word, source, o.Sets()) || w.IsZero() == c.Taken {
				return compared, stored, nil // the second run took another way before the last call
			}
		}
	}
	for i := 1; i < min(len(o.log), len(again.log)); i++ {
		was, is := o.log[i], again.log[i]
		if was.pc != is.pc {
			return compared, stored, nil
		}
		e := o.translator.express(was.cond)
		if v.frozen(e, source, o.Sets()) {
			return compared, stored, nil
		}
		have, want := v.of(e), again.g.nodes[is.cond].val
		if compared++; have != want {
			return compared, stored, fmt.Errorf("the condition at %d is %s, by its expression %s", was.pc, want.Hex(), have.Hex())
		}
		if which < len(calls)-1 && have != o.g.nodes[was.cond].val {
			stored++
		}
		if was.taken != is.taken {
			return compared, stored, nil
		}
	}
	return compared, stored, nil
}

// TestExpressions changes words of calldata, and demands that the Expressions of
// the conditions before have the values that the machine has after, up to where
// the ways part.
func TestExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for _, name := range []string{"Conditions", "Flows"} {
		for _, c := range named(t, name) {
			s := deploy(t, c.code(), nil)
			s.machine.Steps = 20000
			o, again := New(NewState()), New(NewState())
			total, throughStorage := 0, 0
			for _, calls := range expressed(t, &c) {
				for range 4 {
					which := r.IntN(len(calls))
					if len(calls[which]) < 36 {
						continue
					}
					value := edges[r.IntN(len(edges))]
					if r.IntN(3) > 0 {
						value.SetUint64(uint64(r.IntN(60)))
					}
					n, m, err := s.compare(o, again, calls, which, r.IntN((len(calls[which])-4)/32), value)
					if err != nil {
						t.Fatalf("%s: %x, call %d: %v", c.name(), calls, which, err)
					}
					total, throughStorage = total+n, throughStorage+m
				}
			}
			if total < 100 || name == "Flows" && throughStorage < 5 {
				t.Errorf("%s %s: %d conditions were compared, %d changed through storage", c.name(), name, total, throughStorage)
			}
		}
	}
}

// expressed lists sequences of calls.
func expressed(t *testing.T, c *compiled) (list [][][]byte) {
	if c.Contract == "Conditions" {
		for _, row := range conditions {
			list = append(list, [][]byte{c.pack(t, row.method, row.args)})
		}
		return list
	}
	pack := func(name string, args ...any) []byte { return c.pack(t, name, args) }
	for range 12 {
		list = append(list,
			[][]byte{pack("pack", 77, 0x42), pack("amountIs", 238)},
			[][]byte{pack("pack", 77, 0x42), pack("nested", 3, 40, 50), pack("nested", 3, 90, 51)},
			[][]byte{pack("copies", "some text of more than thirty-two bytes, so that it has two words", []int{1, 2, 3}, "x")},
			[][]byte{pack("quoted", 7, "note"), pack("nested", 1, 1, 1)},
		)
	}
	return list
}
