package engine

import (
	"fmt"
	"runtime/debug"

	"leveret/engine/finding"
	"leveret/solc"
)

// A Panic is an error that is Leveret's own: it ended the work on one contract
// and says nothing about others.
type Panic struct {
	Contract string
	Value    any
	Stack    []byte // of the goroutine that panicked
}

// Error is one sentence without the stack, which callers keep elsewhere and
// say where.
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

// A workerPanic takes a panic from the goroutine that it happened in to the
// one that waits for it.
type workerPanic struct {
	value any
	stack []byte
}

// catch keeps a panic of the goroutine that defers it.
func (w *workerPanic) catch() {
	if value := recover(); value != nil {
		*w = workerPanic{value, debug.Stack()}
	}
}

// rethrow panics with the first of what was caught.
func rethrow(caught []workerPanic) {
	for i := range caught {
		if caught[i].value != nil {
			panic(&caught[i])
		}
	}
}

// abandoned is what a campaign came to before it panicked: every finding was
// confirmed when it was made. c may be nil.
func (p *Panic) abandoned(c *campaign, contract *solc.Contract) *finding.Result {
	result := &finding.Result{Name: contract.Name, File: contract.File}
	if c != nil {
		result.Findings, result.Stats = c.result.Findings, c.result.Stats
	}
	result.Note = p.Error()
	return result
}
