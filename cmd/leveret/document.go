package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/compiler"
)

// maxReport is the largest report that is read, in bytes.
const maxReport = 256 << 20

// savedFindings are the findings of a report that was read.
type savedFindings struct {
	name     string // of the report, for messages
	findings []report.FindingDocument
	groups   []report.GroupDocument
}

// readFindings returns the findings that ids name: in the report that args name, on
// standard input for "-", or in the last runs in this folder. Without ids they are
// one of each group, the gravest first; of the last run, those of this project.
func readFindings(c console, env compiler.Env, args, ids []string) ([]report.FindingDocument, error) {
	if len(args) == 1 {
		saved, err := readReport(c, args[0])
		if err != nil {
			return nil, err
		}
		return saved.choose(ids)
	}
	path := lastPath(env, ".")
	if path == "" {
		return nil, errors.New("no cache directory, so the last run was not saved; name a report")
	}
	saved, err := readReport(c, path)
	if len(ids) > 0 && (err != nil || !saved.has(ids)) {
		if other, err := readReport(c, elsewherePath(env, ".")); err == nil && other.has(ids) {
			return other.choose(ids)
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		here, _ := os.Getwd()
		return nil, fmt.Errorf("no saved run with findings for %s; run leveret fuzz here first, or name a report of leveret fuzz --format json", here)
	}
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		saved.findings = slices.DeleteFunc(saved.findings, func(f report.FindingDocument) bool { return !isOwn(env, f.Root) })
	}
	return saved.choose(ids)
}

// readReport reads a report, from standard input for "-".
func readReport(c console, name string) (*savedFindings, error) {
	source := c.in
	if name == "-" {
		name = "standard input"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, cause(err))
		}
		defer file.Close()
		source = file
	}
	text, err := io.ReadAll(io.LimitReader(source, maxReport+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(text) > maxReport {
		return nil, fmt.Errorf("%s is too large: reports have at most 256 MB", name)
	}
	saved, err := parseFindings(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	saved.name = name
	return saved, nil
}

// parseFindings reads the findings of a report, or a single finding.
func parseFindings(text []byte) (*savedFindings, error) {
	var both struct {
		report.Document
		Sequence json.RawMessage `json:"sequence"`
	}
	if err := json.Unmarshal(text, &both); err != nil {
		return nil, fmt.Errorf("not a Leveret JSON report: %w; write one with leveret fuzz --format json", err)
	}
	switch {
	case both.Version > report.Version:
		return nil, fmt.Errorf("the report has version %d, and this Leveret reads versions up to %d; update Leveret", both.Version, report.Version)
	case both.Sequence != nil:
		var f report.FindingDocument
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("not a finding of a Leveret JSON report: %w", err)
		}
		return &savedFindings{findings: []report.FindingDocument{f}}, nil
	case both.Contracts == nil:
		return nil, errors.New("not a Leveret JSON report; write one with leveret fuzz --format json")
	}
	saved := &savedFindings{groups: both.Groups}
	for _, c := range both.Contracts {
		saved.findings = append(saved.findings, c.Findings...)
	}
	return saved, nil
}

// has reports whether all ids are those of findings or groups.
func (s *savedFindings) has(ids []string) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return s.find(id) < 0 })
}

// find returns the index of the finding with an id, or of the one that a group
// shows; -1 if there is none.
func (s *savedFindings) find(id string) int {
	for _, g := range s.groups {
		if g.ID == id && len(g.Findings) > 0 {
			id = g.Findings[0]
		}
	}
	return slices.IndexFunc(s.findings, func(f report.FindingDocument) bool { return f.ID == id })
}

// choose returns the findings with the ids; without ids those that groups show, most
// severe first.
func (s *savedFindings) choose(ids []string) (chosen []report.FindingDocument, err error) {
	if len(s.findings) == 0 {
		return nil, fmt.Errorf("%s: the report has no findings", s.name)
	}
	if len(ids) == 0 {
		return s.gravest(), nil
	}
	for _, id := range ids {
		i := s.find(id)
		if i < 0 {
			have := finding.Names(s.findings, func(f report.FindingDocument) string { return f.ID })
			return nil, fmt.Errorf("%s: no finding %s; the findings are %s", s.name, id, strings.Join(have, ", "))
		}
		chosen = append(chosen, s.findings[i])
	}
	return chosen, nil
}

// gravest returns the findings that groups show, most severe first. A report
// without groups shows all.
func (s *savedFindings) gravest() (list []report.FindingDocument) {
	others := map[string]bool{}
	for _, g := range s.groups {
		shown := 0
		for shown < len(g.Findings)-1 && s.find(g.Findings[shown]) < 0 { // of another project
			shown++
		}
		for i, id := range g.Findings {
			others[id] = i != shown || g.Baseline == report.Unchanged
		}
	}
	for _, f := range s.findings {
		if !others[f.ID] {
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b report.FindingDocument) int { return cmp.Compare(b.Severity, a.Severity) })
	return list
}
