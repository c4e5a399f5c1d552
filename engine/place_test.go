package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc/ast"
)

// A finding about a whole function is placed at its name or keyword.
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
			span := n.NameSpan([]byte(text))
			if before, after := text[span.Start-1], text[span.End()]; before != ' ' && before != '\t' || after != '(' {
				t.Errorf("%q stands between %q and %q", text[span.Start:span.End()], before, after)
			}
			got = append(got, text[span.Start:span.End()])
		}
	}
	want := []string{"constructor", "fun", "$fun", "n", "receive", "mod"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// A late write in a routine of the compiler is described by the statement that calls it.
func TestLateWriteOfRoutine(t *testing.T) {
	b := compile(t, "oracle/testdata/reentrancy/hit_list_08.sol")
	for _, f := range run(t, b, "Pot", Options{MaxInputs: 3300, Seed: 1}).Findings {
		if f.Oracle != "reentrancy" {
			continue
		}
		if !strings.Contains(f.Message, "again before `delete payees` is done") || len(f.Related) != 1 || f.Related[0].Place.Start.Line != 22 {
			t.Errorf("%s; %v", f.Message, f.Related)
		}
		return
	}
	t.Error("nothing was found")
}
