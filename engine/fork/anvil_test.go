package fork_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"leveret/engine/evm"
	"leveret/engine/fork"
	"leveret/solc/solctest"
)

// anvil starts Foundry's node and returns its URL.
func anvil(t *testing.T) string {
	path, err := filepath.Abs(filepath.Join("../../solc/testdata/npm/node_modules/@foundry-rs", "anvil-"+runtime.GOOS+"-"+runtime.GOARCH, "bin", "anvil"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		path, err = exec.LookPath("anvil")
		solctest.Need(t, err == nil, "anvil is missing; run make tools, or put it on the PATH")
	}
	cmd := exec.Command(path, "--host", "127.0.0.1", "--port", "0", "--chain-id", "4242")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		solctest.Need(t, false, fmt.Sprintf("%s does not start: %v; run make tools again", path, err))
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "Listening on "); ok {
			go io.Copy(io.Discard, out)
			return "http://" + strings.TrimSpace(address)
		}
	}
	solctest.Need(t, false, path+" ended before it listened; run make tools again")
	return ""
}

// TestAnvil executes Calls on forks of a real node as the node does.
func TestAnvil(t *testing.T) {
	address := anvil(t)
	node, err := rpc.Dial(address)
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	tell := func(result any, method string, args ...any) {
		t.Helper()
		if err := node.Call(result, method, args...); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	// mstore(0, sload(calldataload(0))); mstore(32, chainid()); mstore(64, number());
	// mstore(96, blockhash(number() - 1)); mstore(128, balance(0xa11ce)); mstore(160, extcodehash(address())); return(0, 192)
	code := "5f35545f52" + "46602052" + "43604052" + "6001430340606052" + "620a11ce31608052" + "303f60a052" + "60c05ff3"
	tell(nil, "anvil_setCode", token, "0x"+code)
	tell(nil, "anvil_setBalance", alice, "0x4d2")
	tell(nil, "anvil_setStorageAt", token, key, common.Hash{31: 99})
	tell(nil, "anvil_mine", "0x5")
	c := newClient(t, fork.Options{})
	for _, number := range []*uint64{nil, block(3)} {
		f, err := c.Open(address, number)
		if err != nil {
			t.Fatal(err)
		}
		if f.Header.ChainID != 4242 || number == nil && f.Header.Number != 5 {
			t.Errorf("block %+v", f.Header)
		}
		if number != nil {
			continue // anvil sets accounts in the latest block alone
		}
		w := evm.NewBacking(evm.NewCodes(), f).World()
		out := evm.NewMachine().Execute(w, f.Header.Block(), evm.Call{From: alice, To: token, Data: key[:]}, nil)
		var want hexutil.Bytes
		tell(&want, "eth_call", map[string]any{"from": alice, "to": token, "data": key}, hexutil.Uint64(f.Header.Number))
		if hexutil.Encode(out.Return) != want.String() || out.Return[31] != 99 {
			t.Errorf("%x\nanvil says\n%x", out.Return, []byte(want))
		}
	}
	_, err = c.Open(address, block(1000))
	if err == nil || !strings.Contains(err.Error(), "block 1000") {
		t.Errorf("a block that is not there: %v", err)
	}
}
