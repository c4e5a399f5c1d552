package debug

import (
	"errors"

	"leveret/engine/evm"
)

// An Instruction is one of a code that runs in a Recording.
type Instruction struct {
	Code *evm.Code
	PC   uint64
}

// maxExecutions bounds the positions that Executions returns.
const maxExecutions = 1 << 24

// Executions returns the positions at which instructions are about to run, in the order
// of the list. The index does not have them: it executes all transactions again.
func (s *Session) Executions(list []Instruction) ([][]Position, error) {
	if len(list) == 0 {
		return nil, nil
	}
	s.Close() // it uses the Machine
	c := &counter{recording: s.Recording, wanted: map[*evm.Code]map[uint64][]Position{}}
	for _, in := range list {
		if c.wanted[in.Code] == nil {
			c.wanted[in.Code] = map[uint64][]Position{}
		}
		c.wanted[in.Code][in.PC] = nil
	}
	hooks := &evm.Hooks{Step: c.step, Fault: c.fault, Enter: c.enter, Exit: c.exit}
	for i := range s.txs {
		c.open = c.open[:0]
		s.txs[i].Run(hooks)
		switch {
		case s.ctx.Err() != nil:
			return nil, s.ctx.Err()
		case c.at != s.txs[i].end:
			return nil, errDiverged
		case c.found > maxExecutions:
			return nil, errors.New("these instructions run too often; choose others, or a breakpoint with a condition")
		}
	}
	hits := make([][]Position, len(list))
	for i, in := range list {
		hits[i] = c.wanted[in.Code][in.PC]
	}
	return hits, nil
}

// A counter numbers instructions as a recorder does.
type counter struct {
	recording *Recording
	at        Position
	open      []counted
	wanted    map[*evm.Code]map[uint64][]Position
	found     int
}

// A counted is an open frame of a counter.
type counted struct {
	wanted map[uint64][]Position // of its code
	start  Position
	pc     uint64 // of the last instruction
}

func (c *counter) enter(f *evm.Frame) {
	c.open = append(c.open, counted{wanted: c.wanted[f.Code], start: c.at})
}

func (c *counter) exit(*evm.Frame, evm.Status, []byte, uint64, error) {
	c.open = c.open[:len(c.open)-1]
}

func (c *counter) step(s *evm.Step) {
	if c.at == c.recording.end {
		return // the Recording is cut
	}
	c.recording.amend(c.at, s)
	f := &c.open[len(c.open)-1]
	f.pc = s.PC
	if hits, ok := f.wanted[s.PC]; ok && c.found <= maxExecutions {
		f.wanted[s.PC] = append(hits, c.at)
		c.found++
	}
	c.at++
}

// fault is that of a recorder.
func (c *counter) fault(s *evm.Step, _ error) {
	if f := &c.open[len(c.open)-1]; c.at > f.start && f.pc == s.PC {
		return
	}
	c.step(s)
}
