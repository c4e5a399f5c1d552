package engine

import (
	"slices"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/engine/program"
)

// watchedTrail is how many of the last instructions of a frame are kept.
const watchedTrail = 1 << 12

// A failureWatch records where a transaction fails: the last instructions of the
// outermost frame, and of the innermost one whose failure it did not survive.
type failureWatch struct {
	open  [][]oracle.Site // the last instructions of each open frame
	outer []oracle.Site
	inner []oracle.Site
	depth int // of inner
}

// hooks returns the hooks for one transaction.
func (w *failureWatch) hooks() *evm.Hooks {
	*w = failureWatch{}
	return &evm.Hooks{
		Enter: func(*evm.Frame) { w.open = append(w.open, nil) },
		Step:  w.step,
		Exit:  w.exit,
	}
}

func (w *failureWatch) step(s *evm.Step) {
	top := &w.open[len(w.open)-1]
	if len(*top) == 2*watchedTrail {
		*top = append((*top)[:0], (*top)[watchedTrail:]...)
	}
	*top = append(*top, oracle.Site{Code: s.Frame.Code, PC: s.PC})
}

func (w *failureWatch) exit(f *evm.Frame, status evm.Status, _ []byte, _ uint64, _ error) {
	last := len(w.open) - 1
	trail := w.open[last]
	w.open = w.open[:last]
	switch {
	case f.Depth == 1:
		w.outer = trail
	case status == evm.Success && f.Depth < w.depth:
		w.inner, w.depth = nil, 0 // it survived
	case status != evm.Success && f.Depth >= w.depth && len(trail) > 0:
		w.inner, w.depth = trail, f.Depth // else it failed with its callee
	}
}

// places returns where the transaction failed: in the test's file, or wherever if
// it did not fail there; and in the project's sources, nil if it did not fail
// there.
func (w *failureWatch) places(p *program.Program, test string) (place, cause *finding.Place) {
	place = locate(p, w.outer, func(file string) bool { return file == test })
	if place == nil {
		place = locate(p, w.outer, func(string) bool { return true })
	}
	return place, locate(p, w.inner, func(file string) bool {
		return file != test && !strings.HasPrefix(file, "lib/") && !strings.Contains(file, "node_modules/")
	})
}

// locate returns the place of the newest instruction of a trail in certain files;
// nil if there is none.
func locate(p *program.Program, trail []oracle.Site, in func(file string) bool) *finding.Place {
	var wanted []oracle.Site
	for _, site := range slices.Backward(trail) {
		if l, ok := p.LocateSite(site); ok && in(l.Place.File) {
			wanted = append(wanted, site)
		}
	}
	l, ok := p.Locate(wanted)
	if !ok {
		return nil
	}
	return &l.Place
}
