package search

import (
	"bytes"
	"slices"

	"leveret/engine/deploy"
	"leveret/engine/input"
)

// typed returns a sequence whose last transaction calls a function with arguments where
// it sent the same bytes as raw calldata. The solver puts selectors into raw calldata,
// because the dispatcher compares them; arguments are better varied as such.
func (s *Subject) typed(q input.Sequence) input.Sequence {
	tx := *q.Last()
	if tx.Function == nil || !tx.Function.Raw || len(tx.Data) < 4 || !tx.Value.IsZero() {
		return q
	}
	i := slices.IndexFunc(s.Callees, func(c deploy.Callee) bool {
		f := c.Function
		return c.Address == tx.To && !f.Raw && !f.Property && f.Selector == [4]byte(tx.Data)
	})
	if i < 0 {
		return q
	}
	call := tx
	call.Function, call.Data = s.Callees[i].Function, nil
	var err error
	if call.Args, err = input.DecodeCalldata(call.Function, tx.Data); err != nil || !bytes.Equal(call.Calldata(), tx.Data) {
		return q
	}
	return q.WithTx(len(q.Txs)-1, call)
}
