package project

import (
	"path/filepath"
	"testing"
	"time"

	"leveret/solc/compiler"
)

// packages lists files of published packages. Each compiles with the compiler of
// its pragmas, including imports from node_modules.
var packages = []struct {
	file, version, contract string
}{
	{"@openzeppelin/contracts/governance/TimelockController.sol", "0.8.37", "TimelockController"},
	{"@openzeppelin/contracts-upgradeable/governance/GovernorUpgradeable.sol", "0.8.37", "GovernorUpgradeable"},
	{"openzeppelin-4/token/ERC1155/presets/ERC1155PresetMinterPauser.sol", "0.8.37", "ERC1155PresetMinterPauser"},
	{"openzeppelin-3/presets/ERC20PresetMinterPauser.sol", "0.7.6", "ERC20PresetMinterPauser"},
	{"@uniswap/v2-core/contracts/UniswapV2Factory.sol", "0.5.16", "UniswapV2Factory"},
	{"@uniswap/v2-periphery/contracts/UniswapV2Router02.sol", "0.6.6", "UniswapV2Router02"},
	{"@uniswap/v3-core/contracts/libraries/SqrtPriceMath.sol", "0.7.6", "SqrtPriceMath"},
	{"canonical-weth/contracts/WETH9.sol", "0.5.17", "WETH9"},
	{"@gnosis.pm/safe-contracts/contracts/GnosisSafe.sol", "0.8.37", "GnosisSafe"},
	{"solmate/src/tokens/ERC4626.sol", "0.8.37", "ERC4626"},
	{"solady/src/accounts/ERC4337Factory.sol", "0.8.37", "ERC4337Factory"},
}

func TestPackages(t *testing.T) {
	env := realTools(t)
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	for _, row := range packages {
		t.Run(row.contract, func(t *testing.T) {
			path := filepath.Join(env.ToolDirs[0], "node_modules", filepath.FromSlash(row.file))
			p, err := Open(tools, path)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			b, err := p.Compile(t.Context(), []string{path}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d sources, %d contracts, %v", len(b.Sources), len(b.Contracts), time.Since(began).Round(time.Millisecond))
			c := b.Contract(row.contract)
			if c == nil || c.Node == nil || c.Abstract == c.Deployable() {
				t.Fatalf("contract is %+v", c)
			}
			if b.Version != row.version {
				t.Errorf("compiled with %s", b.Version)
			}
		})
	}
}
