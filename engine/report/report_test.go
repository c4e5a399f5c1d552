package report

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/engine/finding"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file in testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test ./engine/report -update rewrites it); got:\n%s", file, got)
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.Write(&b, sample(t), Options{Replay: "leveret replay --id "}); err != nil {
				t.Fatal(err)
			}
			if f.Sources {
				golden(t, "sample.page.json", documentOf(t, b.String()))
			} else {
				golden(t, "sample."+f.Name, b.Bytes())
			}
			b.Reset()
			if err := f.Write(&b, &Report{}, Options{}); err != nil {
				t.Errorf("an empty report: %v", err)
			}
			if named, err := FormatNamed(f.Name); err != nil || named.Name != f.Name {
				t.Errorf("FormatNamed(%q) = %q, %v", f.Name, named.Name, err)
			}
		})
	}
	if _, err := FormatNamed("pdf"); err == nil || !strings.Contains(err.Error(), "text, json, sarif, html") {
		t.Errorf("an unknown format returns %v", err)
	}
}

func TestTextOfOneContractInColour(t *testing.T) {
	r := sample(t)
	r.Contracts = r.Contracts[:1]
	var b bytes.Buffer
	if err := Text(&b, r, Options{Colour: true, Dir: "/project/src"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "colour.text", b.Bytes())
	for _, want := range []string{"Wallet.sol:7:9", "\x1b[31;1merror:\x1b[0m"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
}

// When a finding of a campaign was found is not known, and not made up.
func TestTextOfUnknownTimes(t *testing.T) {
	r := sample(t)
	for i := range r.Contracts {
		for j := range r.Contracts[i].Findings {
			f := &r.Contracts[i].Findings[j]
			f.Inputs, f.Seconds = 0, 0
		}
	}
	var b bytes.Buffer
	if err := Text(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	if text := b.String(); strings.Contains(text, "Found after") || !strings.Contains(text, "Wallet.sol:7:9") {
		t.Error(text)
	}
}

// TestSARIFIsValid checks the output against the schema of the standard.
func TestSARIFIsValid(t *testing.T) {
	for name, r := range map[string]*Report{"sample": sample(t), "empty": {Root: "/project"}} {
		var b bytes.Buffer
		if err := SARIF(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		document, err := sarif.FromBytes(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if err := document.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCount(t *testing.T) {
	r := sample(t)
	for least, want := range map[finding.Severity]int{finding.Error: 1, finding.Warning: 2, finding.Information: 3} {
		if got := r.Count(least); got != want {
			t.Errorf("Count(%s) = %d, want %d", least, got, want)
		}
	}
}

// One place with one cause is shown once, with the contracts and the other oracles.
func TestGroups(t *testing.T) {
	r := sample(t)
	var got []string
	for _, g := range r.Groups() {
		got = append(got, fmt.Sprint(g.Shown().Finding.ID, " ", g.Contracts(), g.Oracles(), len(g.Members)))
	}
	want := []string{
		"SWC-110:Wallet:4f2a [Wallet Vault] [assertion] 2", // the shorter witness is first
		"SWC-104:Vault:02 [Vault] [unchecked-call gasless-send] 2",
		"none:Wallet:01 [Wallet] [arbitrary-write] 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	r.Severity = finding.Warning
	if n := len(r.Groups()); n != 2 {
		t.Errorf("%d groups of warnings", n)
	}
	r.Accepted = map[string]bool{r.Groups()[0].ID: true}
	if n := r.Count(finding.Hint); n != 1 {
		t.Errorf("%d groups are not in the baseline", n)
	}
}

// The id of a group depends on neither line nor contract.
func TestGroupIDIsStable(t *testing.T) {
	a := finding.Finding{ID: "SWC-110:A:0001", Oracle: "assertion", Contract: "A", Anchor: finding.Anchor{Around: "f", Text: "assert(x)"}, Place: place(3, 1, 3, 5)}
	b := a
	b.ID, b.Contract, b.Place = "SWC-110:B:0001", "B", place(30, 1, 30, 5)
	if a.GroupID() != b.GroupID() || !strings.HasPrefix(a.GroupID(), "assertion@Wallet.sol:") {
		t.Errorf("%s and %s", a.GroupID(), b.GroupID())
	}
	if b.Anchor.Nth = 1; a.GroupID() == b.GroupID() {
		t.Error("the second of two equal texts has the id of the first")
	}
}

// The report says what the baseline accepts, and SARIF in its own words.
func TestBaselineStates(t *testing.T) {
	r := sample(t)
	r.Accepted = map[string]bool{r.Groups()[0].ID: true}
	for name, want := range map[string][]string{
		"text":  {"In the baseline: 1 finding.", "Vault     src/Vault.sol   1 warning "},
		"json":  {`"baseline": "unchanged"`, `"baseline": "new"`},
		"sarif": {`"baselineState": "unchanged"`, `"baselineState": "new"`},
		"html":  {`"accepted":1`},
	} {
		var b bytes.Buffer
		if f, err := FormatNamed(name); err != nil || f.Write(&b, r, Options{}) != nil {
			t.Fatal(err)
		}
		for _, want := range want {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, b.String())
			}
		}
	}
}

// In a folder of several projects, the table distinguishes equal file names.
func TestTableOfSeveralProjects(t *testing.T) {
	one, other := Contract{Root: "/ws/one"}, Contract{Root: "/ws/other"}
	for _, c := range []*Contract{&one, &other} {
		c.Name, c.File, c.Stats = "Vault", "src/Vault.sol", finding.Stats{Inputs: 1}
	}
	var b bytes.Buffer
	if err := Text(&b, &Report{Contracts: []Contract{one, other}}, Options{Dir: "/ws"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Vault     one/src/Vault.sol ", "Vault     other/src/Vault.sol ", "Fuzzed 2 of 2 contracts: no findings."} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}
