package solve

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/attacker"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// A Writer writes values into the sources of words: it inverts a linear flow
// from an input to a word. It remembers the layout of calldata, so it serves
// one sequence and its variants.
type Writer struct {
	start   evm.BlockContext // of the deployment
	offsets map[message]input.OffsetMap
}

// A message is a transaction, or a re-entrant call of its script: call is 1 and the
// call's index.
type message struct{ tx, call int }

// NewWriter returns a writer for sequences that start after a block.
func NewWriter(start evm.BlockContext) *Writer {
	return &Writer{start, map[message]input.OffsetMap{}}
}

// Write puts field into the source of flow. It returns false if the source is
// not part of the sequence or already has that value.
func (w *Writer) Write(s input.Sequence, flow *shadow.Flow, field *uint256.Int) (input.Sequence, mutate.Diff, bool) {
	i := flow.Source.Tx
	if i < 0 || i >= len(s.Txs) {
		return s, mutate.Diff{}, false
	}
	tx := &s.Txs[i]
	p, ok := w.parameter(i, tx, flow.Source)
	if !ok {
		return s, mutate.Diff{}, false
	}
	word := input.Get(tx, &p)
	before := word
	switch flow.Source.Kind {
	case shadow.FromCalldata, shadow.FromCallValue, shadow.FromScript:
		word = flow.Blend(&word, field)
	case shadow.FromTimestamp, shadow.FromNumber:
		if word, ok = w.delay(s, i, flow, field); !ok {
			return s, mutate.Diff{}, false
		}
	case shadow.FromCaller, shadow.FromOrigin:
		index, ok := tx.Function.Sender(field.Bytes20())
		if !ok {
			return s, mutate.Diff{}, false
		}
		word.SetUint64(index)
	}
	if word = p.Word.Wrap(&word); word == before {
		return s, mutate.Diff{}, false
	}
	return s.WithTx(i, input.Set(tx, &p, word)), mutate.Diff{Tx: i, Single: true, Param: p, First: i}, true
}

// delay turns a timestamp or block number into the delay of the ith
// transaction. It returns false for the past.
func (w *Writer) delay(s input.Sequence, i int, flow *shadow.Flow, field *uint256.Int) (delay uint256.Int, ok bool) {
	before := w.start
	for k := range s.Txs[:i] {
		before = before.After(s.Txs[k].Delay)
	}
	now := before.Timestamp
	if flow.Source.Kind == shadow.FromNumber {
		now = before.Number
	}
	if !field.IsUint64() || field.Uint64() < now {
		return delay, false
	}
	delay.SetUint64(field.Uint64() - now)
	return delay, true
}

// parameterKinds are the parameters that sources other than calldata come from.
var parameterKinds = map[shadow.Kind]input.ParameterKind{
	shadow.FromCallValue: input.ParamWei,
	shadow.FromTimestamp: input.ParamSeconds,
	shadow.FromNumber:    input.ParamBlocks,
	shadow.FromCaller:    input.ParamActor,
	shadow.FromOrigin:    input.ParamActor,
}

// parameter finds the parameter of the ith transaction that a source is.
func (w *Writer) parameter(i int, tx *input.Tx, source shadow.TaintSource) (input.Parameter, bool) {
	switch source.Kind {
	case shadow.FromCalldata:
		return w.at(message{tx: i}, tx, int(source.Offset))
	case shadow.FromScript:
		return w.scripted(i, tx, source)
	}
	kind, ok := parameterKinds[source.Kind]
	if !ok {
		return input.Parameter{}, false
	}
	return find(tx, func(p *input.Parameter) bool { return p.Kind == kind && p.Call == 0 })
}

// at finds the parameter at an offset in the calldata of a message.
func (w *Writer) at(m message, of *input.Tx, offset int) (input.Parameter, bool) {
	offsets, ok := w.offsets[m]
	if !ok {
		offsets = input.Offsets(of)
		w.offsets[m] = offsets
	}
	return offsets.At(offset)
}

// scripted finds the parameter that a storage word of the attacker contract is.
func (w *Writer) scripted(i int, tx *input.Tx, source shadow.TaintSource) (none input.Parameter, ok bool) {
	at, ok := attacker.WordAt(source.Slot)
	if !ok || tx.Script == nil {
		return none, false
	}
	call := at.Of + 1
	switch at.Kind {
	case attacker.WordOfAnswer:
		return find(tx, func(p *input.Parameter) bool {
			return p.Kind == input.ParamAnswer && p.Call == call && p.Chunk == at.Index
		})
	case attacker.WordsOfAnswer:
		return find(tx, func(p *input.Parameter) bool { return p.Kind == input.ParamAnswerLength && p.Call == call })
	case attacker.WordOfWei:
		return find(tx, func(p *input.Parameter) bool { return p.Kind == input.ParamWei && p.Call == call })
	}
	if at.Index == 0 || call > len(tx.Script.Calls) {
		return none, false // the selector stays
	}
	own, ok := w.at(message{i, call}, &tx.Script.Calls[at.Of].Tx, at.Index)
	if !ok {
		return none, false
	}
	return find(tx, func(p *input.Parameter) bool {
		return p.Call == call && p.Kind == own.Kind && p.Chunk == own.Chunk && slices.Equal(p.Path, own.Path)
	})
}

// find returns the first parameter that fits.
func find(tx *input.Tx, fits func(*input.Parameter) bool) (input.Parameter, bool) {
	list := input.Parameters(tx)
	for i := range list {
		if fits(&list[i]) {
			return list[i], true
		}
	}
	return input.Parameter{}, false
}
