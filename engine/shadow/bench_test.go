package shadow

import (
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
)

// BenchmarkRun compares a shadow run of the rows of conditions with a plain
// one and with one that watches what a hot tier watches.
func BenchmarkRun(b *testing.B) {
	all := contracts(b)
	for _, c := range []compiled{all[1], all[len(all)-3], all[len(all)-1]} {
		o := New(NewState())
		o.Resolver = NewResolver()
		s := deploy(b, c.code(), nil)
		var calls [][]byte
		for _, row := range conditions {
			calls = append(calls, c.pack(b, row.method, row.args))
		}
		hot := &evm.Hooks{Ops: []byte{0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x57}, Step: func(*evm.Step) {}}
		for _, tier := range []struct {
			name  string
			hooks *evm.Hooks
		}{{"plain", nil}, {"hot", hot}, {"shadow", o.Hooks()}} {
			b.Run(c.name()+"/"+tier.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if tier.name == "shadow" && i%len(calls) == 0 {
						o.Attach(NewState())
					}
					s.call(calls[i%len(calls)], 0, tier.hooks)
				}
			})
		}
	}
}

// BenchmarkLoop is a long run: some 100,000 instructions.
func BenchmarkLoop(b *testing.B) {
	c := contracts(b)[1]
	s := deploy(b, c.code(), nil)
	o := New(NewState())
	data := c.pack(b, "loop", []any{4000})
	for _, tier := range []struct {
		name  string
		hooks *evm.Hooks
	}{{"plain", nil}, {"hooked", &evm.Hooks{Step: func(*evm.Step) {}}}, {"shadow", o.Hooks()}} {
		b.Run(tier.name, func(b *testing.B) {
			for b.Loop() {
				o.Attach(NewState())
				s.call(data, 0, tier.hooks)
			}
		})
	}
}

// BenchmarkStatic is what a code costs when it is first seen.
func BenchmarkStatic(b *testing.B) {
	for _, c := range contracts(b) {
		code := &evm.Code{Bytes: common.FromHex(c.Runtime)}
		b.Run(c.name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				NewResolver().static(code)
				newProgram(bytecode.New(code.Bytes)).merge(0)
			}
		})
	}
}
