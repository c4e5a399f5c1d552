package oracle

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// A visit is one frame, kept after it closed.
type visit struct {
	parent   *visit
	from     Site // instruction that opened it
	to, self common.Address
	project  bool
	data     []byte
	closed   int // number of accesses when it closed
	opened   int // number of accesses when it opened
	ended    int // number of frames that closed before it
	success  bool
}

// done reports whether no effect of a visit was reverted.
func (v *visit) done() bool {
	for ; v != nil; v = v.parent {
		if !v.success {
			return false
		}
	}
	return true
}

// within reports whether v is w or was opened by it, directly or indirectly.
func (v *visit) within(w *visit) bool {
	for ; v != nil; v = v.parent {
		if v == w {
			return true
		}
	}
	return false
}

// An access is a read or write of a storage word.
type access struct {
	at    *visit
	site  Site // of the source
	slot  common.Hash
	write bool
}

// visits are the frames and storage accesses of one transaction.
type visits struct {
	all      []*visit
	current  *visit
	ended    int // frames that closed
	accesses []access
}

var accessOps = []byte{bytecode.SLOAD, bytecode.SSTORE}

func (t *visits) reset() { t.all, t.current, t.ended, t.accesses = t.all[:0], nil, 0, t.accesses[:0] }

func (t *visits) enter(f *evm.Frame, project bool) {
	v := &visit{
		parent: t.current, to: f.To, self: f.Self, project: project,
		data: slices.Clone(f.Input), opened: len(t.accesses),
	}
	if f.Parent != nil {
		v.from = Site{f.Parent.Code, f.PC}
	}
	t.all, t.current = append(t.all, v), v
}

func (t *visits) exit(status evm.Status) {
	v := t.current
	v.success, v.closed, v.ended = status == evm.Success, len(t.accesses), t.ended
	t.ended++
	t.current = v.parent
}

func (t *visits) access(s *evm.Step, site Site) {
	t.accesses = append(t.accesses, access{
		at: t.current, site: site, slot: s.Top(0).Bytes32(), write: s.Op == bytecode.SSTORE,
	})
}

// late returns the first write of the outer frame after its call to a word that
// the inner one accessed; nil if there is none. Writes in further calls to the
// attacker do not count.
func (t *visits) late(e *reentrance) *access {
	touched := map[common.Hash]bool{}
	for i := e.inner.opened; i < e.inner.closed; i++ {
		if a := &t.accesses[i]; a.at.self == e.inner.self && a.at.within(e.inner) && a.at.done() {
			touched[a.slot] = true
		}
	}
	for i := e.call.closed; i < e.outer.closed; i++ {
		a := &t.accesses[i]
		if a.write && touched[a.slot] && a.at.self == e.outer.self && a.at.done() && !a.at.behind(e.outer) {
			return a
		}
	}
	return nil
}

// behind reports whether the attacker is between w and v in the call stack.
func (v *visit) behind(w *visit) bool {
	for ; v != nil && v != w; v = v.parent {
		if v.to == input.Attacker.Address() {
			return true
		}
	}
	return false
}

// reentry returns the call by the attacker contract that led to v; nil if the transaction
// did.
func (v *visit) reentry() *visit {
	for ; v != nil; v = v.parent {
		if v.parent != nil && v.parent.self == input.Attacker.Address() {
			return v
		}
	}
	return nil
}

// answers returns what the attacker contract answered to what one of its calls led to, or
// to the rest of the transaction if that is nil. The contract answers a call once its own
// calls are done.
func (t *visits) answers(all [][]uint256.Int, reentry *visit) (list [][]uint256.Int) {
	if len(all) < 2 {
		return all
	}
	var asked []*visit
	for _, v := range t.all {
		if v.self == input.Attacker.Address() && v.to == v.self && len(v.data) > 0 && v.reentry() != v && v.done() {
			asked = append(asked, v)
		}
	}
	slices.SortFunc(asked, func(a, b *visit) int { return a.ended - b.ended })
	for n, v := range asked {
		if v.reentry() == reentry {
			list = append(list, all[min(n, len(all)-1)])
		}
	}
	if len(list) == 0 {
		return all[len(all)-1:]
	}
	return list
}

// calledBy counts the calls from one account to another.
func (t *visits) calledBy(from, to common.Address) int {
	n := 0
	for _, v := range t.all {
		if v.parent != nil && v.parent.self == from && v.to == to {
			n++
		}
	}
	return n
}

// spaced inserts a space into "1ether".
func spaced(s string) string {
	if unit := strings.IndexFunc(s, func(c rune) bool { return c >= 'a' }); unit > 0 {
		return s[:unit] + " " + s[unit:]
	}
	return s
}
