package replay

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// Limits of one Tx in a Trace. The rest is omitted: nobody reads that far, and
// a hostile contract could exhaust the memory.
const (
	maxItems = 4000
	maxSteps = 20000
)

// A Recorder records the transactions of a Sequence as a Trace: call
//
//	r.Begin(…); machine.Execute(…, r.Hooks()); r.End(…)
//
// for each transaction.
type Recorder struct {
	source Resolver
	blamed finding.Finding
	trace  Trace
	hooks  evm.Hooks

	tx     *Tx
	open   []*frame
	codes  map[common.Address]*evm.Code
	hashes *Preimages
	ledger ledger
	ran    int // instructions of tx so far
	items  int
	steps  []Step
	here   []here
	reads  map[finding.Place]string
}

// A here is a blamed place that a frame executed.
type here struct {
	frame *Frame
	at    int // index in Items
	place finding.Place
	ran   int // instruction of the Tx
}

// A frame is a running Frame.
type frame struct {
	*Frame
	code     *evm.Code
	codes    []*evm.Code // candidates for the storage layout, best first
	self     common.Address
	function *input.Function
	at       *Location // newest one that is not Whole
	whole    *Location // newest one that is
	step     *finding.Place
	begun    bool   // an instruction of it ran
	pc       uint64 // of the last one
	undo     int    // length of the ledger before it
	moves    int    // number of the Tx's moves before it
	failure  []byte // revert data of the last failed call it made
}

// NewRecorder returns a Recorder. The place, message and oracle of blamed
// select the marked step; they may be empty.
func NewRecorder(source Resolver, blamed finding.Finding) *Recorder {
	r := &Recorder{source: source, blamed: blamed, codes: map[common.Address]*evm.Code{}, hashes: NewPreimages(), reads: map[finding.Place]string{}}
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
	r.open, r.ran, r.items, r.steps, r.here = nil, 0, 0, nil, nil
}

// Hooks returns what to hand to the Machine.
func (r *Recorder) Hooks() *evm.Hooks { return &r.hooks }

// End ends the transaction.
func (r *Recorder) End() {
	r.tx.Steps = fold(r.steps)
	r.mark()
}

// Trace returns the record. The Recorder must not be used afterwards.
func (r *Recorder) Trace() *Trace { return &r.trace }

// top returns the innermost frame; nil outside of all.
func (r *Recorder) top() *frame {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

// place is the position of a frame in the source.
func (f *frame) place() *Location {
	if f.at != nil {
		return f.at
	}
	return f.whole
}

// placed returns the place of a Location; nil for none.
func placed(l *Location) *finding.Place {
	if l == nil {
		return nil
	}
	p := l.Place
	return &p
}

// step handles every instruction: its place, hashes and writes.
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
		r.hashes.Step(s)
	case opSload:
		r.read(f, word{f.self, *s.Top(0), false})
	case opSstore:
		r.store(f, word{f.self, *s.Top(0), false}, *s.Top(1))
	case opTstore:
		r.store(f, word{f.self, *s.Top(0), true}, *s.Top(1))
	case opRevert:
		f.Failed = placed(f.place())
	}
	f.begun, f.pc = true, s.PC
	r.ran++
}

// The instructions that step inspects.
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

// locate updates the place of a frame. It reports whether the instruction has a
// place of its own.
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
		r.here = append(r.here, here{f.Frame, len(f.Items), l.Place, r.ran})
	}
	return true
}

// follow records the frame's statement if it changed. It skips jump
// destinations and pushes: in optimised code they remain of statements that are
// not executed.
func (r *Recorder) follow(f *frame) {
	l := f.at
	if l == nil || l.Step.File == "" || f.step != nil && same(*f.step, l.Step) {
		return
	}
	f.step = &l.Step
	if len(r.steps) < maxSteps {
		r.steps = append(r.steps, Step{Depth: len(r.open), Place: l.Step, Text: l.StepText, At: r.ran, Times: 1, Of: 1})
	} else {
		r.tx.Omitted = true
	}
}

// same reports whether two places are the same range of one file.
func same(a, b finding.Place) bool {
	return a.File == b.File && a.Span.Start == b.Span.Start && a.Span.Length == b.Span.Length && a.File != ""
}

// fault records the instruction that halts a frame. It had no effect. If it could not be
// paid, step did not see it.
func (r *Recorder) fault(s *evm.Step, _ error) {
	f := r.top()
	if f == nil {
		return
	}
	r.locate(f, s.PC)
	f.Failed = placed(f.place())
	if !f.begun || f.pc != s.PC {
		f.begun, f.pc = true, s.PC
		r.ran++
	}
}

// last returns the newest instruction of the transaction.
func (r *Recorder) last() int { return max(0, r.ran-1) }

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

// store records the variables that a write changes. Writes of the attacker
// contract to itself are internal.
func (r *Recorder) store(f *frame, w word, after uint256.Int) {
	before := r.ledger.set(w, after)
	if before == after || w.account == input.Attacker.Address() {
		return
	}
	for _, v := range r.changes(f, w, before, after) {
		r.add(f, Item{
			Kind: ItemWrite, Name: r.named(v.Path), Before: r.named(plainNumber(v.Before)), After: r.named(plainNumber(v.After)),
			Place: placed(f.place()), At: r.ran,
		})
	}
}

// changes names the differences between two values of a slot, by the layout of
// the running code or of the account it runs for.
func (r *Recorder) changes(f *frame, w word, before, after uint256.Int) []VariableChange {
	if !w.transient && r.source.Changes != nil {
		for _, code := range f.codes {
			if list := r.source.Changes(code, before, after, StorageSlot{w.key, r.hashes.Find}); len(list) > 0 {
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

// slot describes a storage word without a layout by its preimages: "1[user1]"
// for an entry of what may be a mapping in slot 1.
func (r *Recorder) slot(key uint256.Int, hashes int) string {
	preimage, offset, ok := r.hashes.Find(key)
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

// maxNested bounds the nested preimages of a slot.
const maxNested = 4

// key writes a word that may be an address.
func (r *Recorder) key(w *uint256.Int) string {
	a := common.Address(w.Bytes20())
	if name := r.name(a); w.BitLen() <= 160 && !w.IsZero() && name != a.Hex() {
		return name
	}
	return plainWord(w)
}

// plainWord formats a word of unknown type, in decimal if it may be a number.
func plainWord(w *uint256.Int) string {
	if w.BitLen() <= 128 {
		return w.Dec()
	}
	return w.Hex()
}

// log records an event.
func (r *Recorder) log(ef *evm.Frame, l *evm.Log) {
	f := r.top()
	if f == nil {
		return
	}
	item := Item{Kind: ItemEvent, Place: placed(f.place()), At: r.last()}
	item.Name, item.Args = r.decodeLog(f.code, l)
	if ef.Self != l.Address {
		item.Name = r.name(l.Address) + "." + item.Name
	}
	r.add(f, item)
	if m, ok := r.transfer(l); ok && len(r.tx.Moves) < maxItems {
		r.tx.Moves = append(r.tx.Moves, m)
	}
}
