package cheat

import "testing"

// TestChains expects what forge 1.7.1 returns without endpoints.
func TestChains(t *testing.T) {
	newVM(t).check([]cheatTest{
		{"getChain(string)", "(mainnet)", `("mainnet", 1, "mainnet", "")`},
		{"getChain(string)", "(gnosis)", `("xdai", 100, "gnosis", "")`},
		{"getChain(uint256)", "(10)", `("optimism", 10, "10", "")`},
		{"getChain(string)", "(31337)", `("anvil-hardhat", 31337, "31337", "")`},
		{"getChain(uint256)", "(123456789)", "revert: invalid chain alias: 123456789"},
		{"getChain(string)", "(nowhere)", "revert: invalid chain alias: nowhere"},
	})
}
