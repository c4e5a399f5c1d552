package shadow

import (
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// calls are calls of testdata/Flows.sol; conditions are others.
var flowCalls = []struct {
	method string
	args   []any
	wei    uint64
}{
	{"pack", []any{500, 0x1234}, 0},
	{"readAmount", nil, 0},
	{"amountIs", []any{1507}, 0},
	{"sinceIs", []any{1507}, 0},
	{"nested", []any{3, 70, 0x99}, 55},
	{"nested", []any{3, 5, sender}, 1},
	{"copies", []any{"some bytes that are longer than one word", []int{1, 2, 300}, "text"}, 0},
	{"quoted", []any{7, "note"}, 0},
	{"payIfLate", []any{1_600_000_000, 0x77}, 0},
	{"payIfLateElsewhere", []any{1_600_000_000, 0x77}, 0},
	{"payAnyway", []any{1_600_000_000, 0x77}, 0},
	{"payPart", []any{0x77}, 0},
	{"wraps", []any{200, 100}, 0},
	{"jumpTable", []any{0, 21}, 0},
	{"forward", []any{0x4, "payload"}, 0},
	{"signer", []any{5, 27, 7, 9}, 0},
	{"environment", []any{5}, 0},
}

// A context is everything that a call depends on.
type context struct {
	block evm.BlockContext
	call  evm.Call
	slots map[common.Hash]common.Hash
}

// A moment is the word on top of the stack before an instruction.
type moment struct {
	frame, pc uint64
	op        byte
	height    int
	value     uint256.Int
	word      ref
}

// look returns the moment before an instruction.
func look(s *evm.Step) moment {
	m := moment{frame: uint64(s.Frame.Number), pc: s.PC, op: s.Op, height: len(s.Stack)}
	if n := len(s.Stack); n > 0 {
		m.value = s.Stack[n-1]
	}
	return m
}

// record runs a call in the Observer's shadow.
func (s *stage) record(o *Observer, c context) []moment {
	var trace []moment
	h := o.Hooks()
	step := h.Step
	h.Step = func(st *evm.Step) {
		f := o.top()
		o.finish(f, st)
		m := look(st)
		if m.height > 0 {
			m.word = f.stack[m.height-1]
		}
		trace = append(trace, m)
		step(st)
	}
	s.execute(c, h)
	return trace
}

func (s *stage) execute(c context, h *evm.Hooks) {
	w := s.world.Fork()
	for k, v := range c.slots {
		w.SetStorage(s.at, k, v)
	}
	s.machine.Execute(w, c.block, c.call, h)
}

// stores reports whether the word on top is the place that an instruction
// writes to.
func stores(op byte) bool {
	switch op {
	case bytecode.MSTORE, bytecode.MSTORE8, bytecode.SSTORE, bytecode.CALLDATACOPY, bytecode.MCOPY, bytecode.RETURNDATACOPY:
		return true
	}
	return false
}

// A flip changes one input.
type flip struct {
	source TaintSource
	apply  func(*context)
}

func flips(s *stage, c context) []flip {
	out := []flip{
		{TaintSource{Kind: FromCallValue}, func(c *context) { c.call.Value.AddUint64(&c.call.Value, 3) }},
		{TaintSource{Kind: FromTimestamp}, func(c *context) { c.block.Timestamp += 1000 }},
		{TaintSource{Kind: FromNumber}, func(c *context) { c.block.Number += 3 }},
		{TaintSource{Kind: FromPrevrandao}, func(c *context) { c.block.Prevrandao[3] ^= 1 }},
		{TaintSource{Kind: FromCoinbase}, func(c *context) { c.block.Coinbase[3] ^= 1 }},
		{TaintSource{Kind: FromGasLimit}, func(c *context) { c.block.GasLimit++ }},
	}
	for at := 4; at < len(c.call.Data); at += 32 {
		src := TaintSource{Kind: FromCalldata, Offset: uint64(at)}
		for _, i := range []int{at + 31, at + 20, at} {
			if i < len(c.call.Data) {
				out = append(out, flip{src, func(c *context) {
					c.call.Data = append([]byte{}, c.call.Data...)
					c.call.Data[i] ^= 1
				}})
			}
		}
	}
	for k, v := range s.world.Slots(s.at) {
		v[31] ^= 1
		out = append(out, flip{TaintSource{Kind: FromStorage, Address: s.at, Slot: k}, func(c *context) {
			c.slots = map[common.Hash]common.Hash{k: v}
		}})
	}
	return out
}

// TestSoundness flips inputs one at a time: as long as the path and the
// places written are the same, no byte changes into which the input does not
// flow.
func TestSoundness(t *testing.T) {
	compared, changed := 0, 0
	for _, name := range []string{"Flows", "Conditions"} {
		for _, c := range named(t, name) {
			s := deploy(t, c.code(), nil)
			s.machine.Steps = 4000
			for _, call := range callsOf(t, &c) {
				a, b := s.soundness(t, c.name()+" "+call.name, context{block: now, call: call.call(s)})
				compared, changed = compared+a, changed+b
			}
		}
	}
	t.Logf("%d words compared, %d changed", compared, changed)
	if changed == 0 {
		t.Error("no flip changed anything")
	}
}

type namedCall struct {
	name string
	data []byte
	wei  uint64
}

func (n *namedCall) call(s *stage) evm.Call {
	return evm.Call{From: sender, To: s.at, Data: n.data, Value: *uint256.NewInt(n.wei)}
}

func callsOf(t testing.TB, c *compiled) []namedCall {
	var out []namedCall
	if c.Contract == "Flows" {
		for _, f := range flowCalls {
			out = append(out, namedCall{f.method, c.pack(t, f.method, f.args), f.wei})
		}
		return out
	}
	for _, row := range conditions {
		out = append(out, namedCall{row.method, c.pack(t, row.method, row.args), row.wei})
	}
	return out
}

func (s *stage) soundness(t *testing.T, name string, c context) (compared, changed int) {
	o := New(NewState())
	base := s.record(o, c)
	for _, f := range flips(s, c) {
		flipped := c
		f.apply(&flipped)
		at, apart := 0, false
		s.execute(flipped, &evm.Hooks{Step: func(st *evm.Step) {
			if apart = apart || at == len(base); apart {
				return
			}
			x, y := &base[at], look(st)
			at++
			switch {
			case x.pc != y.pc || x.frame != y.frame || x.height != y.height:
				apart = true
			case x.value != y.value:
				changed++
				apart = stores(x.op) || !o.explains(t, name, f.source, x, &y)
			}
			compared++
		}})
	}
	return compared, changed
}

// explains demands that into every byte that differs flows the source, or
// gas, which depends on everything.
func (o *Observer) explains(t *testing.T, name string, source TaintSource, was, now *moment) bool {
	a, b := was.value.Bytes32(), now.value.Bytes32()
	n := o.g.nodes[was.word]
	for i := range a {
		by := o.g.sets.Union(n.byteSet(&o.g, 31-i), n.index)
		if a[i] == b[i] || o.g.sets.Has(by, source) || o.g.sets.HasKind(by, FromGas) {
			continue
		}
		t.Errorf("%s: flip of %s changes the word before pc %d (%s) from %s to %s; byte %d has %v", name, source,
			was.pc, bytecode.Ops[was.op].Name, was.value.Hex(), now.value.Hex(), i, o.g.sets.Sources(by))
		return false
	}
	return true
}
