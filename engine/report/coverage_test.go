package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/solc/srcmap"
)

// covered is a report on two contracts that share a file, and on one outside of the
// root.
func covered() *Report {
	branch := func(line, start int, outcomes ...bool) finding.BranchCoverage {
		return finding.BranchCoverage{Line: line, Span: srcmap.Span{Start: start, Length: 9}, Outcomes: [2]finding.BranchOutcome{{Taken: outcomes[0]}, {Taken: outcomes[1]}}}
	}
	file := func(path string, lines []finding.LineCoverage, branches ...finding.BranchCoverage) finding.FileCoverage {
		return finding.FileCoverage{File: "named otherwise", Path: path, Lines: lines, Branches: branches}
	}
	contract := func(files ...finding.FileCoverage) Contract {
		return Contract{Result: finding.Result{Coverage: &finding.CoverageReport{Files: files}}}
	}
	return &Report{Root: "/project", Contracts: []Contract{
		contract(
			file("/project/src/a/A.sol", []finding.LineCoverage{{Line: 3, Hits: 5, Covered: 1, Total: 1}, {Line: 4, Total: 1}}, branch(3, 30, true, false), branch(4, 50, false, false)),
			file("", []finding.LineCoverage{{Line: 1, Hits: 9}}),
		),
		contract(
			file("/project/src/a/A.sol", []finding.LineCoverage{{Line: 3, Hits: 2, Covered: 1, Total: 1}, {Line: 9, Hits: 1, Covered: 1, Total: 1}}, branch(3, 30, false, true), branch(3, 40, false, true)),
			file("/lib/B.sol", []finding.LineCoverage{{Line: 7, Total: 1}}),
		),
		{}, // was not fuzzed
	}}
}

// A tracefile is what genhtml reads of one file: counts by line, and by line, block
// and outcome.
type tracefile struct{ lines, branches map[string]string }

// readLCOV reads a tracefile as genhtml does, and fails where its totals are wrong.
func readLCOV(t *testing.T, text string) map[string]tracefile {
	t.Helper()
	files := map[string]tracefile{}
	var name string
	var totals map[string]int
	var now tracefile
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		key, value, _ := strings.Cut(line, ":")
		last := strings.LastIndex(value, ",")
		switch key {
		case "TN":
			totals, now = map[string]int{}, tracefile{map[string]string{}, map[string]string{}}
		case "SF":
			name = value
		case "DA":
			now.lines[value[:last]] = value[last+1:]
		case "BRDA":
			now.branches[value[:last]] = value[last+1:]
		case "LF", "LH", "BRF", "BRH":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			totals[key] = n
		case "end_of_record":
			files[name] = now
			want := map[string]int{"LF": len(now.lines), "LH": positive(now.lines), "BRF": len(now.branches), "BRH": positive(now.branches)}
			if fmt.Sprint(totals) != fmt.Sprint(want) {
				t.Errorf("%s: totals %v, want %v", name, totals, want)
			}
		default:
			t.Errorf("unknown line %q", line)
		}
	}
	return files
}

func positive(counts map[string]string) (n int) {
	for _, count := range counts {
		if count != "0" && count != "-" {
			n++
		}
	}
	return n
}

func TestLCOV(t *testing.T) {
	var b bytes.Buffer
	if err := LCOV(&b, covered(), Options{}); err != nil {
		t.Fatal(err)
	}
	want := map[string]tracefile{
		"src/a/A.sol": {
			map[string]string{"3": "5", "4": "0", "9": "1"},
			map[string]string{"3,0,0": "1", "3,0,1": "1", "3,1,0": "0", "3,1,1": "1", "4,0,0": "-", "4,0,1": "-"},
		},
		"/lib/B.sol": {map[string]string{"7": "0"}, map[string]string{}},
	}
	if got := readLCOV(t, b.String()); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
	b.Reset()
	if err := LCOV(&b, covered(), Options{Dir: "/"}); err != nil || readLCOV(t, b.String())["project/src/a/A.sol"].lines == nil {
		t.Errorf("%v: paths are not relative to the working folder: %s", err, b.String())
	}
}

