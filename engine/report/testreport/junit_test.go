package testreport

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"testing"
)

// elements are what the schema of JUnit's XML allows (Jenkins' junit-10.xsd): the
// children of each element, in order, and its attributes; those that end in ! are
// required.
var elements = map[string]struct{ children, attributes []string }{
	"testsuites": {[]string{"testsuite"}, nil},
	"testsuite":  {[]string{"testcase"}, []string{"name!", "tests!", "failures", "skipped", "time"}},
	"testcase":   {[]string{"skipped", "failure", "system-out"}, []string{"name!", "classname", "file", "line", "time"}},
	"failure":    {nil, []string{"message"}},
	"skipped":    {nil, []string{"message"}},
	"system-out": {nil, nil},
}

// hostile has text that XML cannot hold as it is.
const hostile = "<&>\"']]> \x00\x1b[31m \xff end"

func sample() *Report {
	return &Report{Version: 1, Suites: []Suite{{File: "test/A.t.sol", Contract: "ATest", Tests: []Case{
		{Name: "testOk()", Kind: "unit", Status: "passed", Effort: Effort{Gas: 7}, Evidence: Evidence{Logs: []string{hostile}}, Seconds: 0.25},
		{Name: "testBad(uint256)", Kind: "fuzz", Status: "failed", Reason: hostile, Evidence: Evidence{Example: []string{hostile}, Trace: []string{"1. a"}}, Line: 3},
		{Name: "testLater()", Kind: "unit", Status: "skipped", Reason: "later"},
	}}}}
}

func TestJUnitFitsTheSchema(t *testing.T) {
	var b bytes.Buffer
	if err := JUnit(&b, sample()); err != nil {
		t.Fatal(err)
	}
	var open []string
	count := map[string]int{}
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
			checkElement(t, open, e)
			open = append(open, e.Name.Local)
			count[e.Name.Local]++
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
	for name, want := range map[string]int{"testsuites": 1, "testsuite": 1, "testcase": 3, "failure": 1, "skipped": 1, "system-out": 1} {
		if count[name] != want {
			t.Errorf("%d elements %s, want %d", count[name], name, want)
		}
	}
}

// checkElement checks an element in its parents.
func checkElement(t *testing.T, parents []string, e xml.StartElement) {
	t.Helper()
	name := e.Name.Local
	rule, known := elements[name]
	if !known {
		t.Fatalf("unknown element %s", name)
	}
	if n := len(parents); n > 0 && !slices.Contains(elements[parents[n-1]].children, name) || n == 0 && name != "testsuites" {
		t.Errorf("%s in %q", name, parents)
	}
	have := map[string]bool{}
	for _, a := range e.Attr {
		have[a.Name.Local] = true
		if !slices.Contains(rule.attributes, a.Name.Local) && !slices.Contains(rule.attributes, a.Name.Local+"!") {
			t.Errorf("%s has an attribute %s", name, a.Name.Local)
		}
		switch a.Name.Local {
		case "tests", "failures", "skipped", "line":
			if _, err := strconv.ParseUint(a.Value, 10, 32); err != nil {
				t.Errorf("%s of %s: %v", a.Name.Local, name, err)
			}
		case "time":
			if seconds, err := strconv.ParseFloat(a.Value, 64); err != nil || seconds < 0 {
				t.Errorf("time of %s: %q", name, a.Value)
			}
		}
	}
	for _, a := range rule.attributes {
		if required := a[:len(a)-1]; a[len(a)-1] == '!' && !have[required] {
			t.Errorf("%s has no %s", name, required)
		}
	}
}

// The JSON form keeps its flat names, which docs/results.md lists.
func TestJSONNames(t *testing.T) {
	text, err := json.Marshal(sample().Suites[0].Tests[1])
	if err != nil {
		t.Fatal(err)
	}
	var names map[string]any
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"name", "kind", "status", "reason", "counterexample", "trace", "line", "seconds"} {
		if names[name] == nil {
			t.Errorf("%s is missing in %s", name, text)
		}
	}
}
