package oracle

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc/ast"
)

// A WhatIf answers counterfactual questions of oracles.
type WhatIf struct {
	Deployment *input.Deployment
	Rerun      func([]input.Tx) Ending                              // runs Txs on the deployment in a fresh World, without the effects of failed ones
	Holdings   func(*evm.World, common.Address) []uint256.Int       // wei, then one amount for each of Tokens
	Tokens     []common.Address                                     // token contracts of the deployment
	Locks      func(*evm.Code) bool                                 // whether code cannot send ether
	Contract   func(common.Address) *ast.Node                       // definition of a project contract
	Retry      func()                                               // another Sequence on the same path may confirm what this one does not
	OwnersOnly func([]input.Tx) bool                                // whether a privileged actor sends the last of Txs and others cannot
	Function   func(to common.Address, data []byte) *input.Function // function that data calls; nil if unknown
}

// amount formats an amount of the asset with a number in Holdings.
func (e *Env) amount(asset int, n *uint256.Int) string {
	if asset == 0 {
		return spaced(input.FormatWei(n))
	}
	return n.Dec() + " of " + e.Name(e.Tokens[asset-1])
}

// An Ending is the result of Txs.
type Ending struct {
	World    *evm.World
	Outcomes []evm.Outcome
}

// Last is the Outcome of the last Tx.
func (e *Ending) Last() *evm.Outcome { return &e.Outcomes[len(e.Outcomes)-1] }

// A history holds the transactions of a Sequence.
type history struct {
	txs    []input.Tx
	worlds []*evm.World // before each
	failed []bool
}

func (h *history) begin(tx *input.Tx, w *evm.World) {
	h.txs, h.worlds = append(h.txs, *tx), append(h.worlds, w)
}

func (h *history) end(o *evm.Outcome) { h.failed = append(h.failed, o.Status != evm.Success) }

// last is the current transaction, or the last one.
func (h *history) last() *input.Tx { return &h.txs[len(h.txs)-1] }

// before is the World before the last transaction.
func (h *history) before() *evm.World { return h.worlds[len(h.worlds)-1] }

// instead returns the transactions with txs in place of the last one.
func (h *history) instead(txs ...input.Tx) []input.Tx {
	n := len(h.txs) - 1
	return append(h.txs[:n:n], txs...)
}

// contain reports whether Values contain an address.
func contain(values []input.Value, who common.Address) bool {
	for i := range values {
		v := &values[i]
		if v.Type.Kind == input.KindAddress && v.Word.Bytes20() == who || contain(v.Elems, who) {
			return true
		}
	}
	return false
}

// mentions reports whether a transaction, or a call by the attacker contract
// during it, contains an address.
func mentions(tx *input.Tx, who common.Address) bool {
	if contain(tx.Args, who) || holds(tx.Calldata(), who) {
		return true
	}
	return tx.Script != nil && slices.ContainsFunc(tx.Script.Calls, func(c input.Reentry) bool { return holds(c.Tx.Calldata(), who) })
}

// holds reports whether data contains an address.
func holds(data []byte, who common.Address) bool {
	for ; len(data) >= len(who); data = data[1:] {
		if common.Address(data[:len(who)]) == who {
			return true
		}
	}
	return false
}

// knownAtDeployment reports whether a constructor or a set-up call received an address.
func (s *WhatIf) knownAtDeployment(who common.Address) bool {
	for i := range s.Deployment.Creations {
		c := &s.Deployment.Creations[i]
		if c.File == "" {
			continue
		}
		if contain(c.Args, who) || slices.ContainsFunc(c.Setup, func(tx input.Tx) bool { return contain(tx.Args, who) }) {
			return true
		}
	}
	return false
}
