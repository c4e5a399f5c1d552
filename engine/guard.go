package engine

import (
	"fmt"
	"runtime/debug"

	"leveret/engine/finding"
	"leveret/solc"
)

// A Panic is a bug in Leveret. It ended the work on one contract and does not
// affect others.
type Panic struct {
	Contract string
	Value    any
	Stack    []byte // of the goroutine that panicked
}

// Error returns one sentence without the stack. Callers write the stack to a
// file and name it.
func (p *Panic) Error() string {
	return fmt.Sprintf("Leveret failed on %s (%v); please report this", p.Contract, p.Value)
}

// guard calls f and turns a panic of it into a Panic.
func guard(contract *solc.Contract, f func() error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = newPanic(contract, value)
		}
	}()
	return f()
}

func newPanic(contract *solc.Contract, value any) *Panic {
	p := &Panic{Contract: contract.Name, Value: value, Stack: debug.Stack()}
	if w, ok := value.(*workerPanic); ok {
		p.Value, p.Stack = w.value, w.stack
	}
	return p
}

// A workerPanic carries a panic from its goroutine to the one that waits for it.
type workerPanic struct {
	value any
	stack []byte
}

// catch keeps a panic of the goroutine that defers this call.
func (w *workerPanic) catch() {
	if value := recover(); value != nil {
		*w = workerPanic{value, debug.Stack()}
	}
}

// rethrow panics with the first panic that was caught.
func rethrow(caught []workerPanic) {
	for i := range caught {
		if caught[i].value != nil {
			panic(&caught[i])
		}
	}
}

// abandoned returns the result of a campaign before it panicked: every finding
// was already confirmed. c may be nil.
func (p *Panic) abandoned(c *campaign, contract *solc.Contract) *finding.Result {
	result := newResult(contract)
	if c != nil {
		result.Findings, result.Stats = c.result.Findings, c.result.Stats
	}
	result.Note = p.Error()
	return result
}
