package suite_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/search/searchtest"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/compiler"
)

// A configuration may give a harness the address of its deployer, as Recon's do, whose
// contracts then have the addresses that Foundry gives them. A constructor that fails says why.
func TestDeployedAtItsDeployer(t *testing.T) {
	const source = `pragma solidity ^0.8.0;
contract Child {}
contract Parent {
    Child public first = new Child();
    constructor() payable { require(address(first) == address(0x5615dEB798BB3E4dFa0139dFa1b3D433Cc23b72f), "elsewhere"); }
}
`
	tools := compiler.NewToolchain(searchtest.Env(t))
	t.Cleanup(func() { tools.Close() })
	file := filepath.Join(t.TempDir(), "Parent.sol")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	b := searchtest.CompileWith(t, tools, file)
	config := solc.DefaultHarnessConfig(solc.Echidna)
	for at, want := range map[string]string{"0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496": "", "0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38": "elsewhere"} {
		config.Accounts.Deployer = common.HexToAddress(at)
		config.Accounts.Contract = &config.Accounts.Deployer
		h, err := suite.NewHarness(context.Background(), searchtest.Contract(t, b, "Parent"), b.Contracts, config, suite.Options{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		reason := ""
		if v := h.Fault(); v != nil {
			reason = v.Reason
		}
		if (reason == "") != (want == "") || !strings.HasSuffix(reason, want) {
			t.Errorf("at %s: %q, want %q", at, reason, want)
		}
	}
}
