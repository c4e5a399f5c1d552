package debug

import (
	"context"
	"fmt"
)

// A Granularity is the unit of a step.
type Granularity uint8

// The units of steps. The compiler's own code has no statements and lines.
const (
	ByStatement Granularity = iota
	ByLine
	ByInstruction
)

// A Session stands at a position of a Recording and moves. It belongs to one
// goroutine. Close it.
type Session struct {
	*Recording
	ctx  context.Context
	at   Position
	live *live // at the position; nil: not executed yet

	before []*Recording // without the changes at the newest position, and so on; see Set
	stops  [2]stop      // the last one but one, and the last one; see Stop
}

// NewSession returns a Session at the first statement of a Recording. After ctx has
// ended, its moves return the error of ctx.
func (r *Recording) NewSession(ctx context.Context) *Session {
	s := &Session{Recording: r, ctx: ctx}
	if len(r.entries) > 0 {
		s.at = r.entries[0].at
	}
	return s
}

// Close ends the execution of the Session.
func (s *Session) Close() {
	if s.live != nil {
		s.live.stop()
		s.live = nil
	}
}

// Position returns where the Session stands.
func (s *Session) Position() Position { return s.at }

// Goto moves to a position of the Recording.
func (s *Session) Goto(p Position) error {
	if p >= s.end {
		return fmt.Errorf("position %d is not in the recording, which has %d", p, s.end)
	}
	if err := s.ctx.Err(); err != nil {
		return err
	}
	s.at = p
	return nil
}

// here executes until the position.
func (s *Session) here() (*live, error) {
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	number := s.TransactionAt(s.at)
	if l := s.live; l == nil || l.number != number || l.at > s.at || l.step == nil {
		s.Close()
		s.live = s.start(number, s.at)
	}
	if err := s.live.seek(s.ctx, s.at); err != nil {
		s.Close()
		return nil, err
	}
	return s.live, nil
}

// Stand executes until the position, as far as that was not done: what scopes and
// frames of it return is valid then.
func (s *Session) Stand() error {
	_, err := s.here()
	return err
}

// depth returns the activations at the position. Between two statements, it executes
// up to there.
func (s *Session) depth() (uint32, error) {
	if i := s.entryBefore(s.at); i >= 0 && s.entries[i].at == s.at {
		return s.entries[i].depth, nil
	}
	l, err := s.here()
	if err != nil {
		return 0, err
	}
	return l.depth, nil
}

// stops reports whether an entry is a step of a granularity.
func (e *entry) stops(g Granularity) bool {
	return e.flags&resumes == 0 && (g != ByLine || e.flags&beginLine != 0)
}

// StepIn moves to the next step, into calls. It reports whether there is one; if not,
// it moves to the end.
func (s *Session) StepIn(g Granularity) (bool, error) {
	if g == ByInstruction {
		return s.moveBy(+1)
	}
	for i := s.entryBefore(s.at) + 1; i < len(s.entries); i++ {
		if s.entries[i].stops(g) {
			return true, s.Goto(s.entries[i].at)
		}
	}
	return false, s.Goto(s.end - 1)
}

// BackIn moves to the last step before, into calls: the reverse of StepIn. If there is
// none, it moves to the beginning.
func (s *Session) BackIn(g Granularity) (bool, error) {
	if g == ByInstruction {
		return s.moveBy(-1)
	}
	for i := s.entryBefore(s.at); i >= 0; i-- {
		if e := &s.entries[i]; e.at < s.at && e.stops(g) {
			return true, s.Goto(e.at)
		}
	}
	return false, s.Goto(s.first())
}

// moveBy moves by instructions.
func (s *Session) moveBy(n int) (bool, error) {
	to := int(s.at) + n
	if to < 0 || to >= int(s.end) {
		return false, nil
	}
	return true, s.Goto(Position(to))
}

// first is where a Session begins.
func (s *Session) first() Position {
	if len(s.entries) > 0 {
		return s.entries[0].at
	}
	return 0
}

