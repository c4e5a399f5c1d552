package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/tests"

	"leveret/engine/evm"
)

// template is a test with a contract that stores, logs and returns gas: a loop
// that clears words, GASPRICE, BLOCKHASH, an event, a creation.
const template = `{"own": {
 "env": {"currentCoinbase": "0x2adc25665018aa1fe0e6bc666dac8fc2697ff9ba", "currentGasLimit": "0x1000000", "currentNumber": "0x05",
  "currentTimestamp": "0x03e8", "currentRandom": "0x20000", "currentDifficulty": "0x0", "currentBaseFee": "0x0a", "currentExcessBlobGas": "0x0"},
 "pre": {
  "%[1]v": {"balance": "0x0de0b6b3a7640000", "nonce": "0x07", "code": "0x", "storage": {}},
  "0x00000000000000000000000000000000000000c0": {"balance": "0x03", "nonce": "0x02",
   "code": "0x%[2]s", "storage": {"0x01": "0x01", "0x02": "0x02"}}},
 "transaction": {"data": ["0x", "0x01", "0x00ff"], "gasLimit": ["0x5208", "0x030d40", "0x5300"], "value": ["0x00", "0x05"],
  "gasPrice": "0x10", "nonce": "0x07", "to": "%[4]s", "secretKey": "%[3]s", "sender": "%[1]v",
  "accessLists": [[], [{"address": "0x00000000000000000000000000000000000000c0", "storageKeys": ["0x0000000000000000000000000000000000000000000000000000000000000001"]}], null]},
 "post": {%[5]s}
}}`

// ownTest writes the template, with the hashes that go-ethereum computes; root
// may change them.
func ownTest(t *testing.T, to, code string, root func(common.Hash) common.Hash) string {
	t.Helper()
	key, err := crypto.HexToECDSA(strings.Repeat("45", 32))
	if err != nil {
		t.Fatal(err)
	}
	sender := crypto.PubkeyToAddress(key.PublicKey)
	fill := func(hashes func(fork, what string, i int) string) string {
		var forks []string
		for _, fork := range []string{"Prague", "Cancun", "Paris", "Berlin"} {
			var posts []string
			i := 0
			for data := range 3 {
				for gas := range 3 {
					for value := range 2 {
						posts = append(posts, fmt.Sprintf(`{"hash": "%s", "logs": "%s", "indexes": {"data": %d, "gas": %d, "value": %d}%s}`,
							hashes(fork, "root", i), hashes(fork, "logs", i), data, gas, value, hashes(fork, "exception", i)))
						i++
					}
				}
			}
			forks = append(forks, fmt.Sprintf("%q: [%s]", fork, strings.Join(posts, ",")))
		}
		return fmt.Sprintf(template, sender, code, "0x"+strings.Repeat("45", 32), to, strings.Join(forks, ","))
	}
	zero := common.Hash{}.Hex()
	blank := fill(func(_, what string, _ int) string { return map[string]string{"root": zero, "logs": zero}[what] })
	parsed := map[string]*tests.StateTest{}
	if err := json.Unmarshal([]byte(blank), &parsed); err != nil {
		t.Fatal(err)
	}
	text := fill(func(fork, what string, i int) string {
		st, post, _, err := parsed["own"].RunNoVerify(tests.StateSubtest{Fork: fork, Index: i}, vm.Config{}, false, rawdb.HashScheme)
		defer func() { st.Close() }()
		switch what {
		case "exception":
			if err != nil {
				return `, "expectException": "an error"`
			}
			return ""
		case "logs":
			var logs []evm.Log
			for _, l := range st.StateDB.Logs() {
				logs = append(logs, evm.Log{Address: l.Address, Topics: l.Topics, Data: l.Data})
			}
			return logsHash(logs).Hex()
		}
		return root(post).Hex()
	})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "own.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// code: sstore(1, 0); sstore(3, calldatasize); sstore(4, gasprice); sstore(5, blockhash(4)); log1(0, 32, 7); create(0, 0, 0)
const storing = "5f600155" + "36600355" + "3a600455" + "60044060055560075f60205fa1" + "5f5f5ff0" + "00"

func same(h common.Hash) common.Hash { return h }

// TestOwnTestPasses runs calls and creations of every gas limit.
func TestOwnTestPasses(t *testing.T) {
	for _, to := range []string{"0x00000000000000000000000000000000000000c0", ""} {
		s := newSuite(true)
		if err := s.runAll(ownTest(t, to, storing, same), "own"); err != nil {
			t.Fatal(err)
		}
		for _, fork := range []string{"Prague", "Cancun", "Paris"} {
			r := s.counts[key{fork, "."}]
			if s.failed() || r.counts["passed"] < 4 || r.counts["refused"] < 4 || r.counts["passed"]+r.counts["refused"]+r.counts["skipped"] != 18 {
				t.Errorf("%s, to %q: %v, %v", fork, to, r.counts, r.reasons)
			}
		}
		if r := s.counts[key{"Berlin", "."}]; r.counts["skipped"] != 18 {
			t.Errorf("Berlin: %v", r.counts)
		}
	}
}

// TestOtherHashes changes the hash of the state: go-ethereum and the Machine
// agree, and the test has something else.
func TestOtherHashes(t *testing.T) {
	s := newSuite(false)
	other := func(h common.Hash) common.Hash { return crypto.Keccak256Hash(h[:]) }
	if err := s.runAll(ownTest(t, "0x00000000000000000000000000000000000000c0", storing, other), ""); err != nil {
		t.Fatal(err)
	}
	r := s.counts[key{"Cancun", "."}]
	if r.counts["disputed"] < 4 || r.counts["passed"] != 0 {
		t.Errorf("%v", r.counts)
	}
}

// TestWrongMachine executes with rules that are not the fork's.
func TestWrongMachine(t *testing.T) {
	s := newSuite(false)
	s.chain("Cancun").evm.BlockHash = nil
	s.machines["Cancun"] = s.chains["Cancun"].newMachine()
	if err := s.runAll(ownTest(t, "0x00000000000000000000000000000000000000c0", storing, same), ""); err != nil {
		t.Fatal(err)
	}
	if !s.failed() {
		t.Errorf("another block hash is not seen: %v", s.counts[key{"Cancun", "."}].counts)
	}
	var text strings.Builder
	s.print(&text)
	if !strings.Contains(text.String(), "failed: state") || !strings.Contains(text.String(), "| Cancun | all |") {
		t.Errorf("printed %s", text.String())
	}
}

func TestNoTests(t *testing.T) {
	if err := newSuite(false).runAll(t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "no tests") {
		t.Errorf("%v", err)
	}
}
