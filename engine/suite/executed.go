package suite

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/oracle"
	"leveret/engine/program"
)

// An executions notes which functions of the project run, as the Recorder of Calls.
// Each starts at a jump destination, if the optimiser did not put it into its callers.
type executions struct {
	deaf
	program *program.Program
	setUp   []string // functions that ran before the first test
	watches map[*evm.Code]*evm.Watch
	sites   []site // by their numbers in watches, less 1
}

// A site is a jump destination.
type site struct {
	oracle.Site
	ran      bool    // since begin
	function *string // it is in, empty if in none; nil: not known yet
}

func newExecutions(p *program.Program) *executions {
	return &executions{program: p, watches: map[*evm.Code]*evm.Watch{}}
}

// Records reports whether verdicts say which functions ran.
func (s *Suite) Records() bool { return s.executed != nil }

// execute executes a Call on a world, which it changes; x may be nil.
func (x *executions) execute(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
	if x == nil {
		return m.Execute(w, b, c, nil)
	}
	outcome := m.Record(w, b, c, x)
	if outcome.Status == evm.Success {
		m.Commit(w)
	}
	return outcome
}

// Watch asks for the jump destinations of the project's code.
func (x *executions) Watch(code *evm.Code) *evm.Watch {
	w := x.watches[code]
	if w == nil && x.program.IsProject(code) {
		w = x.watch(code)
		x.watches[code] = w
	}
	return w
}

func (x *executions) watch(code *evm.Code) *evm.Watch {
	n := len(code.Bytes) + 1
	none, no := make([]uint32, n), make([]bool, n)
	w := &evm.Watch{Operands: none, Blocks: make([]uint32, n), Branches: none, Compared: none, Held: no, Wraps: no}
	for pc, b := range code.Bytes { // also in immediates, which never run
		if b == bytecode.JUMPDEST {
			x.sites = append(x.sites, site{Site: oracle.Site{Code: code, PC: uint64(pc)}})
			w.Blocks[pc] = uint32(len(x.sites))
		}
	}
	return w
}

// Blocks notes what runs.
func (x *executions) Blocks(numbers []uint32) {
	for _, n := range numbers {
		if n > 0 {
			x.sites[n-1].ran = true
		}
	}
}

// functionOf returns the function that a site is in; empty if it is in none.
func (x *executions) functionOf(s *site) string {
	if s.function == nil {
		name := ""
		if l, ok := x.program.LocateSite(s.Site); ok {
			name = l.FunctionOf()
		}
		s.function = &name
	}
	return *s.function
}

// settle notes what ran so far as the set-up of all tests.
func (x *executions) settle() {
	if x != nil {
		x.setUp = x.take()
	}
}

// begin starts a test.
func (x *executions) begin() {
	if x == nil {
		return
	}
	for i := range x.sites {
		x.sites[i].ran = false
	}
}

// take returns the functions that ran since begin and in the set-up, sorted.
func (x *executions) take() []string {
	if x == nil {
		return nil
	}
	names := slices.Clone(x.setUp)
	for i := range x.sites {
		if s := &x.sites[i]; s.ran {
			if name := x.functionOf(s); name != "" {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// A deaf Recorder ignores what it is told.
type deaf struct{}

func (deaf) Begin()                                                        {}
func (deaf) Enter(*evm.Frame)                                              {}
func (deaf) Exit(*evm.Frame, evm.Status, []byte)                           {}
func (deaf) Log(*evm.Log)                                                  {}
func (deaf) Operands(uint32, *uint256.Int, *uint256.Int)                   {}
func (deaf) Read(*uint256.Int)                                             {}
func (deaf) Write(uint64, *uint256.Int)                                    {}
func (deaf) Hash([]byte)                                                   {}
func (deaf) BlockValue()                                                   {}
func (deaf) Vacant(common.Address)                                         {}
func (deaf) Branch(uint32, bool, *uint256.Int, *uint256.Int, *uint256.Int) {}
func (deaf) Stack(uint64, byte, []uint256.Int, evm.Passed)                 {}
