package replay

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// Bounds of one Tx in a Trace. What comes behind them is left out: nobody
// reads so far, and a hostile contract could fill the memory.
const (
	maxItems = 4000
	maxSteps = 20000
)

// A Recorder writes down what the transactions of a Sequence do. It is used as
//
//	r.Begin(…); machine.Execute(…, r.Hooks()); r.End(…)
//
// for each transaction in turn.
type Recorder struct {
	source Resolver
	blamed finding.Finding
	trace  Trace
	hooks  evm.Hooks

	tx     *Tx
	open   []*frame
	codes  map[common.Address]*evm.Code
	hashes *preimages
	ledger ledger
	items  int
	steps  []Step
	here   []here
	reads  map[finding.Place]string
}

// here is a place that is to blame, seen while running.
type here struct {
	frame *Frame
	at    int // position in Items
	place finding.Place
}

// frame is a Frame while it runs.
type frame struct {
	*Frame
	code     *evm.Code
	codes    []*evm.Code // whose layout may be that of the storage, best first
	self     common.Address
	function *input.Function
	at       *Location // newest that is not Whole
	whole    *Location // newest that is
	step     *finding.Place
	undo     int    // of the ledger, before it
	moves    int    // of the Tx, before it
	failure  []byte // what the last call it made failed with
}

// NewRecorder returns a Recorder. The place, message and oracle of blamed
// decide which step is marked; they may be empty.
func NewRecorder(source Resolver, blamed finding.Finding) *Recorder {
	r := &Recorder{source: source, blamed: blamed, codes: map[common.Address]*evm.Code{}, hashes: newPreimages(), reads: map[finding.Place]string{}}
	r.hooks = evm.Hooks{Step: r.step, Fault: r.fault, Enter: r.enter, Exit: r.exit, Log: r.log}
	return r
}

// Deployed adds sentences about the deployment.
func (r *Recorder) Deployed(sentences ...string) {
	r.trace.Deployment = append(r.trace.Deployment, sentences...)
}

// Begin starts a transaction, or the check of a property, in w.
func (r *Recorder) Begin(opening Opening, block input.BlockTime, w *evm.World) {
	r.trace.Txs = append(r.trace.Txs, Tx{Opening: opening, Block: block})
	r.tx = &r.trace.Txs[len(r.trace.Txs)-1]
	r.ledger = newLedger(w)
	r.open, r.items, r.steps, r.here = nil, 0, nil, nil
}

// Hooks returns what to hand to the Machine.
func (r *Recorder) Hooks() *evm.Hooks { return &r.hooks }

// End ends the transaction.
func (r *Recorder) End() {
	r.tx.Steps = fold(r.steps)
	r.mark()
}

// Trace returns what was recorded. The Recorder is not to be used afterwards.
func (r *Recorder) Trace() *Trace { return &r.trace }

