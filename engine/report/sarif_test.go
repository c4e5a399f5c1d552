package report

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/engine/finding"
	"leveret/engine/replay"
)

// sarifRun writes a report as SARIF and reads it.
func sarifRun(t *testing.T, r *Report) *sarif.Run {
	t.Helper()
	var b bytes.Buffer
	if err := SARIF(&b, r, Options{}); err != nil {
		t.Fatal(err)
	}
	document, err := sarif.FromBytes(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return document.Runs[0]
}

// flowLines lists the steps of a result: level, line and text.
func flowLines(result *sarif.Result) (steps []string) {
	for _, l := range result.CodeFlows[0].ThreadFlows[0].Locations {
		level := 0
		if l.NestingLevel != nil {
			level = *l.NestingLevel
		}
		steps = append(steps, fmt.Sprint(level, " ", *l.Location.PhysicalLocation.Region.StartLine, " ", l.Importance, " ", *l.Location.Message.Text))
	}
	return steps
}

// Steps of a code flow are at the calls of the trace, below the deployment.
func TestSARIFFlowIsAtTheCalls(t *testing.T) {
	r := sample(t)
	of := r.Groups()[0].Shown().Of
	of.Defined = map[Definition]finding.Place{}
	for i, line := range []int{3, 4} {
		c := &witness(t).Deployment.Creations[i]
		of.Defined[Definition{c.File, c.Class()}] = place(line, 5, line, 8)
	}
	got := flowLines(sarifRun(t, r).Results[0])
	want := []string{
		"0 3 important deployer creates Token()",
		"0 4 important deployer creates Wallet(Token, -1), sending 1.5 ether",
		"0 7 important 1. user1 calls Wallet.set()",
		"0 6 important 2. user2 calls Wallet.take(to: user2, amount: 7)",
		"1 6 important sends 1 wei to user2",
		"2 6 essential reverts: <b>no</b>",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	f := r.Groups()[0].Shown()
	f.Of.Traces = map[string][]replay.Node{f.ID: slices.Repeat(calls(), maxFlow)}
	if n := len(flowLines(sarifRun(t, r).Results[0])); n != maxFlow {
		t.Errorf("a long trace has %d steps", n)
	}
	f.Of.Traces, f.Of.Defined = nil, nil
	for _, step := range flowLines(sarifRun(t, r).Results[0]) {
		if !strings.HasPrefix(step, "0 7 ") {
			t.Errorf("without a trace: %q", step)
		}
	}
}

// Every oracle has a rule with a description, a remedy and the severity of its most
// severe finding.
func TestSARIFRules(t *testing.T) {
	pages, err := filepath.Glob("../../docs/oracles/*.md")
	pages = slices.DeleteFunc(pages, func(page string) bool { return filepath.Base(page) == "README.md" })
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	r := sample(t)
	c := &r.Contracts[0]
	first := c.Findings[1]
	c.Findings = nil
	for i, page := range pages {
		for k, severity := range []finding.Severity{finding.Warning, finding.Error} {
			f := first
			f.Oracle, f.Severity, f.Place = strings.TrimSuffix(filepath.Base(page), ".md"), severity, place(1+2*i+k, 1, 1+2*i+k, 2)
			f.ID, f.Cause = fmt.Sprint(f.Oracle, k), ""
			c.Findings = append(c.Findings, f)
		}
	}
	r.Contracts = r.Contracts[:1]
	rules := sarifRun(t, r).Tool.Driver.Rules
	if len(rules) != len(pages) {
		t.Errorf("%d rules for %d oracles", len(rules), len(pages))
	}
	for _, rule := range rules {
		if rule.ShortDescription == nil || rule.FullDescription == nil || rule.Help == nil {
			t.Fatalf("%s lacks a description", *rule.ID)
		}
		for what, text := range map[string]string{
			"title": *rule.ShortDescription.Text, "meaning": *rule.FullDescription.Text, "remedy": *rule.Help.Text,
		} {
			if len(text) < 10 || len(text) > 1024 || strings.ContainsAny(text, "\n#") { // the limit is GitHub's
				t.Errorf("%s of %s: %q", what, *rule.ID, text)
			}
		}
		if rule.DefaultConfiguration.Level != "error" || rule.Properties.Properties["security-severity"] != "8.0" || !strings.Contains(*rule.Help.Markdown, "## How to fix") {
			t.Errorf("%s: %+v %v", *rule.ID, rule.DefaultConfiguration, rule.Properties)
		}
	}
}
