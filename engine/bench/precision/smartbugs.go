package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// smartbugsOracles are the oracles that look for what a category of SmartBugs
// Curated means (Durieux et al., Empirical Review of Automated Analysis Tools
// on 47,587 Ethereum Smart Contracts, ICSE 2020); none: nothing does.
var smartbugsOracles = map[string][]string{
	"reentrancy":                {"reentrancy"},
	"access_control":            {"arbitrary-write", "arbitrary-jump", "delegatecall", "selfdestruct", "ether-leak", "tx-origin", "open-owner"},
	"arithmetic":                {"overflow"},
	"unchecked_low_level_calls": {"unchecked-call", "exception-disorder", "gasless-send"},
	"denial_of_service":         {"dos-failed-call", "unbounded-loop"},
	"bad_randomness":            {"timestamp", "block-number"},
	"time_manipulation":         {"timestamp", "block-number"},
}

// A smartbugsFile is an entry of vulnerabilities.json.
type smartbugsFile struct {
	Path            string
	Vulnerabilities []smartbugsLabel
}

// A smartbugsLabel is a vulnerability: one category at some lines.
type smartbugsLabel struct {
	Lines    []int
	Category string
}

func (l smartbugsLabel) String() string { return fmt.Sprintf("%v %s", l.Lines, l.Category) }

// finds reports whether f is a finding of the label's category on one of its
// lines, or on a line next to it.
func (l smartbugsLabel) finds(f finding) bool {
	near := func(line int) bool { return f.Start.Line-1 <= line && line <= f.End.Line+1 }
	return slices.Contains(smartbugsOracles[l.Category], f.Oracle) && slices.ContainsFunc(l.Lines, near)
}

// A smartbugsScore compares the findings in the files of a category with their
// labels. Files are labelled for one category, so findings of other categories
// are ignored. Unlabelled places may be true.
type smartbugsScore struct {
	Found, Labels, Unlabelled int
}

// smartbugs prints the score of each category, then the missed labels and the
// files that could not be fuzzed.
func smartbugs(command string, arguments []string, folder string, w io.Writer) error {
	text, err := os.ReadFile(filepath.Join(folder, "vulnerabilities.json"))
	if err != nil {
		return err
	}
	var files []smartbugsFile
	if err := json.Unmarshal(text, &files); err != nil {
		return err
	}
	scores, missed := map[string]smartbugsScore{}, []string{}
	for _, f := range files {
		findings, err := smartbugsFindings(command, arguments, filepath.Join(folder, f.Path))
		if err != nil {
			missed = append(missed, fmt.Sprintf("not run: %v", err))
		}
		for _, l := range f.judge(findings, scores) {
			missed = append(missed, fmt.Sprintf("missed: %s %v", f.Path, l))
		}
	}
	writeScores(w, scores)
	for _, line := range missed {
		fmt.Fprintln(w, line)
	}
	return nil
}

func smartbugsFindings(command string, arguments []string, path string) ([]finding, error) {
	out, err := report(command, arguments, path)
	if err != nil {
		return nil, err
	}
	return decode(out)
}

// judge adds the findings in one file to the scores and returns the labels that
// none of them is at. Findings without a label count once for each line, and only
// warnings and errors.
func (f smartbugsFile) judge(findings []finding, scores map[string]smartbugsScore) (missed []smartbugsLabel) {
	categories := map[string]bool{}
	for _, l := range f.Vulnerabilities {
		categories[l.Category] = true
		s := scores[l.Category]
		s.Labels++
		if slices.ContainsFunc(findings, l.finds) {
			s.Found++
		} else {
			missed = append(missed, l)
		}
		scores[l.Category] = s
	}
	for category := range categories {
		s := scores[category]
		s.Unlabelled += f.unlabelled(findings, category)
		scores[category] = s
	}
	return missed
}

// unlabelled counts the lines with a warning or error of a category and no label.
func (f smartbugsFile) unlabelled(findings []finding, category string) int {
	lines := map[int]bool{}
	for _, found := range findings {
		labelled := func(l smartbugsLabel) bool { return l.finds(found) }
		if found.strong() && slices.Contains(smartbugsOracles[category], found.Oracle) && !slices.ContainsFunc(f.Vulnerabilities, labelled) {
			lines[found.Start.Line] = true
		}
	}
	return len(lines)
}

func writeScores(w io.Writer, scores map[string]smartbugsScore) {
	fmt.Fprintln(w, "| category | labels | found | places without a label |")
	fmt.Fprintln(w, "|:--|--:|--:|--:|")
	var all smartbugsScore
	for _, category := range slices.Sorted(maps.Keys(scores)) {
		s := scores[category]
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", category, s.Labels, s.Found, s.Unlabelled)
		all = smartbugsScore{all.Found + s.Found, all.Labels + s.Labels, all.Unlabelled + s.Unlabelled}
	}
	fmt.Fprintf(w, "| all | %d | %d | %d |\n", all.Labels, all.Found, all.Unlabelled)
}
