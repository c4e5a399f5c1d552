package solve

import (
	"github.com/holiman/uint256"

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
	offsets map[int]input.OffsetMap
}

// NewWriter returns a writer for sequences that start after a block.
func NewWriter(start evm.BlockContext) *Writer {
	return &Writer{start, map[int]input.OffsetMap{}}
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
	case shadow.FromCalldata, shadow.FromCallValue:
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
	if source.Kind == shadow.FromCalldata {
		m, ok := w.offsets[i]
		if !ok {
			m = input.Offsets(tx)
			w.offsets[i] = m
		}
		return m.At(int(source.Offset))
	}
	kind, ok := parameterKinds[source.Kind]
	if !ok {
		return input.Parameter{}, false
	}
	for _, p := range input.Parameters(tx) {
		if p.Kind == kind {
			return p, true
		}
	}
	return input.Parameter{}, false
}
