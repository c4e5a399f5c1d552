package suite

import (
	"maps"
	"slices"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/oracle"
	"leveret/engine/program"
)

// An executions notes which functions of the project run. Each starts at a jump
// destination, if the optimiser did not put it into its callers.
type executions struct {
	program *program.Program
	setUp   []string // functions that ran before the first test
	names   []string // by number
	numbers map[string]int
	codes   map[*evm.Code][]int // number of the function at each pc, counted from 1; 0: not known yet; -1: none
	ran     map[int]bool        // since begin
}

func newExecutions(p *program.Program) *executions {
	return &executions{program: p, numbers: map[string]int{}, codes: map[*evm.Code][]int{}, ran: map[int]bool{}}
}

// Records reports whether verdicts say which functions ran.
func (s *Suite) Records() bool { return s.executed != nil }

// hooks returns the hooks of a Call; nil if x is nil.
func (x *executions) hooks() *evm.Hooks {
	if x == nil {
		return nil
	}
	return &evm.Hooks{Ops: []byte{bytecode.JUMPDEST}, Codes: x.program.IsProject, Step: x.step}
}

func (x *executions) step(s *evm.Step) {
	pcs := x.codes[s.Frame.Code]
	if pcs == nil {
		pcs = make([]int, len(s.Frame.Code.Bytes))
		x.codes[s.Frame.Code] = pcs
	}
	number := pcs[s.PC]
	if number == 0 {
		number = x.number(oracle.Site{Code: s.Frame.Code, PC: s.PC})
		pcs[s.PC] = number
	}
	if number > 0 {
		x.ran[number] = true
	}
}

// number numbers the function at a site.
func (x *executions) number(site oracle.Site) int {
	l, ok := x.program.LocateSite(site)
	if !ok {
		return -1
	}
	name := l.FunctionOf()
	if name == "" {
		return -1
	}
	if x.numbers[name] == 0 {
		x.names = append(x.names, name)
		x.numbers[name] = len(x.names)
	}
	return x.numbers[name]
}

// settle notes what ran so far as the set-up of all tests.
func (x *executions) settle() {
	if x != nil {
		x.setUp = x.take()
	}
}

// begin starts a test.
func (x *executions) begin() {
	if x != nil {
		clear(x.ran)
	}
}

// take returns the functions that ran since begin and in the set-up, sorted.
func (x *executions) take() []string {
	if x == nil {
		return nil
	}
	names := slices.Clone(x.setUp)
	for number := range maps.Keys(x.ran) {
		names = append(names, x.names[number-1])
	}
	slices.Sort(names)
	return slices.Compact(names)
}
