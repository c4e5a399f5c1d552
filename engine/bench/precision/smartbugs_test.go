package main

import (
	"slices"
	"testing"
)

func TestSmartbugs(t *testing.T) {
	file := smartbugsFile{Path: "a.sol", Vulnerabilities: []smartbugsLabel{
		{[]int{10}, "reentrancy"}, {[]int{20, 30}, "reentrancy"}, {[]int{40}, "reentrancy"}, {[]int{50}, "front_running"},
	}}
	at := func(oracle, severity string, start, end int) (f finding) {
		f.Oracle, f.Severity, f.Start.Line, f.End.Line = oracle, severity, start, end
		return f
	}
	findings := []finding{
		at("reentrancy", "warning", 11, 12),     // next to the label
		at("reentrancy", "information", 28, 30), // a label holds at any of its lines and with any severity
		at("overflow", "error", 40, 40),         // of another category
		at("reentrancy", "warning", 60, 60),
		at("reentrancy", "error", 60, 60), // the same line
		at("reentrancy", "information", 61, 61),
		at("reentrancy", "warning", 50, 50),
	}
	scores := map[string]smartbugsScore{}
	missed := file.judge(findings, scores)
	if got, want := scores["reentrancy"], (smartbugsScore{Found: 2, Labels: 3, Unlabelled: 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, want := scores["front_running"], (smartbugsScore{Labels: 1}); got != want {
		t.Errorf("nothing looks for front running: got %+v, want %+v", got, want)
	}
	same := func(a, b smartbugsLabel) bool { return a.String() == b.String() }
	if want := file.Vulnerabilities[2:]; !slices.EqualFunc(missed, want, same) {
		t.Errorf("missed %v, want %v", missed, want)
	}
}
