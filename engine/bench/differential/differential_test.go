package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"

	"testing"

	"leveret/engine/bench/subject"
	"leveret/engine/evm/evmtest"
	"leveret/solc/solctest"
)

// TestReal compares the transactions of short campaigns on real contracts.
func TestReal(t *testing.T) {
	tools := solctest.Tools(t)
	list := filepath.Join(t.TempDir(), "list.txt")
	text := ""
	for _, name := range []string{"Token", "Pair"} {
		file, err := filepath.Rel(filepath.Dir(list), filepath.Join(tools, "contracts", name+".sol"))
		if err != nil {
			t.Fatal(err)
		}
		text += file + " " + name + "  a contract\n"
	}
	if err := os.WriteFile(list, []byte("# comment\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	r := result{Real: map[string]sums{}}
	if err := compareReal(t.Context(), options{real: 300, seed: 1, list: list, tools: tools}, &r); err != nil {
		t.Fatal(err)
	}
	for name, s := range r.Real {
		if s.Calls < 150 || s.Success < 20 || s.Revert < 10 || s.Steps < 10_000 || s.Creation == 0 {
			t.Errorf("%s: %+v is too little", name, s)
		}
	}
	if len(r.Real) != 2 {
		t.Errorf("compared %v", r.Real)
	}
}

// TestSequencesSeeDifferences compares an input on a state that is not the
// deployment's.
func TestSequencesSeeDifferences(t *testing.T) {
	tools, err := subject.New(solctest.Tools(t))
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	subjects, err := tools.Compile(t.Context(), filepath.Join(solctest.Tools(t), "contracts", "Token.sol"), "Token")
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := campaign(t.Context(), subjects[0], 1, 20)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := evmtest.NewTwin()
	if err != nil {
		t.Fatal(err)
	}
	full, err := evmtest.NewTwin()
	if err != nil {
		t.Fatal(err)
	}
	full.Set(inputs[0].Txs[0].To, 0, []byte{1})
	mixed := &evmtest.Twin{World: full.World, Reference: empty.Reference}
	if err := compareSequence(evmtest.NewChecker(), mixed, inputs[0]); err == nil {
		t.Error("other code is not seen")
	}
}

// TestRandom compares a few Calls of every scenario and writes the result.
func TestRandom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result.jsonl")
	for range 2 {
		if err := run(t.Context(), options{calls: 200, seed: 1, file: file}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var first, second result
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	if len(lines) != 2 || json.Unmarshal(lines[0], &first) != nil || json.Unmarshal(lines[1], &second) != nil {
		t.Fatalf("wrote %s", text)
	}
	if first.Calls < 200 || first.Steps == 0 || len(first.Random) != len(evmtest.Scenarios()) {
		t.Errorf("%+v", first)
	}
	if first.Calls != second.Calls || first.Steps != second.Steps {
		t.Errorf("the same seed compared %+v, then %+v", first, second)
	}
}