// Next moves to the next step that is not in a call which the running function makes.
func (s *Session) Next(g Granularity) (bool, error) {
	if g == ByInstruction {
		return s.overCall(+1)
	}
	depth, err := s.depth()
	if err != nil {
		return false, err
	}
	end := s.txs[s.TransactionAt(s.at)].end
	for i := s.entryBefore(s.at) + 1; i < len(s.entries); i++ {
		e := &s.entries[i]
		if (e.depth <= depth || e.at >= end) && e.stops(g) {
			return true, s.Goto(e.at)
		}
		depth = min(depth, e.depth)
	}
	return false, s.Goto(s.end - 1)
}

// Back is the reverse of Next.
func (s *Session) Back(g Granularity) (bool, error) {
	if g == ByInstruction {
		return s.overCall(-1)
	}
	depth, err := s.depth()
	if err != nil {
		return false, err
	}
	start := s.txs[s.TransactionAt(s.at)].start
	for i := s.entryBefore(s.at); i >= 0; i-- {
		e := &s.entries[i]
		if e.at == s.at {
			continue
		}
		if e.at < start { // the transaction before: of what it calls itself
			number := s.TransactionAt(e.at)
			start, depth = s.txs[number].start, s.outermost(number)
		}
		if e.depth <= depth && e.stops(g) {
			return true, s.Goto(e.at)
		}
		depth = min(depth, e.depth)
	}
	return false, s.Goto(s.first())
}

// outermost returns the activations at the first statement of a transaction.
func (r *Recording) outermost(number int) uint32 {
	t := &r.txs[number]
	for i := r.entryBefore(t.start); i < len(r.entries); i++ {
		if i >= 0 && r.entries[i].at >= t.start {
			return r.entries[i].depth
		}
	}
	return 1
}

// overCall moves by an instruction of the frame, over the frames that it opens.
func (s *Session) overCall(direction int) (bool, error) {
	now := s.frameAt(s.at)
	moved, err := s.moveBy(direction)
	if err != nil || !moved {
		return moved, err
	}
	for f := s.frameAt(s.at); f != now && f >= 0 && s.within(f, now); f = s.frameAt(s.at) {
		switch inner := &s.frames[f]; {
		case direction > 0 && inner.end < s.end:
			s.at = inner.end
		case direction < 0 && inner.start > 0:
			s.at = inner.start - 1
		default:
			return true, nil
		}
	}
	return true, nil
}

// within reports whether a frame was opened by another one, or by one that it opened.
func (r *Recording) within(inner, outer int32) bool {
	for inner >= 0 && inner != outer {
		inner = r.frames[inner].parent
	}
	return inner == outer && outer >= 0
}

// StepOut moves to where the caller of the running function goes on; if none does, to
// the next transaction.
func (s *Session) StepOut() (bool, error) {
	depth, err := s.depth()
	if err != nil {
		return false, err
	}
	end := s.txs[s.TransactionAt(s.at)].end
	for i := s.entryBefore(s.at) + 1; i < len(s.entries); i++ {
		if e := &s.entries[i]; e.depth < depth || e.at >= end {
			return true, s.Goto(e.at)
		}
	}
	return false, s.Goto(s.end - 1)
}

// RestartFrame moves to the first statement of a function on the stack.
func (s *Session) RestartFrame(f *StackFrame) error {
	for i := s.entryBefore(s.at); i >= 0; i-- {
		if e := &s.entries[i]; e.depth == f.depth && e.flags&beginCall != 0 {
			return s.Goto(e.at)
		}
	}
	return s.Goto(s.txs[s.TransactionAt(s.at)].start)
}

// GotoTransaction moves to the first statement of a transaction.
func (s *Session) GotoTransaction(n int) error {
	if n < 0 || n >= len(s.txs) {
		return fmt.Errorf("there is no transaction %d; the recording has %d", n+1, len(s.txs))
	}
	at := s.txs[n].start
	if i := s.entryBefore(at) + 1; i < len(s.entries) && s.entries[i].at < s.txs[n].end {
		at = s.entries[i].at
	}
	return s.Goto(at)
}
