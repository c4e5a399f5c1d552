package search_test

import (
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// Entries whose raw calldata calls a function have that call, with the same bytes.
func TestRawCallsBecomeTyped(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Raw.sol"), "Raw", 1)
	raw := d.Subject.Callees[slices.IndexFunc(d.Subject.Callees, func(c deploy.Callee) bool { return c.Function.Raw && c.Function.Name == "fallback" })]
	selector := func(name string) []byte {
		id := d.Callee(t, name).Function.Selector
		return id[:]
	}
	word := func(n uint64) []byte {
		b := uint256.NewInt(n).Bytes32()
		return b[:]
	}
	for _, row := range []struct {
		what string
		data []byte
		wei  uint64
		want string // function of the entry
	}{
		{"a call", slices.Concat(selector("plain"), word(7)), 0, "plain"},
		{"a call with bytes", slices.Concat(selector("sum"), word(7), word(64), word(2), common.RightPadBytes([]byte{1, 2}, 32)), 0, "sum"},
		{"bytes that are not padded", slices.Concat(selector("sum"), word(7), word(64), word(2), []byte{1, 2}), 0, "fallback"},
		{"more bytes", slices.Concat(selector("plain"), word(7), []byte{0}), 0, "fallback"},
		{"too large a number", slices.Concat(selector("plain"), []byte{1}, word(7)[1:]), 0, "fallback"},
		{"wei", slices.Concat(selector("plain"), word(7)), 5, "fallback"},
		{"another selector", slices.Concat([]byte{1, 2, 3, 4}, word(7)), 0, "fallback"},
		{"few bytes", []byte{1, 2}, 0, "fallback"},
	} {
		tx := input.Tx{From: input.User1, To: raw.Address, Function: raw.Function, Data: row.data}
		tx.Value.SetUint64(row.wei)
		e := d.Corpus.NewEntry(d.Execute(d.Generator.Single(tx, d.Origin)))
		if last := e.Sequence.Last(); last.Function.Name != row.want || !slices.Equal(last.Calldata(), row.data) || last.Value != tx.Value {
			t.Errorf("%s: the entry is %s", row.what, e.Sequence)
		}
	}
}

// Addresses that the code pushes, and numbers that become addresses, are candidates for
// arguments.
func TestConstantAddresses(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Raw.sol"), "Raw", 1)
	drawn := map[common.Address]bool{}
	for range 4000 {
		drawn[d.Generator.NewTx(d.Callee(t, "check").Callee).Args[0].Address()] = true
	}
	for _, want := range []string{"0x12345", "0x12fd1", "0x99999", "0x6B175474E89094C44Da98b954EedeAC495271d0F"} {
		if !drawn[common.HexToAddress(want)] {
			t.Errorf("%s is never drawn", want)
		}
	}
}
