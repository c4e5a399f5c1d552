package evm

import (
	"reflect"
	"unsafe"

	"github.com/ethereum/go-ethereum/core/vm"
)

// go-ethereum has one hook for all instructions, which costs more than most
// instructions. Each EVM also has a table of the functions that run them. A
// table here is a copy in which the watched instructions call the tracer first.
//
// go-ethereum does not export that table, so this file accesses two fields by
// reflection, by name and type. If a later version lacks them there is no
// table, and the hook watches everything with the same Outcomes and Steps.

// execution is the type of the functions in go-ethereum's tables.
type execution = func(pc *uint64, evm *vm.EVM, scope *vm.ScopeContext) ([]byte, error)

// fields are the offsets of the table in an EVM and of the function in an
// operation.
var fields = func() (f struct {
	table, execute uintptr
	found          bool
}) {
	table, ok := reflect.TypeFor[vm.EVM]().FieldByName("table")
	if !ok || table.Type != reflect.TypeFor[*vm.JumpTable]() {
		return f
	}
	execute, ok := reflect.TypeFor[vm.JumpTable]().Elem().Elem().FieldByName("execute")
	if !ok || !execute.Type.ConvertibleTo(reflect.TypeFor[execution]()) {
		return f
	}
	f.table, f.execute, f.found = table.Offset, execute.Offset, true
	return f
}()

// A table belongs to one tracer.
type table struct {
	tracer *tracer
	stock  vm.JumpTable   // go-ethereum's, with bulky instructions stoppable
	lean   vm.JumpTable   // operations with calls of the tracer
	runs   [256]execution // go-ethereum's functions
}

// newTable returns nil if go-ethereum's table cannot be replaced.
func newTable(t *tracer) *table {
	if !fields.found {
		return nil
	}
	lean, err := vm.LookupInstructionSet(chainRules)
	if err != nil {
		return nil
	}
	stock, _ := vm.LookupInstructionSet(chainRules)
	tb := &table{tracer: t, stock: stock, lean: lean}
	for _, op := range bulky {
		run := executeOf(&tb.stock, int(op))
		*run = t.machine.stoppable(*run)
	}
	for op := range lean {
		tb.runs[op] = *executeOf(&tb.stock, op)
		*tb.execute(op) = tb.runs[op]
	}
	return tb
}

// bulky are the slowest instructions per call. Without a jump between them
// go-ethereum would run hundreds of milliseconds of them before it notices a
// cancellation.
var bulky = []vm.OpCode{
	vm.KECCAK256, vm.CALLDATACOPY, vm.CODECOPY, vm.EXTCODECOPY, vm.RETURNDATACOPY, vm.MCOPY,
	vm.LOG0, vm.LOG1, vm.LOG2, vm.LOG3, vm.LOG4, vm.CREATE, vm.CREATE2,
	vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL,
}

// stoppable makes an instruction fail once the Machine is cancelled. A Call at
// the instruction cap continues to the next jump, so that its Outcome is
// deterministic.
func (m *Machine) stoppable(run execution) execution {
	return func(pc *uint64, evm *vm.EVM, s *vm.ScopeContext) ([]byte, error) {
		if m.cancelled.Load() {
			return nil, ErrCancelled
		}
		return run(pc, evm, s)
	}
}

func (tb *table) execute(op int) *execution { return executeOf(&tb.lean, op) }

func executeOf(table *vm.JumpTable, op int) *execution {
	return (*execution)(unsafe.Add(unsafe.Pointer(table[op]), fields.execute))
}

// use installs the lean table in an EVM.
func (tb *table) use(evm *vm.EVM) { *tableOf(evm) = &tb.lean }

// leave restores go-ethereum's table.
func (tb *table) leave(evm *vm.EVM) { *tableOf(evm) = &tb.stock }

func tableOf(evm *vm.EVM) **vm.JumpTable {
	return (**vm.JumpTable)(unsafe.Add(unsafe.Pointer(evm), fields.table))
}

// tell makes the wanted instructions of the lean table call the tracer.
func (tb *table) tell(wanted *[256]want) {
	for op, w := range wanted {
		run := tb.runs[op]
		switch {
		case w == 0:
		case op == int(vm.JUMPDEST):
			run = tb.dest(w, run)
		case w == wantStep:
			run = tb.step(byte(op), run)
		default:
			run = tb.look(w, byte(op), run)
		}
		*tb.execute(op) = run
	}
}

func (tb *table) look(w want, op byte, run execution) execution {
	t := tb.tracer
	return func(pc *uint64, evm *vm.EVM, s *vm.ScopeContext) ([]byte, error) {
		if t.left >= 0 {
			t.look(w, *pc, op, s)
		}
		return run(pc, evm, s)
	}
}

// step is look for instructions that only Step wants.
func (tb *table) step(op byte, run execution) execution {
	t := tb.tracer
	return func(pc *uint64, evm *vm.EVM, s *vm.ScopeContext) ([]byte, error) {
		if t.left >= 0 && t.frame.watched {
			t.tell(*pc, op, s, s.Stack.Data())
			t.hooks.Step(&t.step)
		}
		return run(pc, evm, s)
	}
}

// dest is look for JUMPDEST, the most frequent instruction.
func (tb *table) dest(w want, run execution) execution {
	t := tb.tracer
	if w != wantBlock|wantDest {
		return tb.look(w, byte(vm.JUMPDEST), run)
	}
	return func(pc *uint64, evm *vm.EVM, s *vm.ScopeContext) ([]byte, error) {
		if t.left >= 0 {
			t.spend(t.frame.Code.ahead(*pc, true))
			if t.frame.watched && t.left >= 0 {
				t.hooks.Dest(*pc)
			}
		}
		return run(pc, evm, s)
	}
}
