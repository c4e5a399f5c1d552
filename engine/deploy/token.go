package deploy

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
)

// isEmptyToken reports whether a contract is a token that no actor holds or can
// mint. Nothing would happen with such a token.
func isEmptyToken(p *program.Program, h *chain, address common.Address) bool {
	c := p.ContractAt(h.made.World, address)
	if c == nil || c.Methods["balanceOf(address)"] == "" {
		return false
	}
	abi := p.ABI(c)
	if slices.ContainsFunc(abi.Functions, mintsTokens) {
		return false
	}
	balance := input.Tx{From: input.Deployer, To: address, Function: abi.Method("balanceOf(address)")}
	for _, actor := range input.Actors {
		balance.Args = balance.Function.Zero()
		who := actor.Address()
		balance.Args[0].Word.SetBytes20(who[:])
		outcome := h.try(txCall(&balance), nil)
		if outcome.Status != evm.Success || len(outcome.Return) < 32 || !new(uint256.Int).SetBytes(outcome.Return[:32]).IsZero() {
			return false
		}
	}
	return true
}

// mintsTokens reports whether the name of f suggests that its caller receives
// tokens.
func mintsTokens(f *input.Function) bool {
	name := strings.ToLower(f.Name)
	return !f.Constant() && slices.ContainsFunc([]string{
		"mint", "deposit", "issue", "faucet", "claim", "airdrop", "setbalance", "give", "buy", "wrap",
	}, func(gain string) bool { return strings.Contains(name, gain) })
}
