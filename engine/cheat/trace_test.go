package cheat

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Traces name cheatcodes, also those that are refused, and the forms of console.log.
func TestCalled(t *testing.T) {
	for _, row := range []struct {
		to        common.Address
		signature string
		want      string // name; empty: none
		inputs    int
		raw       bool
	}{
		{Address, "prank(address,address)", "prank", 2, false},
		{Address, "readFile(string)", "readFile", 1, false},
		{Address, "rpc(string,string)", "rpc", 0, true},
		{Address, "noSuchCheatcode()", "", 0, false},
		{Console, "log(string,uint256)", "log", 2, false},
		{Console, "table(string[],address[])", "table", 2, false},
		{Console, "prank(address,address)", "", 0, false},
		{common.Address{1}, "prank(address,address)", "", 0, false},
	} {
		f := Called(row.to, crypto.Keccak256([]byte(row.signature))[:4])
		switch {
		case f == nil && row.want != "":
			t.Errorf("%s is not known", row.signature)
		case f != nil && (f.Name != row.want || len(f.Inputs) != row.inputs || f.Raw != row.raw):
			t.Errorf("%s: %s with %d parameters, raw %t", row.signature, f.Name, len(f.Inputs), f.Raw)
		}
	}
	if Called(Address, []byte{1, 2, 3}) != nil {
		t.Error("a call without a selector has a function")
	}
}

func TestExplained(t *testing.T) {
	for _, row := range []struct {
		data []byte
		want string
	}{
		{cheatcodeError("vm.readFile: no"), "vm.readFile: no"},
		{cheatcodeError(string(magicAssume)), "vm.assume rejects the input"},
		{magicAssume, "vm.assume rejects the input"},
		{cheatcodeError(string(magicSkip)), "vm.skip"},
		{cheatcodeError(string(magicSkip) + "later"), "vm.skip: later"},
		{[]byte{1, 2, 3, 4}, ""},
		{nil, ""},
	} {
		if got := Explained(row.data); got != row.want {
			t.Errorf("%x: %q, want %q", row.data, got, row.want)
		}
	}
}
