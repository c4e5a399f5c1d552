package oracle

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// EtherLeak reports wei that a stranger can take (SWC-105).
//
// A stranger is an actor whom the contract cannot know: the transactions of
// others come first and never name it, and no constructor was told of it. It
// pays nothing, in wei or tokens, and ends with more wei. Whoever pays to play
// and wins, is refunded, or is paid by others is none.
var EtherLeak = Oracle{
	Name: "ether-leak", SWC: "SWC-105", Severity: finding.Error,
	Title: "Anybody can take wei of others",
	Watch: func(scene *Scene) Watcher {
		l := &leaks{scene: scene}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				l.history.begin(tx, w)
				l.payments, l.open = l.payments[:0], l.open[:0]
			},
			Enter: l.enter, Exit: l.exit, End: l.end,
		}
	},
}

// A payment is wei that a contract of the project sends to an actor.
type payment struct {
	to   common.Address
	by   common.Address
	wei  uint256.Int
	site Site
}

type leaks struct {
	scene *Scene
	history
	payments []payment
	open     []int // len(payments) when the open frames began
}

func (l *leaks) enter(f *evm.Frame) {
	l.open = append(l.open, len(l.payments))
	if f.Kind != evm.FrameCall || f.Value.IsZero() || f.Parent == nil || !project(l.scene, f.Parent) {
		return
	}
	if _, actor := input.ActorOf(f.To); actor {
		l.payments = append(l.payments, payment{f.To, f.Parent.Self, f.Value, Site{f.Parent.Code, f.PC}})
	}
}

func (l *leaks) exit(_ *evm.Frame, status evm.Status, _ []byte, _ error) {
	last := len(l.open) - 1
	if status != evm.Success {
		l.payments = l.payments[:l.open[last]]
	}
	l.open = l.open[:last]
}

func (l *leaks) end(o *evm.Outcome, w *evm.World, report func(Report)) {
	l.history.end(o)
	from := l.last().From
	paid := l.paid(from.Address())
	if o.Status != evm.Success || paid == nil {
		return
	}
	first, ok := l.stranger(from)
	if !ok {
		return
	}
	before, after := l.scene.Holdings(l.worlds[first], from.Address()), l.scene.Holdings(w, from.Address())
	for i := range before {
		if before[i].Gt(&after[i]) {
			return
		}
	}
	var taken uint256.Int
	if taken.Sub(&after[0], &before[0]).IsZero() {
		return
	}
	trail := []Site{paid.site}
	held, left := l.worlds[first].Balance(paid.by), w.Balance(paid.by)
	if !left.Lt(&held) {
		return // it was not the contract's
	}
	report(Report{
		Trail: trail, Contract: paid.by, Alone: true,
		Message: fmt.Sprintf("anyone can take %s that others put in: %s", spaced(input.FormatWei(&taken)), l.scene.Blame(trail).name()),
		Evidence: []finding.Evidence{
			{Name: "taken by " + from.String(), Value: spaced(input.FormatWei(&taken))},
			{Name: "held by " + l.scene.Name(paid.by) + " before", Value: spaced(input.FormatWei(&held))},
		},
		Sign: finding.Gain{Who: from, Most: before[0]},
	})
}

// paid returns the largest payment to an account in this transaction.
func (l *leaks) paid(who common.Address) *payment {
	var most *payment
	for i := range l.payments {
		if p := &l.payments[i]; p.to == who && (most == nil || p.wei.Gt(&most.wei)) {
			most = p
		}
	}
	return most
}

// stranger returns an actor's first transaction, if it is one whom nothing
// before it can know and if it paid nothing.
func (l *leaks) stranger(who input.Actor) (first int, ok bool) {
	address := who.Address()
	if l.scene.deployed(address) {
		return 0, false
	}
	first = len(l.txs)
	for first > 0 && (l.txs[first-1].From == who || l.failed[first-1]) {
		first--
		if !l.failed[first] && !l.txs[first].Value.IsZero() {
			return first, false
		}
	}
	for i := range first {
		if !l.failed[i] && (l.txs[i].From == who || mentions(&l.txs[i], address)) {
			return first, false
		}
	}
	for i := first; i < len(l.txs); i++ {
		if s := l.txs[i].Agent; s != nil && !s.Value.IsZero() {
			return first, false
		}
	}
	return first, true
}
