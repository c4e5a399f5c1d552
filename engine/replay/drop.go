package replay

import "slices"

// Drop returns a subsequence of seq that still fails and from which no single
// element can be removed. It removes large parts first, calls fails at most
// budget times and decrements budget.
func Drop[T any](seq []T, fails func([]T) bool, budget *int) []T {
	d := newDropping(seq)
	for *budget > 0 {
		shorter, ok := d.next()
		if !ok {
			break
		}
		*budget--
		d.tell(fails(shorter))
	}
	return d.seq
}

// A dropping is the state of Drop: what is left, and the part to remove next.
type dropping[T any] struct {
	seq    []T
	at     int  // index of the part to remove next
	size   int  // of that part
	shrunk bool // a part of that size was removed
	repeat bool // parts are not removed, but replaced by repetitions of the element before or after

	join func(removed []T, next T) T // what follows a removed part; nil: it stays as it is
}

func newDropping[T any](seq []T) *dropping[T] {
	return &dropping[T]{seq: seq, size: max(1, len(seq)/2)}
}

// next returns what to try next; false if no single element can be removed.
func (d *dropping[T]) next() (shorter []T, ok bool) {
	for d.size > 0 {
		switch {
		case d.at+d.size > len(d.seq):
		case !d.repeat:
			return d.without(d.at, d.at+d.size), true
		case d.size < len(d.seq):
			by := d.at - 1
			if by < 0 {
				by = d.size
			}
			return slices.Concat(d.seq[:d.at], slices.Repeat(d.seq[by:by+1], d.size), d.seq[d.at+d.size:]), true
		}
		if !d.shrunk || d.size > 1 {
			d.size /= 2
		}
		d.at, d.shrunk = 0, false
	}
	return nil, false
}

// without returns the elements but those of one part.
func (d *dropping[T]) without(from, to int) []T {
	shorter := slices.Concat(d.seq[:from], d.seq[to:])
	if d.join != nil && to < len(d.seq) {
		shorter[from] = d.join(d.seq[from:to], shorter[from])
	}
	return shorter
}

// tell says whether what next returned fails.
func (d *dropping[T]) tell(fails bool) {
	if !fails {
		d.at += d.size
		return
	}
	d.seq, _ = d.next()
	d.shrunk = true
	if d.repeat {
		d.at += d.size
	}
}
