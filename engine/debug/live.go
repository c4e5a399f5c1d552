package debug

import (
	"context"
	"errors"

	"leveret/engine/evm"
)

// A live is a transaction that executes again in a goroutine of its own, and stands
// at a position. Only its owner may use it, and it must be stopped.
type live struct {
	tracker
	number  int // of the transaction
	at      Position
	target  Position
	next    *evm.Step // at the target; the goroutine sets it before it stands
	step    *evm.Step // next, while it stands for its owner; else nil
	stands  chan struct{}
	goOn    chan struct{}
	over    chan struct{} // closed at the end of the transaction
	stopped bool
}

// errDiverged says that a transaction did not do what it did when it was recorded.
var errDiverged = errors.New("the transaction executes differently than it was recorded: it depends on programs, files or a fork that change")

// start executes a transaction until a position.
func (r *Recording) start(number int, target Position) *live {
	t := &r.txs[number]
	l := &live{
		tracker: tracker{recording: r}, number: number, at: t.start, target: target,
		stands: make(chan struct{}), goOn: make(chan struct{}), over: make(chan struct{}),
	}
	hooks := &evm.Hooks{Step: l.pass, Fault: l.fault, Enter: l.enter, Exit: l.exit}
	go func() {
		defer close(l.over)
		t.Run(hooks)
	}()
	return l
}

// pass counts an instruction and waits at the target.
func (l *live) pass(s *evm.Step) {
	if l.stopped {
		return
	}
	l.recording.amend(l.at, s)
	l.tracker.step(s)
	if l.at == l.target {
		l.next = s
		l.stands <- struct{}{}
		<-l.goOn
	}
	l.at++
}

// fault is that of a recorder.
func (l *live) fault(s *evm.Step, _ error) {
	if l.stopped || len(l.open) == 0 {
		return
	}
	if f := l.top(); f.began(l.at) && f.pc == s.PC {
		return
	}
	l.pass(s)
}

// began reports whether an instruction of a frame ran before a position.
func (f *openFrame) began(at Position) bool { return at > f.start }

func (l *live) enter(f *evm.Frame) {
	if l.stopped {
		return
	}
	l.tracker.enter(f)
	l.top().start = l.at
}

func (l *live) exit(*evm.Frame, evm.Status, []byte, uint64, error) {
	if !l.stopped {
		l.tracker.exit()
	}
}

// seek executes until a position that is not before the one at which it stands.
func (l *live) seek(ctx context.Context, to Position) error {
	if l.step != nil {
		if to == l.at {
			return nil
		}
		l.target, l.step = to, nil
		l.goOn <- struct{}{}
	}
	select {
	case <-l.stands:
		l.step = l.next
		return l.check()
	case <-l.over:
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errDiverged
	}
}

// check compares the position with the index.
func (l *live) check() error {
	r := l.recording
	if i := r.frameAt(l.at); i < 0 || r.frames[i].start != l.top().start {
		return errDiverged
	}
	if i := r.entryBefore(l.at); i >= 0 && r.entries[i].at == l.at && r.entries[i].depth != l.depth {
		return errDiverged
	}
	return nil
}

// stop ends the execution. It stands, or it is over.
func (l *live) stop() {
	if l.step == nil {
		return
	}
	machine := l.recording.Machine
	machine.Cancel()
	l.stopped, l.step = true, nil
	l.goOn <- struct{}{}
	<-l.over
	machine.Resume()
}
