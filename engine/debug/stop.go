package debug

import (
	"fmt"
	"sort"

	"leveret/engine/replay"
)

// Stop returns the position of a line of the Trace of the same execution. Where a call
// begins, it is that of its first statement.
func (r *Recording) Stop(s replay.Stop) (Position, error) {
	for i := range r.txs {
		t := &r.txs[i]
		if t.Number != s.Tx {
			continue
		}
		if at := int(t.start) + s.Instruction; s.Instruction >= 0 && at < int(t.end) {
			return r.statementOf(Position(at)), nil
		}
		break
	}
	return 0, fmt.Errorf("the recording does not reach line %s of the trace", s)
}

// statementOf returns the position of the first statement of the frame that begins at a
// position; the position itself if none does.
func (r *Recording) statementOf(p Position) Position {
	i := sort.Search(len(r.frames), func(i int) bool { return r.frames[i].start >= p })
	if i == len(r.frames) || r.frames[i].start != p {
		return p
	}
	n := sort.Search(len(r.entries), func(n int) bool { return r.entries[n].at >= p })
	if n < len(r.entries) && r.entries[n].at < r.frames[i].end {
		return r.entries[n].at
	}
	return p
}
