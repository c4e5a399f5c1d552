// Package testreport writes the results of running tests: as text for people, JSON
// for programs and JUnit's XML for CI systems. Each format has a row in Formats.
package testreport

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize/english"

	"leveret/engine/report/printable"
)

// A Report is the result of running the tests of a project. It is also the JSON
// form, which grows only by fields; a change of their meaning changes Version.
type Report struct {
	Version int     `json:"version"` // 1
	Suites  []Suite `json:"suites"`
}

// A Suite is the result of one test contract.
type Suite struct {
	File     string   `json:"file"` // relative to the project's root, with slashes
	Contract string   `json:"contract"`
	Config   string   `json:"configuration,omitempty"` // of a harness: the base name of its file
	Error    string   `json:"error,omitempty"`         // why no test could run: setUp failed …
	Warnings []string `json:"warnings,omitempty"`
	Tests    []Case   `json:"tests"`

	Reverting []Reverting `json:"reverting,omitempty"`
}

// A Reverting is a function that the sequences of invariant tests or a harness call, and
// of which no call succeeded.
type Reverting struct {
	Contract string `json:"contract"`
	Function string `json:"function"` // signature
	Calls    int    `json:"calls"`
	Reason   string `json:"reason,omitempty"` // why calls failed most often
	File     string `json:"file,omitempty"`   // where they failed then, in the test if possible
	Line     int    `json:"line,omitempty"`
}

// A Case is the result of one test.
type Case struct {
	Name   string `json:"name"`   // signature
	Kind   string `json:"kind"`   // unit, fuzz, table or invariant
	Status string `json:"status"` // passed, failed or skipped
	Reason string `json:"reason,omitempty"`
	Effort
	Evidence
	File    string   `json:"file,omitempty"` // of Line, if it is not the suite's
	Line    int      `json:"line,omitempty"` // of the definition, 1-based
	Failed  *Failure `json:"failure,omitempty"`
	Seconds float64  `json:"seconds"`
}

// An Effort is what a test took.
type Effort struct {
	Gas      uint64 `json:"gas,omitempty"`      // of a unit test
	Runs     int    `json:"runs,omitempty"`     // executed inputs
	Rejected int    `json:"rejected,omitempty"` // inputs that vm.assume rejected
	Calls    int    `json:"calls,omitempty"`    // of handlers
	Reverts  int    `json:"reverts,omitempty"`  // calls of handlers that reverted
	Best     string `json:"best,omitempty"`     // value of a function that is maximized, which the calls of Evidence lead to
}

// Evidence is what a test showed, in lines of text.
type Evidence struct {
	Example  []string          `json:"counterexample,omitempty"` // calls in words, with their gas
	Accounts map[string]string `json:"accounts,omitempty"`       // addresses of Leveret's accounts that Example names
	Logs     []string          `json:"logs,omitempty"`
	Trace    []string          `json:"trace,omitempty"` // tree of calls
}

// A Failure says where a test failed: in the test if possible.
type Failure struct {
	File   string  `json:"file"`
	Line   int     `json:"line"`
	Others []Place `json:"others,omitempty"` // on the way there, the innermost first
}

// A Place is a statement on the way to a failure.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Count returns how many tests ended with each status.
func (t *Report) Count() (passed, failed, skipped int) {
	for i := range t.Suites {
		p, f, s := t.Suites[i].count()
		passed, failed, skipped = passed+p, failed+f, skipped+s
	}
	return passed, failed, skipped
}

func (s *Suite) count() (passed, failed, skipped int) {
	for i := range s.Tests {
		switch s.Tests[i].Status {
		case "passed":
			passed++
		case "skipped":
			skipped++
		default:
			failed++
		}
	}
	return passed, failed, skipped
}

// A Format writes the results of tests. Verbose counts -v flags.
type Format struct {
	Name  string
	Write func(w io.Writer, t *Report, verbose int) error
}

// Formats returns all formats; the first is the default.
func Formats() []Format {
	return []Format{
		{"text", writeText},
		{"json", func(w io.Writer, t *Report, _ int) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(t)
		}},
		{"junit", func(w io.Writer, t *Report, _ int) error { return JUnit(w, t) }},
	}
}

// FormatNames returns the names of all formats.
func FormatNames() (names []string) {
	for _, f := range Formats() {
		names = append(names, f.Name)
	}
	return names
}

// FormatNamed finds a format by name.
func FormatNamed(name string) (Format, error) {
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
	}
	return Format{}, fmt.Errorf("%q is not one of %s", name, strings.Join(FormatNames(), ", "))
}

// marks are how text shows a status.
var marks = map[string]string{"passed": "PASS", "failed": "FAIL", "skipped": "SKIP"}

// writeText writes what people know from forge: a line for each test, its
// logs with -vv or if it failed, and a summary.
func writeText(w io.Writer, t *Report, verbose int) error {
	out := &failing{w: w}
	for i := range t.Suites {
		s := &t.Suites[i]
		if i > 0 {
			out.print("\n")
		}
		by := ""
		if s.Config != "" {
			by = ", as " + s.Config + " says"
		}
		out.print("%s of %s%s\n", english.Plural(len(s.Tests), "test", ""), s.File+":"+s.Contract, by)
		for _, warning := range s.Warnings {
			out.print("  warning: %s\n", warning)
		}
		if s.Error != "" {
			out.print("  %s\n", s.Error)
		}
		for n := range s.Tests {
			s.Tests[n].write(out, verbose)
		}
		s.writeReverting(out, verbose)
	}
	passed, failed, skipped := t.Count()
	if len(t.Suites) > 0 {
		out.print("\n")
	}
	out.print("%s: %d passed, %d failed, %d skipped\n", english.Plural(passed+failed+skipped, "test", ""), passed, failed, skipped)
	return out.err
}

