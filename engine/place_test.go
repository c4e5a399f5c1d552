package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"leveret/solc/ast"
)

// A whole function is blamed by its name, or by the word that stands for it.
func TestNameSpan(t *testing.T) {
	const text = `pragma solidity ^0.8.0;
contract C {
	constructor() {}
	function fun(uint256 fun_) external {}
	function $fun() external {}
	function n() external {}
	receive() external payable {}
	modifier mod() { _; }
}
`
	file := filepath.Join(t.TempDir(), "C.sol")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	unit := contract(t, compile(t, file), "C").Build.Sources[0].Unit
	var got []string
	for _, kind := range []string{ast.FunctionDefinition, "ModifierDefinition"} {
		for _, n := range unit.Root.Find(kind) {
			span := nameSpan(n, []byte(text))
			if before := text[span.Start-1]; before != ' ' && before != '\t' {
				t.Errorf("%q stands after %q", text[span.Start:span.End()], before)
			}
			got = append(got, text[span.Start:span.End()])
		}
	}
	want := []string{"constructor", "fun", "$fun", "n", "receive", "mod"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
