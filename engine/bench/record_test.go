package main

import (
	"path/filepath"
	"reflect"
	"testing"
)

// Stored records are read again, and their runs are complete.
func TestRecordsRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results", "x.jsonl")
	first, err := loadRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.begin(session{Date: "2026-01-01T00:00:00Z", Command: "bench"}); err != nil {
		t.Fatal(err)
	}
	rec := record{key: key{"Token", "B", 3}, Findings: []finding{{ID: "a", Oracle: "panic", Line: 4, Inputs: 9, Seconds: 0.25}}}
	rec.Stats.Instructions.Covered = 12
	if err := first.add(rec); err != nil {
		t.Fatal(err)
	}
	first.file.Close()
	second, err := loadRecords(path)
	if err != nil {
		t.Fatal(err)
	}
	if !second.done[rec.key] || !reflect.DeepEqual(second.list, first.list) || !reflect.DeepEqual(second.sessions, first.sessions) {
		t.Errorf("%+v, want %+v", second, first)
	}
	if second.of("Token", "B")[0].Session != 1 || len(second.of("Token", "A")) != 0 {
		t.Error("the record is not found by its key")
	}
}

// decode reads the report of one contract and ignores other contracts.
func TestReportsAreDecoded(t *testing.T) {
	rec, err := decode([]byte(`{"contracts":[
		{"name":"A","note":"A is an interface","stats":{},"findings":[]},
		{"name":"A","file":"A.sol","stats":{"inputs":5,"instructions":{"covered":3,"total":9},"predicted":{"tried":2,"oneShot":1,"succeeded":2}},
		 "findings":[{"id":"i","oracle":"panic","severity":"warning","file":"src/A.sol","start":{"line":8,"column":2},"function":"f()","inputs":4,"seconds":0.5}]}]}`), "A")
	if err != nil {
		t.Fatal(err)
	}
	if rec.Stats.Instructions.Total != 9 || rec.Stats.Predicted.OneShot != 1 || len(rec.Findings) != 1 {
		t.Fatalf("%+v", rec)
	}
	want := finding{ID: "i", Oracle: "panic", Severity: "warning", File: "A.sol", Line: 8, Function: "f()", Inputs: 4, Seconds: 0.5}
	if rec.Findings[0] != want {
		t.Errorf("%+v, want %+v", rec.Findings[0], want)
	}
	if _, err := decode([]byte("leveret: no"), "A"); err == nil {
		t.Error("a missing report causes no error")
	}
}
