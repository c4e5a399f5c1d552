package main

import (
	"bytes"
	"slices"
	"testing"

	"leveret/engine/input"
)

// Functions are sorted by what leveret does with them.
func TestCompare(t *testing.T) {
	abi, err := input.ParseABI([]byte(`[
{"type":"function","name":"warp","stateMutability":"nonpayable","inputs":[{"type":"uint256"}],"outputs":[]},
{"type":"function","name":"addr","stateMutability":"pure","inputs":[{"type":"uint256"}],"outputs":[{"type":"address"}]},
{"type":"function","name":"load","stateMutability":"view","inputs":[{"type":"address"},{"type":"bytes32"}],"outputs":[{"type":"uint256"}]},
{"type":"function","name":"setEvmVersion","stateMutability":"nonpayable","inputs":[{"type":"string"}],"outputs":[]},
{"type":"function","name":"bewitch","stateMutability":"nonpayable","inputs":[],"outputs":[]}]`))
	if err != nil {
		t.Fatal(err)
	}
	c := compare(abi.Functions)
	if c.implemented != 2 || !slices.Equal(c.missing, []string{"bewitch()"}) || len(c.refused) != 1 || len(c.different) != 1 {
		t.Errorf("%+v", c)
	}
	var out bytes.Buffer
	if c.write(&out) {
		t.Error("what is missing is no failure")
	}
	const want = `5 functions: 2 implemented, 1 refused by name, 1 missing, 1 with other results
missing: bewitch()
other results: load(address,bytes32) returns [uint256], here [bytes32]
refused: setEvmVersion(string): a test runs with the rules of one hard fork
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	c = compare(abi.Functions[:2])
	if !c.write(&out) {
		t.Error("what is implemented is a failure")
	}
}
