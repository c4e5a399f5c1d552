package evm

import (
	"errors"
	"math"
	"unsafe"
)

// Bounds are what a Call may use besides its gas and its instructions; 0 sets no
// bound. Most are for Calls with so much gas that its price stops nothing: tests
// may have 2^64 of it. The gas of fuzzed transactions bounds all but Open: for each
// frame, memory begins at its lowest price again.
type Bounds struct {
	Memory int    // bytes of memory of all open frames; one that needs more halts with ErrMemory
	Open   int    // bytes of memory of all open frames; more ends the Call with ErrHeld
	Held   int    // estimated bytes that the World and the Call keep besides; more ends the Call with ErrHeld
	Work   uint64 // gas of what takes long by itself: copies, new code, and slowness times that of hashes and precompiled contracts; more ends the Call with ErrSlow
}

// Errors of Calls and frames at the Bounds of a Machine.
var (
	ErrMemory = errors.New("memory limit reached")
	ErrHeld   = errors.New("limit of kept data reached")
)

const (
	bulkSize  = 1 << 10 // bytes, from which on they count as work
	heldEvery = 1 << 10 // journal entries between estimates of what the Call keeps
	answerGas = 200     // work of an Inspector that answers a message,
	byteGas   = 4       // and of each byte that it reads or answers
	codeGas   = 1       // work per byte of new code
	slowness  = 8       // how many times as long as copies hashes and precompiled contracts take for their gas, about
)

// Estimated bytes of what a Call keeps, with the tables that find it.
const (
	undoSize      = int(unsafe.Sizeof(undo{}))
	wordSize      = int(unsafe.Sizeof(slotWord{})) + 4*int(unsafe.Sizeof(cell{}))
	transientSize = 2*int(unsafe.Sizeof(transientWord{})) + 16
	accountSize   = int(unsafe.Sizeof(account{})) + 64
	logSize       = int(unsafe.Sizeof(logEntry{}))
	topicSize     = 32
	codeFactor    = 4 // bytes of a Code per byte of its code
)

// A holding estimates the bytes that a Call keeps.
type holding struct {
	most  int // 0: no bound
	kept  int // by the World at the start, in code, and by the Inspector
	ticks int // journal entries until the next estimate
}

// bound sets what a Call on a World may keep.
func (o *overlay) bound(most int, env *Env) {
	o.holding = holding{most: most, ticks: math.MaxInt}
	if most == 0 {
		return
	}
	o.ticks = heldEvery
	for l := o.top; l != nil; l = l.below {
		o.kept += l.size
	}
	if env != nil {
		o.kept += env.Size
	}
}

// held estimates the bytes that the Call keeps.
func (o *overlay) held() int {
	l := &o.logs
	return o.kept + len(o.journal)*undoSize + len(o.words.list)*wordSize + len(o.transient.list)*transientSize +
		o.accounts.used*accountSize + len(l.list)*logSize + len(l.topics)*topicSize + len(l.data)
}

// weigh ends the Call if it keeps too much, with some bytes more.
func (o *overlay) weigh(more int) error {
	o.ticks = heldEvery
	if o.most == 0 {
		o.ticks = math.MaxInt
		return nil
	}
	if o.held()+more > o.most {
		o.stop(ErrHeld)
	}
	return o.accounts.err
}

// keep counts bytes that stay.
func (o *overlay) keep(bytes int) {
	o.kept += bytes
	if o.most > 0 && o.kept > o.most {
		o.stop(ErrHeld)
	}
}

// stop ends the Call before the next access to an account or to storage.
func (o *overlay) stop(err error) {
	if o.accounts.err == nil {
		o.accounts.err = err
	}
}

// work counts gas of what takes long.
func (m *Machine) work(gas uint64) error {
	if m.Bounds.Work == 0 {
		return nil
	}
	if gas > m.bulk {
		m.overlay.stop(ErrSlow)
		return m.overlay.accounts.err
	}
	m.bulk -= gas
	return nil
}

// workSlow counts gas of hashes and precompiled contracts.
func (m *Machine) workSlow(gas uint64) error {
	return m.work(min(gas, math.MaxUint64/slowness) * slowness)
}

// Work counts what the Inspector does for the Call, besides reading messages and
// answering them, in gas: what a contract could do for it in the same time.
func (s *State) Work(gas uint64) { _ = s.machine.work(gas) } // the Call ends with the message

// Hold counts bytes that the Inspector remembers, or no longer remembers. Env.Size
// has them for later Calls.
func (s *State) Hold(bytes int) { s.machine.overlay.keep(bytes) }

// reused returns a slice without elements, with its memory if that is not large.
func reused[T any](list []T, most int) []T {
	if cap(list) > most {
		return nil
	}
	return list[:0]
}

// Bounds of lists whose memory the next Call reuses: elements, and bytes of events and of
// return data.
const (
	keptEntries = 1 << 16
	keptBytes   = 1 << 20
	keptReturn  = 4 << 20
)
