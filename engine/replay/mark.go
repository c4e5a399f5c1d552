package replay

import (
	"slices"

	"leveret/engine/finding"
)

// mark marks the step of the transaction to blame: the last call, event, write
// or failure at the blamed place; if there is none, the last execution of the
// place. It removes the marks of earlier transactions.
func (r *Recorder) mark() {
	if r.blamed.Place.File == "" {
		return
	}
	why := r.blamed.Oracle
	switch {
	case r.tx.Root == nil:
		return
	case markLast(r.tx.Root, r.blamed.Place, why):
		r.unmarkEarlier()
		return
	case r.tx.Check:
		r.tx.Root.Here = why
		r.unmarkEarlier()
		return
	case len(r.here) == 0:
		return
	}
	h := r.here[len(r.here)-1]
	place := h.place
	h.frame.Items = slices.Insert(h.frame.Items, min(h.at, len(h.frame.Items)), Item{Kind: ItemHere, Place: &place, Here: why, At: h.ran})
	r.unmarkEarlier()
}

// markLast marks the last item at a place within f.
func markLast(f *Frame, place finding.Place, why string) bool {
	if at(f.Failed, place) {
		f.Here = why
		return true
	}
	for i := len(f.Items) - 1; i >= 0; i-- {
		item := &f.Items[i]
		if item.Call != nil && markLast(item.Call, place, why) {
			return true
		}
		if at(item.Place, place) {
			item.Here = why
			return true
		}
	}
	return false
}

func at(p *finding.Place, place finding.Place) bool { return p != nil && same(*p, place) }

// unmarkEarlier removes the marks of the earlier transactions.
func (r *Recorder) unmarkEarlier() {
	for i := range r.trace.Txs[:len(r.trace.Txs)-1] {
		if call := r.trace.Txs[i].Root; call != nil {
			unmark(call)
		}
	}
}

func unmark(f *Frame) {
	f.Here = ""
	f.Items = slices.DeleteFunc(f.Items, func(i Item) bool { return i.Kind == ItemHere })
	for i := range f.Items {
		f.Items[i].Here = ""
		if f.Items[i].Call != nil {
			unmark(f.Items[i].Call)
		}
	}
}