// coberturaRules are what Cobertura's coverage-04.dtd says: the children of each
// element, and its attributes; those that end in ! are required.
var coberturaRules = map[string]struct{ children, attributes []string }{
	"coverage":   {[]string{"sources", "packages"}, strings.Fields("line-rate! branch-rate! lines-covered! lines-valid! branches-covered! branches-valid! complexity! version! timestamp!")},
	"sources":    {[]string{"source"}, nil},
	"source":     {nil, nil},
	"packages":   {[]string{"package"}, nil},
	"package":    {[]string{"classes"}, strings.Fields("name! line-rate! branch-rate! complexity!")},
	"classes":    {[]string{"class"}, nil},
	"class":      {[]string{"methods", "lines"}, strings.Fields("name! filename! line-rate! branch-rate! complexity!")},
	"methods":    {[]string{"method"}, nil},
	"lines":      {[]string{"line"}, nil},
	"line":       {[]string{"conditions"}, strings.Fields("number! hits! branch condition-coverage")},
	"conditions": {[]string{"condition"}, nil},
	"condition":  {nil, strings.Fields("number! type! coverage!")},
}

func TestCoberturaFitsTheDTD(t *testing.T) {
	for name, r := range map[string]*Report{"covered": covered(), "sample": sample(t), "empty": {Root: "/project"}} {
		var b bytes.Buffer
		if err := Cobertura(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		open := []string{}
		for d := xml.NewDecoder(&b); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			switch e := token.(type) {
			case xml.StartElement:
				if n := len(open); n > 0 && !slices.Contains(coberturaRules[open[n-1]].children, e.Name.Local) {
					t.Errorf("%s: %s in %q", name, e.Name.Local, open)
				}
				checkAttributes(t, e)
				open = append(open, e.Name.Local)
			case xml.EndElement:
				open = open[:len(open)-1]
			}
		}
	}
}

func checkAttributes(t *testing.T, e xml.StartElement) {
	t.Helper()
	rule, known := coberturaRules[e.Name.Local]
	if !known {
		t.Errorf("unknown element %s", e.Name.Local)
	}
	var have []string
	for _, a := range e.Attr {
		have = append(have, a.Name.Local)
		if !slices.Contains(rule.attributes, a.Name.Local) && !slices.Contains(rule.attributes, a.Name.Local+"!") {
			t.Errorf("%s has an attribute %s", e.Name.Local, a.Name.Local)
		}
	}
	for _, a := range rule.attributes {
		if required, is := strings.CutSuffix(a, "!"); is && !slices.Contains(have, required) {
			t.Errorf("%s has no %s", e.Name.Local, required)
		}
	}
}

func TestCoberturaCounts(t *testing.T) {
	var b bytes.Buffer
	if err := Cobertura(&b, covered(), Options{}); err != nil {
		t.Fatal(err)
	}
	var d coberturaDocument
	if err := xml.Unmarshal(b.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.LinesCovered != 2 || d.LinesValid != 4 || d.BranchesCovered != 3 || d.BranchesValid != 6 || d.coberturaRates != (coberturaRates{"0.5000", "0.5000"}) {
		t.Errorf("%+v", d)
	}
	var got []string
	for _, p := range d.Packages {
		for _, c := range p.Classes {
			for _, l := range c.List {
				got = append(got, fmt.Sprint(p.Name, " ", c.File, " ", l.Number, " ", l.Hits, " ", l.Branch, " ", l.Coverage))
			}
		}
	}
	want := []string{
		"/lib /lib/B.sol 7 0 false ", "src/a src/a/A.sol 3 5 true 75% (3/4)", "src/a src/a/A.sol 4 0 true 0% (0/2)", "src/a src/a/A.sol 9 1 false ",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