// top returns the innermost frame; nil outside of all.
func (r *Recorder) top() *frame {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

// place is where a frame is in the user's source.
func (f *frame) place() *Location {
	if f.at != nil {
		return f.at
	}
	return f.whole
}

// placed returns the place of a Location, nil for none.
func placed(l *Location) *finding.Place {
	if l == nil {
		return nil
	}
	p := l.Place
	return &p
}

// step looks at every instruction: where it stands, and whether it hashes or
// stores.
func (r *Recorder) step(s *evm.Step) {
	f := r.top()
	if f == nil {
		return
	}
	if r.locate(f, s.PC) && s.Op != opJumpdest && (s.Op < opPush0 || s.Op > opPush32) {
		r.follow(f)
	}
	switch s.Op {
	case opKeccak256:
		r.hashes.step(s)
	case opSload:
		r.read(f, word{f.self, *s.Top(0), false})
	case opSstore:
		r.store(f, word{f.self, *s.Top(0), false}, *s.Top(1))
	case opTstore:
		r.store(f, word{f.self, *s.Top(0), true}, *s.Top(1))
	case opRevert:
		f.Failed = placed(f.place())
	}
}

// The instructions that are looked into.
const (
	opKeccak256 = 0x20
	opSload     = 0x54
	opSstore    = 0x55
	opJumpdest  = 0x5b
	opTstore    = 0x5d
	opPush0     = 0x5f
	opPush32    = 0x7f
	opRevert    = 0xfd
)

// locate follows a frame through the source. It reports whether the
// instruction stands for a place of its own.
func (r *Recorder) locate(f *frame, pc uint64) bool {
	if f.code == nil || r.source.Locate == nil {
		return false
	}
	l := r.source.Locate(f.code, pc)
	switch {
	case l == nil:
		return false
	case l.Whole:
		f.whole = l
		return false
	case l == f.at:
		return true
	}
	f.at = l
	if same(l.Place, r.blamed.Place) && len(r.here) < maxItems {
		r.here = append(r.here, here{f.Frame, len(f.Items), l.Place})
	}
	return true
}

// follow notes the statement that a frame is in, if it is another than before.
// It is not asked for jump destinations and pushes: in optimised code they are
// left of statements that are not executed.
func (r *Recorder) follow(f *frame) {
	l := f.at
	if l == nil || l.Step.File == "" || f.step != nil && same(*f.step, l.Step) {
		return
	}
	f.step = &l.Step
	if len(r.steps) < maxSteps {
		r.steps = append(r.steps, Step{Depth: len(r.open), Place: l.Step, Text: l.StepText, Times: 1, Of: 1})
	} else {
		r.tx.Omitted = true
	}
}

// same reports whether two places are one range of one file.
func same(a, b finding.Place) bool {
	return a.File == b.File && a.Span.Start == b.Span.Start && a.Span.Length == b.Span.Length && a.File != ""
}

// fault notes the instruction that halts a frame. It has not had its effect.
func (r *Recorder) fault(s *evm.Step, _ error) {
	f := r.top()
	if f == nil {
		return
	}
	r.locate(f, s.PC)
	f.Failed = placed(f.place())
}

// add appends an item to a frame, unless there are too many.
func (r *Recorder) add(f *frame, i Item) bool {
	if r.items >= maxItems {
		r.tx.Omitted = true
		return false
	}
	r.items++
	f.Items = append(f.Items, i)
	return true
}

// store notes what a write does to the variables in a slot. What the
// attacker's contract keeps for itself is of no interest.
func (r *Recorder) store(f *frame, w word, after uint256.Int) {
	before := r.ledger.set(w, after)
	if before == after || w.account == input.Attacker.Address() {
		return
	}
	for _, v := range r.changes(f, w, before, after) {
		r.add(f, Item{
			Kind: ItemWrite, Name: r.named(v.Path), Before: r.named(plainer(v.Before)), After: r.named(plainer(v.After)),
			Place: placed(f.place()),
		})
	}
}

// changes names what differs between two words of a slot, by the layout of the
// code that runs, or of the account that it runs for.
func (r *Recorder) changes(f *frame, w word, before, after uint256.Int) []VariableChange {
	if !w.transient && r.source.Changes != nil {
		for _, code := range f.codes {
			if list := r.source.Changes(code, before, after, StorageSlot{w.key, r.hashes.find}); len(list) > 0 {
				return list
			}
		}
	}
	name := "slot "
	if w.transient {
		name = "transient slot "
	}
	return []VariableChange{{name + r.slot(w.key, 0), plainWord(&before), plainWord(&after)}}
}

// slot names a storage word without a layout, by what was hashed to reach it:
// "1[user1]" for an entry of what may be a mapping in slot 1.
func (r *Recorder) slot(key uint256.Int, hashes int) string {
	preimage, offset, ok := r.hashes.find(key)
	if !ok || hashes > maxNested || len(preimage) != 32 && len(preimage) != 64 {
		return plainWord(&key)
	}
	var base, index uint256.Int
	base.SetBytes(preimage[len(preimage)-32:])
	if len(preimage) == 32 {
		return r.slot(base, hashes+1) + "[" + offset.Dec() + "]"
	}
	index.SetBytes(preimage[:32])
	name := r.slot(base, hashes+1) + "[" + r.key(&index) + "]"
	if !offset.IsZero() {
		name += " + " + offset.Dec()
	}
	return name
}

// maxNested bounds how many hashes of a slot are taken apart.
const maxNested = 4

// key writes a word that may be an address.
func (r *Recorder) key(w *uint256.Int) string {
	a := common.Address(w.Bytes20())
	if name := r.name(a); w.BitLen() <= 160 && !w.IsZero() && name != a.Hex() {
		return name
	}
	return plainWord(w)
}

// plainWord writes a word of which nothing is known: what may be a number in
// decimal.
func plainWord(w *uint256.Int) string {
	if w.BitLen() <= 128 {
		return w.Dec()
	}
	return w.Hex()
}

// log notes an event.
func (r *Recorder) log(ef *evm.Frame, l *evm.Log) {
	f := r.top()
	if f == nil {
		return
	}
	item := Item{Kind: ItemEvent, Place: placed(f.place())}
	item.Name, item.Args = r.decodeLog(f.code, l)
	if ef.Self != l.Address {
		item.Name = r.name(l.Address) + "." + item.Name
	}
	r.add(f, item)
	if m, ok := r.transfer(l); ok && len(r.tx.Moves) < maxItems {
		r.tx.Moves = append(r.tx.Moves, m)
	}
}
