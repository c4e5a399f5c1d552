package shadow

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/holiman/uint256"
)

// watch runs an Observer and demands before every instruction that its mirror
// holds what the machine holds, within the bounds it knows.
type watch struct {
	o      *Observer
	steps  int
	failed error
}

func (w *watch) hooks() *evm.Hooks {
	h := w.o.Hooks()
	step := h.Step
	h.Step = func(s *evm.Step) {
		if w.failed == nil && !w.o.Truncated {
			w.o.finish(w.o.top(), s)
			w.failed = w.compare(s)
		}
		w.steps++
		step(s)
	}
	return h
}

func (w *watch) compare(s *evm.Step) error {
	f, g := w.o.top(), &w.o.g
	if w.o.Desyncs > 0 {
		return fmt.Errorf("pc %d %s: words lost", s.PC, bytecode.Ops[s.Op].Name)
	}
	for i, r := range f.stack {
		if g.nodes[r].val != s.Stack[i] {
			return fmt.Errorf("pc %d %s: stack word %d is %s, mirrored as %s", s.PC, bytecode.Ops[s.Op].Name, i, s.Stack[i].Hex(), g.nodes[r].val.Hex())
		}
	}
	for _, r := range f.stack[max(0, len(f.stack)-4):] {
		var beyond uint256.Int
		if beyond.Not(g.could(r)); !beyond.And(&beyond, &g.nodes[r].val).IsZero() {
			return fmt.Errorf("pc %d %s: %s has bits beyond %s", s.PC, bytecode.Ops[s.Op].Name, g.nodes[r].val.Hex(), g.could(r).Hex())
		}
	}
	for i, b := range s.Memory {
		var have byte
		if i < len(f.mem.cells) {
			have = g.byteValue(f.mem.cells[i])
		}
		if have != b {
			return fmt.Errorf("pc %d %s: memory byte %d is %d, mirrored as %d", s.PC, bytecode.Ops[s.Op].Name, i, b, have)
		}
	}
	return nil
}

// TestMirror compares stack and memory at every instruction of every row of
// conditions and of random variations, for all compilers.
func TestMirror(t *testing.T) {
	total := 0
	for _, c := range contracts(t) {
		r := rand.New(rand.NewPCG(1, 2))
		w := &watch{o: New(NewState())}
		s := deploy(t, c.code(), w.hooks())
		s.machine.Steps = 5000
		for _, row := range conditions {
			data := c.pack(t, row.method, row.args)
			for range 3 {
				s.call(data, row.wei, w.hooks())
				if w.failed != nil {
					t.Fatalf("%s %s %x: %v", c.name(), row.method, data, w.failed)
				}
				if len(data) > 4 {
					data[4+r.IntN(len(data)-4)] = byte(r.Uint32())
				}
			}
		}
		total += w.steps
	}
	t.Logf("%d instructions compared", total)
}

// FuzzMirror runs arbitrary bytecode with arbitrary calldata.
func FuzzMirror(f *testing.F) {
	f.Add([]byte{0x60, 1, 0x60, 2, 0x01, 0x60, 0, 0x52, 0x60, 0x20, 0x60, 0, 0x20, 0x57}, []byte{1, 2, 3, 4})
	f.Add([]byte{0x36, 0x5f, 0x5f, 0x37, 0x36, 0x5f, 0xa0, 0x36, 0x5f, 0xf3}, make([]byte, 70))
	f.Add([]byte{0x5f, 0x35, 0x60, 1, 0x52, 0x5f, 0x51, 0x5f, 0x5f, 0x60, 0x20, 0x5f, 0x5f, 0x30, 0x5a, 0xf1, 0x3d, 0x5f, 0x60, 0x40, 0x3e}, []byte{9})
	f.Add([]byte{0x60, 0x20, 0x5f, 0x60, 0x80, 0x5f, 0x60, 1, 0x5a, 0xfa, 0x5f, 0x51, 0x60, 7, 0x5e}, []byte{9})
	f.Add([]byte{0x5f, 0x54, 0x60, 1, 0x01, 0x80, 0x5f, 0x55, 0x5f, 0x5c, 0x5f, 0x5d, 0x5f, 0x5f, 0x5f, 0xf0, 0x3b, 0x5f, 0x5f, 0x3c}, []byte{})
	f.Add([]byte{0x30, 0x31, 0x47, 0x5f, 0x40, 0x5a, 0x59, 0x58, 0x38, 0x5f, 0x5f, 0x39, 0x1a, 0x0b, 0x1d, 0xff}, []byte{})
	f.Fuzz(func(t *testing.T, code, data []byte) {
		world := evm.NewWorld(evm.NewCodes())
		world.SetCode(sender, code)
		world.SetBalance(sender, uint256.NewInt(1e18))
		w := &watch{o: New(NewState())}
		w.o.Resolver = NewResolver()
		w.o.Events = allEvents()
		m := evm.NewMachine()
		m.Steps = 3000
		for range 2 {
			m.Execute(world, now, evm.Call{From: sender, To: sender, Data: data, Value: *uint256.NewInt(1), Gas: 300_000}, w.hooks())
			if w.failed != nil {
				t.Fatal(w.failed)
			}
			for _, d := range w.o.Branches {
				took, other := d.Condition.Cost(d.Taken), d.Condition.Cost(!d.Taken)
				if !took.IsZero() || other.IsZero() {
					t.Fatalf("pc %d taken %v: cost %s and %s of %s", d.PC, d.Taken, took.Hex(), other.Hex(), d.Condition)
				}
			}
		}
	})
}

// allEvents subscribes to everything and looks at what it is given.
func allEvents() Events {
	look := func(w Word) {
		w.Value()
		w.Flows()
		w.byteSources(3)
		w.Index()
	}
	bytes := func(b Bytes) {
		b.Value()
		look(b.Word(4))
		b.Sources()
	}
	return Events{
		Branch:   func(b *Branch) { look(b.Cond); b.Condition() },
		Arith:    func(a *Arith) { look(a.A); look(a.B); look(a.Result); a.Result.o.Mark(a.Result) },
		Load:     func(a *Access) { look(a.Slot); look(a.Value) },
		Store:    func(a *Access) { look(a.Slot); look(a.Value) },
		Call:     func(c *Call) { look(c.Target); look(c.Value); bytes(c.Args) },
		Returned: func(c *Call) { look(c.Result); bytes(c.Data) },
		Keccak:   func(k *Keccak) { bytes(k.Input); look(k.Output) },
		Jump:     func(j *Jump) { look(j.Dest) },
		Log: func(l *Log) {
			bytes(l.Data)
			for _, w := range l.Topics {
				look(w)
			}
		},
		Return:       func(r *Return) { bytes(r.Data) },
		SelfDestruct: func(s *SelfDestruct) { look(s.Beneficiary) },
	}
}
