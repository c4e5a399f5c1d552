package shadow

import (
	"slices"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A sighting is what an oracle would ask of one run.
type sighting struct {
	o       *Observer
	sent    []Set // of calls with the 2300 stipend: what flows into value and control
	control []Set
	target  Set // of delegate calls
	gas     uint64
	logged  Set
	retdata Set
	jumps   Set // into destinations, control included
	wrapped []TaintSource
	stored  Set // into all values stored
}

func sight(t *testing.T, s *stage, data []byte) *sighting {
	t.Helper()
	g := &sighting{o: New(NewState())}
	join := func(dst *Set, all ...Set) {
		for _, x := range all {
			*dst = g.o.Sets().Union(*dst, x)
		}
	}
	g.o.Events = Events{
		Call: func(c *Call) {
			switch {
			case c.Op == bytecode.DELEGATECALL:
				join(&g.target, c.Target.Sources())
				gas := c.Gas.Value()
				g.gas = gas.Uint64()
			case c.Op == bytecode.CALL && c.Frame.Depth == 1 && c.Args.Len() == 0:
				g.sent = append(g.sent, c.Value.Sources())
				g.control = append(g.control, g.o.Sets().Union(c.Control, c.Value.controlSet()))
			}
		},
		Log:    func(l *Log) { join(&g.logged, l.Data.Sources()) },
		Return: func(r *Return) { join(&g.retdata, r.Data.Sources()) },
		Jump:   func(j *Jump) { join(&g.jumps, j.Dest.Sources(), j.Dest.controlSet()) },
		Store:  func(a *Access) { join(&g.stored, a.Value.Sources()) },
		Arith: func(a *Arith) {
			x, y, z := a.A.Value(), a.B.Value(), a.Result.Value()
			if a.Op == bytecode.AND && !z.Eq(&x) && !z.Eq(&y) && !a.A.Fixed() != !a.B.Fixed() {
				g.wrapped = append(g.wrapped, g.o.Mark(a.Result))
			}
		},
	}
	w := s.world.Fork()
	c := context{block: now, call: (&namedCall{data: data}).call(s)}
	if out := s.machine.Execute(w, c.block, c.call, g.o.Hooks()); out.Status == evm.Halt {
		t.Fatalf("call halts: %v", out.Halt)
	}
	return g
}

func (g *sighting) has(s Set, k Kind) bool { return g.o.Sets().HasKind(s, k) }

// TestTransfers asks what decides about transfers of wei, the question of the
// oracles for time and block number.
func TestTransfers(t *testing.T) {
	rows := []struct {
		method   string
		args     []any
		kind     Kind
		value    bool // kind flows into the amount
		controls bool // or decides about it
	}{
		{"payIfLate", []any{1_600_000_000, 0x77}, FromTimestamp, false, true},
		{"payIfLateElsewhere", []any{1_600_000_000, 0x77}, FromTimestamp, false, true},
		{"payAnyway", []any{1_600_000_000, 0x77}, FromTimestamp, false, false},
		{"payAnyway", []any{1_800_000_000, 0x77}, FromTimestamp, false, false},
		{"payPart", []any{0x77}, FromNumber, true, false},
		{"payPart", []any{0x77}, FromTimestamp, false, false},
	}
	for _, c := range named(t, "Flows") {
		s := deploy(t, c.code(), nil)
		s.world.SetBalance(s.at, uint256.NewInt(1000))
		for _, row := range rows {
			g := sight(t, s, c.pack(t, row.method, row.args))
			if len(g.sent) != 1 {
				t.Errorf("%s %s: %d transfers", c.name(), row.method, len(g.sent))
				continue
			}
			if value, controls := g.has(g.sent[0], row.kind), g.has(g.control[0], row.kind); value != row.value || controls != row.controls {
				t.Errorf("%s %s: %s in amount %v, controls %v; want %v, %v", c.name(), row.method, row.kind, value, controls, row.value, row.controls)
			}
		}
	}
}

// TestSinks asks where marks and inputs arrive.
func TestSinks(t *testing.T) {
	calldata := func(offset uint64) TaintSource { return TaintSource{Kind: FromCalldata, Offset: offset} }
	for _, c := range named(t, "Flows") {
		s := deploy(t, c.code(), nil)
		check := func(ok bool, what string) {
			t.Helper()
			if !ok {
				t.Errorf("%s: %s", c.name(), what)
			}
		}
		g := sight(t, s, c.pack(t, "forward", []any{0x4, "payload"}))
		check(g.o.Sets().Has(g.target, calldata(4)), "the delegate call's target is not the actor's")
		check(!g.o.Sets().Has(g.target, calldata(36)), "the delegate call's target is not its data")

		check(g.gas == 100_000, "the delegate call's gas is not what the source says")

		g = sight(t, s, c.pack(t, "jumpTable", []any{0, 21}))
		check(g.o.Sets().Has(g.jumps, calldata(4)) || c.folded(), "the choice of function is not the actor's")

		g = sight(t, s, c.pack(t, "copies", []any{"bytes", []int{1, 2, 300}, "text"}))
		check(g.has(g.logged, FromCalldata), "what is logged is not the actor's")
		found := false
		var order, again []common.Hash
		for p := range g.o.Preimages {
			order = append(order, p.Hash)
		}
		for p := range sight(t, s, c.pack(t, "copies", []any{"bytes", []int{1, 2, 300}, "text"})).o.Preimages {
			again = append(again, p.Hash)
		}
		if !slices.Equal(order, again) {
			t.Errorf("%s: preimages come as %v, then as %v", c.name(), order, again)
		}
		for p := range g.o.Preimages {
			if h := crypto.Keccak256Hash(p.Input.Value()); h != p.Hash {
				t.Errorf("%s: %x hashes to %s, recorded as %s", c.name(), p.Input.Value(), h, p.Hash)
			}
			found = found || g.has(p.Input.Sources(), FromCalldata) && p.Input.Len() == 5+32+4
		}
		check(found, "the preimage of the digest is missing")

		g = sight(t, s, c.pack(t, "signer", []any{5, 27, 7, 9}))
		check(len(g.o.Recoveries) == 1, "ecrecover was not seen")
		for i, w := range []Word{g.o.Recoveries[0].Digest, g.o.Recoveries[0].V, g.o.Recoveries[0].R, g.o.Recoveries[0].S} {
			flows := w.Flows()
			check(len(flows) == 1 && flows[0].Source == calldata(uint64(4+32*i)), "a part of the signature is not the argument")
		}

		g = sight(t, s, c.pack(t, "wraps", []any{200, 100}))
		if c.before08() {
			reached := false
			for _, m := range g.wrapped {
				reached = reached || g.o.Sets().Has(g.stored, m)
			}
			check(reached, "the wrapped sum does not reach storage")
		}
	}
}

// before08 reports whether the compiler leaves arithmetic unchecked.
func (c *compiled) before08() bool { return c.Solc < "solc-0.8" }

// folded reports whether the compiler makes a branch of the choice of a
// function.
func (c *compiled) folded() bool {
	return c.name() == "solc-0.8.30 viaIR" || c.name() == "solc-0.8.19 viaIR"
}
