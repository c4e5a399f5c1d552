package solc

import "testing"

func TestHelperNames(t *testing.T) {
	for name, want := range map[string]bool{
		"MockToken": true, "ERC20Mock": true, "StrategyMockGoerli": true, "ERC20Mock6d": true, "NFTMock": true, "Mocks": true, "token_mock_v2": true, "mockFeed": true, "Pool_Mock": true, "BridgeMockup": true, "MockupToken": true, "mockups": true,
		"TestToken": true, "Test_Feed": true, "VaultTest": true, "NFTTest": true, "Tests": true, "test_feed": true, "erc20_test": true, "test": true,
		"Mockingbird": false, "Hammock": false, "Mocker": false, "Mockupper": false, "Contest": false, "Latest": false, "Testament": false, "TestnetFaucet": false, "StressTestPlan": false,
		"Attestation": false, "Vault": false, "testimony": false,
	} {
		if got := NamedLikeHelper(name, "A.sol"); got != want {
			t.Errorf("%s is a helper: %v, want %v", name, got, want)
		}
		if got := NamedLikeHelper("A", "src/"+name+".sol"); got != want {
			t.Errorf("contracts of %s.sol are helpers: %v, want %v", name, got, want)
		}
	}
}
