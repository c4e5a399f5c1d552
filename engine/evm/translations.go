package evm

// translations are the translations of a Machine, by Code.ID: without and with
// recording.
type translations struct {
	bare, recorded []*translation
	calls          uint
}

// Limits of translations.
const (
	maxOperations = 800_000 // of all, or as much memory; beyond it they are discarded
	rareSize      = 3       // operations that take as much memory as a rareOp
	countEvery    = 1 << 10 // Calls between counts
	leastGas      = 20_000  // with less, a frame may run out of gas
)

// translationOf returns the translation of a frame's code for the fast mode; nil
// if the frame runs in the exact mode: creation code, which runs once, frames that
// may run out of gas, and all that Hooks watch.
func (m *Machine) translationOf(f *frame) *translation {
	if !m.quick || f.creates() || f.Code.ID == Overflow || f.scarce() {
		return nil
	}
	watch := m.watchOf(f)
	list := &m.codes.bare
	if watch != nil {
		list = &m.codes.recorded
	}
	for len(*list) <= f.Code.ID {
		*list = append(*list, nil)
	}
	t := (*list)[f.Code.ID]
	alike := t != nil && t.code.alike(f.Code)
	if alike && t.watch != watch && watch != nil && t.watch.comparable(watch) {
		t.rewatch(watch)
	}
	if !alike || t.watch != watch {
		t = &translation{code: f.Code, fork: m.Chain.Fork, watch: watch, roots: make([]*node, len(f.Code.Bytes)+1)}
		(*list)[f.Code.ID] = t
	}
	return t
}

// bound discards all translations once they are too large.
func (ts *translations) bound() {
	if ts.calls++; ts.calls%countEvery != 0 {
		return
	}
	size := 0
	for _, list := range [][]*translation{ts.bare, ts.recorded} {
		for _, t := range list {
			if t != nil {
				size += t.size + rareSize*t.rares + len(t.roots)/8
			}
		}
	}
	if size > maxOperations {
		*ts = translations{}
	}
}
