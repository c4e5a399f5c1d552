package report

import (
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"leveret/docs/oracles"
	"leveret/engine/finding"
)

// securitySeverities are the scores, from 0 to 10, by which GitHub sorts and filters
// security alerts: the middle of its ranges high, medium and low.
var securitySeverities = map[finding.Severity]string{
	finding.Error: "8.0", finding.Warning: "5.5", finding.Information: "2.0", finding.Hint: "1.0",
}

// describe adds to a rule what the page of its oracle says. Its level is that of f,
// its most severe finding.
func describe(rule *sarif.ReportingDescriptor, f *finding.Finding) {
	if number, ok := strings.CutPrefix(f.SWC, "SWC-"); ok {
		rule.WithHelpURI("https://swcregistry.io/docs/SWC-" + number)
	}
	tags := []string{"security", "solidity"}
	if f.SWC != "" {
		tags = append(tags, f.SWC)
	}
	properties := sarif.NewPropertyBag()
	properties.Add("tags", tags)
	properties.Add("precision", "very-high") // a sequence of transactions shows it
	properties.Add("problem.severity", sarifProblems[f.Severity])
	properties.Add("security-severity", securitySeverities[f.Severity])
	rule.WithName(f.Oracle).WithProperties(properties).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(sarifLevels[f.Severity]))
	page := oracles.Page(f.Oracle)
	if page == "" {
		return
	}
	heading, text, _ := strings.Cut(page, "\n")
	if _, title, ok := strings.Cut(heading, ": "); ok {
		rule.WithShortDescription(sarif.NewMultiformatMessageString().WithText(title + "."))
	}
	if meaning := section(text, "What it means"); meaning != "" {
		rule.WithFullDescription(sarif.NewMultiformatMessageString().WithText(meaning))
	}
	rule.WithHelp(sarif.NewMultiformatMessageString().WithText(section(text, "How to fix")).WithMarkdown(page))
}

// sarifProblems are GitHub's words for the severity of a rule.
var sarifProblems = map[finding.Severity]string{
	finding.Error: "error", finding.Warning: "warning", finding.Information: "recommendation", finding.Hint: "recommendation",
}

// section returns the first paragraph below a heading of a page, in one line.
func section(page, heading string) string {
	_, rest, _ := strings.Cut(page, "\n## "+heading+"\n\n")
	paragraph, _, _ := strings.Cut(rest, "\n\n")
	return strings.Join(strings.Fields(paragraph), " ")
}
