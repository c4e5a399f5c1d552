package cheat

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// record returns what a script broadcast: transactions, given as kind, contract and
// number of the block, whose hashes and addresses are that number.
func record(chain, timestamp int, txs ...any) string {
	var transactions, receipts []string
	for i := 0; i < len(txs); i += 3 {
		kind, name, block := txs[i], txs[i+1], txs[i+2].(int)
		transactions = append(transactions, fmt.Sprintf(`{"hash": "0x%064x", "transactionType": %q, "contractName": %q, "contractAddress": "0x%040x", "function": null, "transaction": {"type": "0x02"}}`, block, kind, name, block))
		receipts = append(receipts, fmt.Sprintf(`{"transactionHash": "0x%064x", "blockNumber": "0x%x", "status": "0x%d", "contractAddress": null}`, block, block, block%2))
	}
	return fmt.Sprintf(`{"transactions": [%s], "receipts": [%s], "libraries": [], "pending": [], "returns": {}, "timestamp": %d, "chain": %d, "commit": null}`,
		strings.Join(transactions, ","), strings.Join(receipts, ","), timestamp, chain)
}

// summaryOf is the summary of a transaction of record.
func summaryOf(kind, block int) string {
	return fmt.Sprintf("(0x%064x, %d, %s, %d, %v)", block, kind, common.BigToAddress(big.NewInt(int64(block))), block, block%2 == 1)
}

func writeBroadcasts(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, "broadcast", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDeployments(t *testing.T) {
	v, root := newFolder(t)
	v.check([]cheatTest{{"getDeployment(string,uint64)", "(Token, 5)", "revert: broadcast dir does not exist"}})
	writeBroadcasts(t, root, map[string]string{
		"A.s.sol/5/run-100.json":        record(5, 100, "CREATE", "Token", 7, "CALL", "Token", 9, "CREATE2", "Token", 8, "CREATE", "Other", 11),
		"A.s.sol/5/run-200.json":        record(5, 200, "CREATE", "Token", 20),
		"A.s.sol/5/run-latest.json":     record(5, 300, "CREATE", "Token", 99),
		"A.s.sol/1/run-400.json":        record(1, 400, "CREATE", "Token", 41),
		"A.s.sol/5/run-500.json":        record(5, 500, "CREATE", "Other", 51),
		"multi/B.s.sol-600/deploy.json": `{"deployments": [` + record(5, 150, "CREATE", "Token", 15) + "," + record(6, 150, "CREATE2", "Token", 61) + `], "timestamp": 600}`,
		"multi/C.s.sol-600/deploy.json": `{"deployments": 7}`,
		"A.s.sol/5/dry-run/notes.txt":   "not JSON",
		"A.s.sol/7/run-100.json":        record(7, 100, "CALL", "Token", 71),
		"A.s.sol/8/run-100.json":        strings.Replace(record(8, 100, "CREATE", "Token", 81), "transactionHash", "otherHash", 1),
	})
	address := func(block int) string { return common.BigToAddress(big.NewInt(int64(block))).Hex() }
	call, create, create2 := 0, 1, 2
	v.check([]cheatTest{
		{"getDeployment(string,uint64)", "(Token, 5)", address(20)},
		{"getDeployment(string,uint64)", "(Token, 1)", address(41)},
		{"getDeployment(string,uint64)", "(Token, 6)", address(61)},
		{"getDeployment(string,uint64)", "(Token, 7)", "revert: no broadcasts found"},
		{"getDeployment(string,uint64)", "(Token, 8)", "revert: no deployment found for Token on chain 8"},
		{"getDeployment(string,uint64)", "(Absent, 5)", "revert: no broadcasts found"},
		{"getDeployment(string)", "(Token)", "revert: no broadcasts found"},
		{"chainId(uint256)", "(6)", ""},
		{"getDeployment(string)", "(Token)", address(61)},
		{"getDeployments(string,uint64)", "(Token, 5)", "[" + address(20) + ", " + address(15) + ", " + address(8) + ", " + address(7) + "]"},
		{"getDeployments(string,uint64)", "(Absent, 5)", "[]"},
		{"getBroadcast(string,uint64,uint8)", "(Token, 5, 0)", summaryOf(call, 9)},
		{"getBroadcast(string,uint64,uint8)", "(Token, 5, 1)", summaryOf(create, 20)},
		{"getBroadcast(string,uint64,uint8)", "(Token, 5, 3)", "revert: 3 is no kind of a broadcast transaction"},
		{"getBroadcasts(string,uint64,uint8)", "(Token, 5, 2)", "[" + summaryOf(create2, 8) + "]"},
		{"getBroadcasts(string,uint64)", "(Token, 5)", "[" + strings.Join([]string{summaryOf(create, 20), summaryOf(create, 15), summaryOf(call, 9), summaryOf(create2, 8), summaryOf(create, 7)}, ", ") + "]"},
	})
}

// TestDeploymentsHostile reads files that no script wrote. Links are not followed.
func TestDeploymentsHostile(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "unexpected end of JSON input",
		"null":                              `it lacks "transactions"`,
		"[1]":                               "it cannot be a JSON array",
		`{"transactions": [], "chain": 1}`:  `it lacks "receipts"`,
		`{"transactions": 1}`:               "transactions cannot be a JSON number",
		strings.Repeat("[", 20_000):         "exceeded max depth",
		record(5, 1, "CREATE", "A", 1)[:50]: "unexpected end of JSON input",
		strings.Replace(record(5, 1, "CREATE", "A", 1), "0x", "0y", 1): "transactions.hash cannot be a JSON hex string without 0x prefix",
		strings.Replace(record(5, 1), `"chain": 5`, `"chain": -5`, 1):  "chain cannot be a JSON number -5",
	} {
		v, root := newFolder(t)
		writeBroadcasts(t, root, map[string]string{"A.s.sol/5/run-1.json": text})
		for _, part := range []string{"the broadcast file " + filepath.FromSlash("A.s.sol/5/run-1.json") + " cannot be read", want, "remove it, or broadcast again"} {
			v.check([]cheatTest{{"getDeployments(string,uint64)", "(A, 5)", "revert: " + part}})
		}
	}
	v, root := newFolder(t)
	outside := t.TempDir()
	writeBroadcasts(t, outside, map[string]string{"A.s.sol/5/run-1.json": record(5, 1, "CREATE", "A", 1)})
	writeBroadcasts(t, root, map[string]string{"B.s.sol/5/run-1.json": record(5, 1, "CREATE", "B", 1)})
	for _, name := range []string{"broadcast", filepath.Join("broadcast", "A.s.sol", "5", "run-1.json")} {
		if err := os.Symlink(filepath.Join(outside, name), filepath.Join(root, "broadcast", "link-"+filepath.Base(name))); err != nil {
			t.Fatal(err)
		}
	}
	v.check([]cheatTest{{"getDeployments(string,uint64)", "(A, 5)", "[]"}})
	reader := recordReader{root: root, mostFiles: 3, mostBytes: 100}
	if err := filepath.WalkDir(root, reader.visit); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("too many files: %v", err)
	}
	reader = recordReader{root: root, mostFiles: 100, mostBytes: 100}
	if err := filepath.WalkDir(root, reader.visit); err == nil || !strings.Contains(err.Error(), "MB") {
		t.Errorf("too much text: %v", err)
	}
}
