package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"leveret/engine/report"
	"leveret/solc/compiler"
)

// maxReport is the largest report that is read, in bytes.
const maxReport = 256 << 20

// readReport reads the file that args name, standard input for "-", or without
// arguments the report of the last run in this folder.
func readReport(c console, env compiler.Env, args []string) (name string, text []byte, err error) {
	source := c.in
	switch {
	case len(args) == 1 && args[0] == "-":
		name = "standard input"
	case len(args) == 1:
		name = args[0]
	default:
		if name = lastPath(env, "."); name == "" {
			return "", nil, errors.New("no cache directory, so the last run was not saved; name a report")
		}
	}
	if name != "standard input" {
		file, err := os.Open(name)
		switch {
		case err != nil && len(args) == 0:
			here, _ := os.Getwd()
			return "", nil, fmt.Errorf("no saved run with findings for %s; run leveret fuzz here first, or name a report of leveret fuzz --format json", here)
		case err != nil:
			return "", nil, fmt.Errorf("cannot read %s: %w", name, errors.Unwrap(err))
		}
		defer file.Close()
		source = file
	}
	text, err = io.ReadAll(io.LimitReader(source, maxReport+1))
	if err != nil {
		return "", nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	if len(text) > maxReport {
		return "", nil, fmt.Errorf("%s is too large: reports have at most 256 MB", name)
	}
	return name, text, nil
}

// parseFindings reads the findings of a report, or a single finding.
func parseFindings(text []byte) ([]report.FindingDocument, error) {
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
		return []report.FindingDocument{f}, nil
	case both.Contracts == nil:
		return nil, errors.New("not a Leveret JSON report; write one with leveret fuzz --format json")
	}
	var findings []report.FindingDocument
	for _, c := range both.Contracts {
		findings = append(findings, c.Findings...)
	}
	return findings, nil
}

// selectFindings returns the findings with the ids, or all without ids.
func selectFindings(findings []report.FindingDocument, ids []string) ([]report.FindingDocument, error) {
	if len(findings) == 0 {
		return nil, errors.New("the report has no findings")
	}
	if len(ids) == 0 {
		return findings, nil
	}
	var have []string
	var out []report.FindingDocument
	for _, f := range findings {
		have = append(have, f.ID)
		if slices.Contains(ids, f.ID) {
			out = append(out, f)
		}
	}
	for _, id := range ids {
		if !slices.Contains(have, id) {
			return nil, fmt.Errorf("no finding %s; the findings are %s", id, strings.Join(have, ", "))
		}
	}
	return out, nil
}
