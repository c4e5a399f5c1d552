package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

// A message cannot end a workflow command, begin another, or add a property.
func TestGitHubEscapes(t *testing.T) {
	r := sample(t)
	f := &r.Contracts[0].Findings[1]
	f.Message, f.Place.Path = "100%\r\n::error::no", "/project/src/a,line=1:b%.sol"
	var b bytes.Buffer
	if err := GitHub(&b, r, Options{Dir: "/project"}); err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile(`^::(error|warning|notice) file=[^,:\r\n]+,line=[0-9]+,endLine=[0-9]+,title=[^,:\r\n]+::[^\r\n]+$`)
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	for _, line := range lines {
		if !command.MatchString(line) {
			t.Errorf("no command: %q", line)
		}
	}
	if want := "::error file=src/a%2Cline=1%3Ab%25.sol,line=7,endLine=9,title=assertion::100%25%0D%0A::error::no%0A- "; len(lines) != len(r.Groups()) || !strings.HasPrefix(lines[0], want) {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
	r.Accepted = map[string]bool{r.Groups()[0].ID: true}
	b.Reset()
	if err := GitHub(&b, r, Options{}); err != nil || strings.Contains(b.String(), "::error") {
		t.Errorf("%v: the baseline's finding is shown in %s", err, b.String())
	}
}

func TestJUnitCountsFindings(t *testing.T) {
	r := sample(t)
	write := func() string {
		var b bytes.Buffer
		if err := JUnit(&b, r, Options{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if text := write(); strings.Count(text, "<failure ") != 2 || strings.Count(text, "<skipped ") != 1 || strings.Contains(text, "IWallet") {
		t.Errorf("one error, one warning and one note: %s", text)
	}
	r.Accepted = map[string]bool{r.Groups()[0].ID: true}
	if text := write(); strings.Count(text, "<failure ") != 1 || strings.Count(text, "<skipped ") != 2 {
		t.Errorf("one finding is in the baseline: %s", text)
	}
	r.Contracts[0].Findings, r.Contracts[1].Findings = nil, nil
	r.Contracts[1].Stats.Inputs, r.Contracts[1].Note = 0, "Vault cannot be deployed"
	if text := write(); strings.Contains(text, "<failure ") || !strings.Contains(text, `<skipped message="Vault cannot be deployed">`) || strings.Count(text, `name="fuzz"`) != 2 {
		t.Errorf("no findings, and a contract that was not fuzzed: %s", text)
	}
}
