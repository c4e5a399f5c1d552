package oracle

import (
	"slices"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// trailLength bounds the trail of a frame in instructions. The compiler's
// helpers are far shorter.
const trailLength = 1024

// A Monitor runs several oracles on the same Sequence.
type Monitor struct {
	Steps uint64 // instructions so far, and searches in sources

	oracles  []*Oracle
	watchers []Watcher
	wants    [][256]bool
	env      *Env             // with the trails and observer set
	observer *shadow.Observer // nil if no oracle needs taint
	state    *shadow.State    // taint state of the Sequence so far
	events   shadow.Events    // merged taint events of the watchers
	hooks    evm.Hooks
}

// NewMonitor returns a Monitor for one Sequence. If an oracle needs taint, it
// uses observer during each transaction; other Monitors may use it in between.
func NewMonitor(oracles []*Oracle, env *Env, observer *shadow.Observer) *Monitor {
	p := &Monitor{oracles: oracles, observer: observer, state: shadow.NewState()}
	if env.trails == nil {
		env.trails = new(trails)
	}
	inner := *env
	inner.observer, inner.steps, p.env = p.observer, &p.Steps, &inner
	for _, o := range oracles {
		w := o.Watch(&inner)
		p.watchers = append(p.watchers, w)
		p.wants = append(p.wants, wanted(&w))
	}
	var any bool
	if p.events, any = p.flows(); !any {
		p.observer = nil
	}
	p.hooks = evm.Hooks{Step: p.step, Fault: p.fault, Enter: p.enter, Exit: p.exit, Log: p.log}
	return p
}

func wanted(w *Watcher) (table [256]bool) {
	for op := range table {
		table[op] = w.Step != nil && w.Ops == nil
	}
	for _, op := range w.Ops {
		table[op] = w.Step != nil
	}
	return table
}

// Taints reports whether the Monitor tracks taint.
func (p *Monitor) Taints() bool { return p.observer != nil }

// Begin starts a transaction in w.
func (p *Monitor) Begin(tx *input.Tx, w *evm.World) {
	p.env.trails.reset()
	if p.observer != nil {
		p.observer.Attach(p.state)
		p.observer.Events = p.events
	}
	for i := range p.watchers {
		if f := p.watchers[i].Begin; f != nil {
			f(tx, w)
		}
	}
}

// Hooks returns the hooks for the Machine.
func (p *Monitor) Hooks() *evm.Hooks { return &p.hooks }

// End ends the transaction and returns what its oracles report.
func (p *Monitor) End(o *evm.Outcome, w *evm.World) []Report {
	var reports []Report
	for i := range p.watchers {
		if f := p.watchers[i].End; f != nil {
			f(o, w, func(r Report) {
				if r.Oracle == nil {
					r.Oracle = p.oracles[i]
				}
				reports = append(reports, r)
			})
		}
	}
	entered := func(r Report) bool { return r.Oracle == &Reentrancy }
	p.env.entered = append(p.env.entered, slices.ContainsFunc(reports, entered))
	return reports
}

func (p *Monitor) enter(f *evm.Frame) {
	p.env.trails.enter(f)
	if p.observer != nil {
		p.observer.Enter(f)
	}
	for i := range p.watchers {
		if h := p.watchers[i].Enter; h != nil {
			h(f)
		}
	}
}

func (p *Monitor) step(s *evm.Step) {
	p.Steps++
	p.env.trails.step(s)
	if p.observer != nil {
		p.observer.Step(s)
	}
	for i := range p.watchers {
		if p.wants[i][s.Op] {
			p.watchers[i].Step(s)
		}
	}
}

func (p *Monitor) fault(s *evm.Step, err error) {
	p.env.trails.fault(s)
	for i := range p.watchers {
		if h := p.watchers[i].Fault; h != nil {
			h(s, err)
		}
	}
}

func (p *Monitor) exit(f *evm.Frame, status evm.Status, ret []byte, gasUsed uint64, halt error) {
	for i := range p.watchers {
		if h := p.watchers[i].Exit; h != nil {
			h(f, status, ret, halt)
		}
	}
	p.env.trails.exit()
	if p.observer != nil {
		p.observer.Exit(f, status, ret, gasUsed, halt)
	}
}

func (p *Monitor) log(f *evm.Frame, l *evm.Log) {
	for i := range p.watchers {
		if h := p.watchers[i].Log; h != nil {
			h(f, l)
		}
	}
}

// trails holds the last instructions of each open frame, for all Monitors of an Env: one
// transaction runs at a time.
type trails struct {
	open []trail
	room []Site // of which the results of brief are parts
}

type trail struct {
	code *evm.Code
	ring []uint32 // pcs
	n    int      // number of instructions
}

func (t *trails) reset() { t.open, t.room = t.open[:0], t.room[:0] }

func (t *trails) enter(f *evm.Frame) {
	if len(t.open) < cap(t.open) {
		t.open = t.open[:len(t.open)+1]
	} else {
		t.open = append(t.open, trail{})
	}
	top := &t.open[len(t.open)-1]
	top.code, top.n, top.ring = f.Code, 0, top.ring[:0]
}

func (t *trails) exit() { t.open = t.open[:len(t.open)-1] }

func (t *trails) step(s *evm.Step) {
	if len(t.open) == 0 {
		return
	}
	top := &t.open[len(t.open)-1]
	if top.n < trailLength {
		top.ring = append(top.ring, uint32(s.PC))
	} else {
		top.ring[top.n%trailLength] = uint32(s.PC)
	}
	top.n++
}

// fault adds the halting instruction unless step has added it.
func (t *trails) fault(s *evm.Step) {
	if len(t.open) == 0 {
		return
	}
	top := &t.open[len(t.open)-1]
	if top.n > 0 && top.ring[(top.n-1)%trailLength] == uint32(s.PC) {
		return
	}
	t.step(s)
}

// backward calls yield with the instructions of the innermost frame, newest first.
func (t *trails) backward(yield func(Site) bool) { t.backwardIn(len(t.open), yield) }

// backwardIn is backward for the open frame of a depth, from 1.
func (t *trails) backwardIn(depth int, yield func(Site) bool) {
	if depth < 1 || depth > len(t.open) {
		return
	}
	at := &t.open[depth-1]
	for i := at.n - 1; i >= 0 && i >= at.n-trailLength; i-- {
		if !yield(Site{at.code, uint64(at.ring[i%trailLength])}) {
			return
		}
	}
}

// brief returns the instructions of the innermost frame, newest first. They are valid
// until the transaction ends.
func (t *trails) brief() []Site { return t.briefIn(len(t.open)) }

// briefIn is brief for the open frame of a depth, from 1.
func (t *trails) briefIn(depth int) []Site {
	from := len(t.room)
	for site := range func(yield func(Site) bool) { t.backwardIn(depth, yield) } {
		t.room = append(t.room, site)
	}
	return t.room[from:len(t.room):len(t.room)]
}
