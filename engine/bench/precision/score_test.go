package main

import (
	"strings"
	"testing"
)

const labelled = `contract A {
    x += y; // expect: overflow
    to.send(1); // expect: unchecked-call // allow: ether-leak, dos-failed-call
}
`

func TestJudge(t *testing.T) {
	l := Labels{Expected: map[Label]bool{}, Allowed: map[Label]bool{}}
	l.read("a.sol", []byte(labelled))
	reported := map[Label]bool{}
	err := readReport([]byte(`{"contracts":[{"findings":[
		{"oracle":"overflow","severity":"error","file":"src/a.sol","start":{"line":2}},
		{"oracle":"overflow","severity":"error","file":"a.sol","start":{"line":3}},
		{"oracle":"ether-leak","severity":"error","file":"a.sol","start":{"line":3}},
		{"oracle":"panic","severity":"information","file":"a.sol","start":{"line":3}},
		{"oracle":"panic","severity":"warning","file":"b.sol","start":{"line":3}}]}]}`), "a.sol", l, reported)
	if err != nil {
		t.Fatal(err)
	}
	j := Judge(l, reported)
	if got := j.Scores["overflow"]; got != (Score{True: 1, False: 1}) || got.Precision() != 0.5 || got.Recall() != 1 {
		t.Errorf("overflow %+v", got)
	}
	if got := j.Scores["unchecked-call"]; got != (Score{Missed: 1}) || got.Recall() != 0 {
		t.Errorf("unchecked-call %+v", got)
	}
	if j.Scores["ether-leak"] != (Score{}) || j.Scores["panic"] != (Score{}) {
		t.Errorf("allowed or low-severity findings count: %+v", j.Scores)
	}
	var text strings.Builder
	j.Write(&text)
	for _, want := range []string{"false:  a.sol:3 overflow", "missed: a.sol:3 unchecked-call", "all"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}
