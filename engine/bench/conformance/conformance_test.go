package main

import (
	"bytes"
	"strings"
	"testing"
)

const forgeJSON = `Compiling...
{"test/A.t.sol:A":{"duration":"1ms","test_results":{
"testSame()":{"status":"Success","reason":null,"kind":{"Unit":{"gas":1}},"duration":"2ms 500µs"},
"testOther()":{"status":"Failure","reason":"1 != 2","kind":{"Unit":{"gas":1}},"duration":"1m 2s 3ns"},
"testFuzz(uint256)":{"status":"Success","reason":null,"kind":{"Fuzz":{"runs":256}},"duration":"0s"},
"testSkip()":{"status":"Skipped","reason":"later","kind":{"Unit":{"gas":1}},"duration":"0s"}}},
"test/B.t.sol:B":{"duration":"1ms","test_results":{"constructor()":{"status":"Failure","reason":"no","kind":{"Unit":{"gas":0}},"duration":"0s"}}}}`

const leveretJSON = `{"version":1,"suites":[{"file":"test/A.t.sol","contract":"A","tests":[
{"name":"testSame()","kind":"unit","status":"passed","seconds":0.001,"gas":2},
{"name":"testOther()","kind":"unit","status":"passed"},
{"name":"testFuzz(uint256)","kind":"fuzz","status":"failed","reason":"found\nit"}]},
{"file":"test/B.t.sol","contract":"B","error":"constructor reverted","tests":[{"name":"testX()","kind":"unit","status":"failed"}]}]}`

func TestCompare(t *testing.T) {
	theirs, err := readForge([]byte(forgeJSON))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := readLeveret([]byte(leveretJSON))
	if err != nil {
		t.Fatal(err)
	}
	if got := theirs[key{Suite: "test/A.t.sol:A", Test: "testOther()"}].Seconds; got != 62.000000003 {
		t.Errorf("%v seconds", got)
	}
	tests := compare(theirs, ours)
	var got tally
	got.add(tests)
	if want := (tally{unit: 4, unitEqual: 2, searched: 1, found: 1, forge: 0.0025, leveret: 0.001, timed: 1, measured: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	var out bytes.Buffer
	writeTables(&out, []result{{Project: "p", Repository: "o/p", Commit: "0123456789", Tests: tests}})
	for _, want := range []string{
		"| p | o/p@01234567 | 4 | 2 | 50.0 % | 0.0 % | 1 | 0 | 1 | 2.50 | 1.00 |",
		"- test/A.t.sol:A testSkip() (unit)\n  - forge: skipped: later\n  - leveret: absent\n- test/A.t.sol:A testFuzz",
		"leveret: failed: found it",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for _, bad := range []string{"", "{}x", `{"a:A":{"test_results":{"t()":{"status":"Odd","duration":"0s"}}}}`, `{"a:A":{"test_results":{"t()":{"status":"Success","duration":"soon"}}}}`} {
		if _, err := readForge([]byte(bad)); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if _, err := readLeveret([]byte("no report")); err == nil {
		t.Error("what is no report is accepted")
	}
}