// fewOthers is how many functions of other contracts than the test's are listed without -v: where
// all contracts are called, many functions are for others.
const fewOthers = 8

// writeReverting says which functions never succeeded, and why.
func (s *Suite) writeReverting(out *failing, verbose int) {
	others := 0
	for i := range s.Reverting {
		f := &s.Reverting[i]
		name := f.Function
		if f.Contract != s.Contract {
			if others++; others > fewOthers && verbose == 0 {
				continue
			}
			name = f.Contract + "." + name
		}
		f.write(out, name)
	}
	if more := others - fewOthers; more > 0 && verbose == 0 {
		out.print("  nor of %s of other contracts, which -v lists\n", english.Plural(more, "more function", ""))
	}
}

// longReason is how many characters of a reason the text has, in one line. JSON has all.
const longReason = 200

func (f *Reverting) write(out *failing, name string) {
	out.print("  no call of %s succeeded (%d calls)", name, f.Calls)
	if f.Reason != "" {
		reason := []rune(strings.Join(strings.Fields(f.Reason), " "))
		if len(reason) > longReason {
			reason = append(reason[:longReason], '…')
		}
		out.print(", most often: %s", string(reason))
	}
	out.print("\n")
	if f.File != "" {
		out.print("    at %s:%d\n", f.File, f.Line)
	}
}

func (c *Case) write(out *failing, verbose int) {
	out.print("  [%s] %s%s", marks[c.Status], c.Name, c.effort())
	if c.Reason != "" {
		out.print(": %s", c.Reason)
	}
	out.print("\n")
	if c.Failed != nil {
		out.print("    at %s:%d\n", c.Failed.File, c.Failed.Line)
		for _, p := range c.Failed.Others {
			out.print("    and %s:%d: %s\n", p.File, p.Line, p.Text)
		}
	}
	out.block("with", c.Example)
	out.block("where", c.accounts())
	if verbose >= 2 || verbose >= 1 && c.Status == "failed" {
		out.block("logs", c.Logs)
	}
	out.block("trace", c.Trace)
}

// accounts says which addresses the names in Example are.
func (e *Evidence) accounts() (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(e.Accounts)) {
		lines = append(lines, name+" is "+e.Accounts[name])
	}
	return lines
}

// effort says what a test took.
func (c *Case) effort() string {
	var parts []string
	add := func(n int, format string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf(format, n))
		}
	}
	if c.Kind == "unit" && c.Gas > 0 {
		add(int(c.Gas), "gas: %d")
	}
	add(c.Runs, "runs: %d")
	add(c.Calls, "calls: %d")
	add(c.Reverts, "reverts: %d")
	add(c.Rejected, "rejected: %d")
	if c.Best != "" {
		parts = append(parts, "best: "+c.Best)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// failing prints until a write fails.
type failing struct {
	w   io.Writer
	err error
}

func (f *failing) print(format string, args ...any) {
	if f.err == nil {
		_, f.err = fmt.Fprintf(f.w, format, args...)
	}
}

// block prints lines below a word; nothing if there are none.
func (f *failing) block(word string, lines []string) {
	for i, line := range lines {
		if i == 0 {
			f.print("    %s\n", word)
		}
		f.print("%s\n", strings.TrimRight("      "+line, " "))
	}
}

// The elements of JUnit's XML that CI systems read.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name    string      `xml:"name,attr"`
		Tests   int         `xml:"tests,attr"`
		Failed  int         `xml:"failures,attr"`
		Skipped int         `xml:"skipped,attr"`
		Seconds string      `xml:"time,attr"`
		Cases   []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Name    string        `xml:"name,attr"`
		Class   string        `xml:"classname,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Seconds string        `xml:"time,attr"`
		Failure *junitMessage `xml:"failure"`
		Skipped *junitMessage `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitMessage struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the results as JUnit's XML.
func JUnit(w io.Writer, t *Report) error {
	var doc junitSuites
	for i := range t.Suites {
		s := &t.Suites[i]
		out := junitSuite{Name: s.File + ":" + s.Contract, Tests: len(s.Tests)}
		_, out.Failed, out.Skipped = s.count()
		total := 0.0
		for n := range s.Tests {
			c := &s.Tests[n]
			total += c.Seconds
			one := junitCase{
				Name: c.Name, Class: out.Name, File: c.File, Line: c.Line, Seconds: threeDigits(c.Seconds), Out: strings.Join(c.Logs, "\n"),
			}
			if one.File == "" {
				one.File = s.File
			}
			switch c.Status {
			case "failed":
				one.Failure = &junitMessage{c.Reason, strings.Join(slices.Concat(c.Example, c.accounts()), "\n")}
			case "skipped":
				one.Skipped = &junitMessage{Message: c.Reason}
			}
			out.Cases = append(out.Cases, one)
		}
		out.Seconds = threeDigits(total)
		doc.Suites = append(doc.Suites, out)
	}
	return printable.XML(w, xml.Header, doc)
}

func threeDigits(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }
