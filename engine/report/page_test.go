package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/engine/replay"
)

// documentOf returns the document in a page, indented by lines.
func documentOf(t testing.TB, page string) []byte {
	t.Helper()
	_, rest, _ := strings.Cut(page, `<script type="application/json" id="document">`)
	text, _, ok := strings.Cut(rest, "</script>")
	var b bytes.Buffer
	if !ok || json.Indent(&b, []byte(text), "", " ") != nil {
		t.Fatalf("no document in %s", page)
	}
	return b.Bytes()
}

func pageOf(t testing.TB, r *Report) string {
	t.Helper()
	var b strings.Builder
	if err := HTML(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page loads nothing, and its policy allows its own style and script alone.
func TestPageStandsAlone(t *testing.T) {
	page := pageOf(t, sample(t))
	for _, bad := range []string{"<link", "<img", "<iframe", "@import", "src=", "style=", "unsafe-", "<b>anything", "{{"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	for _, element := range []string{"style", "script"} {
		m := regexp.MustCompile(`(?s)<`+element+`>(.*?)</`+element+`>`).FindAllStringSubmatch(page, -1)
		if len(m) != 1 {
			t.Fatalf("%d elements %s", len(m), element)
		}
		if !strings.Contains(page, element+"-src "+contentHash(m[0][1])+";") {
			t.Errorf("the policy does not have the hash of the %s", element)
		}
	}
}

// All scripts are part of the page.
func TestPageScripts(t *testing.T) {
	files, err := pageFolder.ReadDir("page")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		if path.Ext(f.Name()) == ".js" {
			if n++; !slices.Contains(pageScripts, f.Name()) {
				t.Errorf("%s is not in the list of scripts", f.Name())
			}
		}
	}
	if n != len(pageScripts) {
		t.Errorf("%d scripts, %d in the list", n, len(pageScripts))
	}
}

// What is too large is left out, and the document says so.
func TestPageLimits(t *testing.T) {
	r := sample(t)
	c := &r.Contracts[0]
	huge := bytes.Repeat([]byte("//\n"), maxPageFile/3+1)
	c.Texts["src/Huge.sol"] = huge
	c.Coverage.Files = append(c.Coverage.Files, finding.FileCoverage{File: "src/Huge.sol"})
	for i := range maxPageText/maxPageFile + 1 {
		name := fmt.Sprintf("src/Large%02d.sol", i)
		c.Texts[name] = huge[:maxPageFile]
		c.Coverage.Files = append(c.Coverage.Files, finding.FileCoverage{File: name})
	}
	c.Traces["SWC-110:Wallet:4f2a"][1].Nodes = make([]replay.Node, 2*maxPageNodes)
	d := NewPageDocument(r)
	omitted, all := map[string]bool{}, 0
	for _, f := range d.Files {
		omitted[f.Name] = f.Omitted
		all += len(f.Text)
	}
	if !omitted["src/Huge.sol"] || omitted["src/Large00.sol"] || !omitted["src/Large16.sol"] || all > maxPageText {
		t.Errorf("%d bytes, omitted: %v", all, omitted)
	}
	f := d.Details["SWC-110:Wallet:4f2a"]
	if !f.Cut || len(f.Trace[1].Nodes) != maxPageNodes-2 {
		t.Errorf("cut: %v, %d nodes", f.Cut, len(f.Trace[1].Nodes))
	}
}

// In a report on several projects, files of one name are told apart.
func TestPageOfSeveralProjects(t *testing.T) {
	r := sample(t)
	r.Root = "/"
	other := sample(t).Contracts[0]
	other.Root = "/other"
	other.Texts = map[string][]byte{"src/Wallet.sol": []byte("// other\n")}
	r.Contracts = append(r.Contracts, other)
	var names []string
	for _, f := range NewPageDocument(r).Files {
		names = append(names, f.Name)
	}
	if want := []string{"other/src/Wallet.sol", "project/src/Wallet.sol"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

// A curve keeps its first and its last sample, in order, whatever the number.
func TestCurve(t *testing.T) {
	for _, n := range []int{1, 2, maxSamples, maxSamples + 1, 10_000} {
		var c Curve
		for i := range n {
			c.Add(Sample{Seconds: float64(i) / 5, Inputs: i})
		}
		if len(c.Samples) > maxSamples || c.Samples[0].Inputs != 0 || c.Samples[len(c.Samples)-1].Inputs != n-1 || n > maxSamples && len(c.Samples) < maxSamples/3 {
			t.Errorf("%d of %d samples, from %v to %v", len(c.Samples), n, c.Samples[0], c.Samples[len(c.Samples)-1])
		}
		if !slices.IsSortedFunc(c.Samples, func(a, b Sample) int { return a.Inputs - b.Inputs }) {
			t.Error("the samples are not in order")
		}
	}
}
