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

// maxReport bounds what is read as a report.
const maxReport = 256 << 20

// readReport reads what the arguments name: a file, the standard input, or
// the report of the last run here.
func readReport(c console, env compiler.Env, args []string) (name string, text []byte, err error) {
	source := c.in
	switch {
	case len(args) == 1 && args[0] == "-":
		name = "standard input"
	case len(args) == 1:
		name = args[0]
	default:
		if name = lastPath(env, "."); name == "" {
			return "", nil, errors.New("there is no cache directory, so nothing is known of the last run; name a report")
		}
	}
	if name != "standard input" {
		file, err := os.Open(name)
		switch {
		case err != nil && len(args) == 0:
			here, _ := os.Getwd()
			return "", nil, fmt.Errorf("no run with findings is remembered in %s; run leveret fuzz here first, or name a report that leveret fuzz --format json wrote", here)
		case err != nil:
			return "", nil, fmt.Errorf("%s cannot be read: %w", name, errors.Unwrap(err))
		}
		defer file.Close()
		source = file
	}
	text, err = io.ReadAll(io.LimitReader(source, maxReport+1))
	if err != nil {
		return "", nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if len(text) > maxReport {
		return "", nil, fmt.Errorf("%s is too large for a report", name)
	}
	return name, text, nil
}

// parseFindings reads a report, or one finding.
func parseFindings(text []byte) ([]report.FindingDocument, error) {
	var both struct {
		report.Document
		Sequence json.RawMessage `json:"sequence"`
	}
	if err := json.Unmarshal(text, &both); err != nil {
		return nil, fmt.Errorf("this is no report: %w; write one with leveret fuzz --format json", err)
	}
	switch {
	case both.Version > report.Version:
		return nil, fmt.Errorf("this report has version %d, and this Leveret reads up to %d; update Leveret", both.Version, report.Version)
	case both.Sequence != nil:
		var f report.FindingDocument
		if err := json.Unmarshal(text, &f); err != nil {
			return nil, fmt.Errorf("this is no finding: %w", err)
		}
		return []report.FindingDocument{f}, nil
	case both.Contracts == nil:
		return nil, errors.New("this is neither a report nor a finding; write one with leveret fuzz --format json")
	}
	var findings []report.FindingDocument
	for _, c := range both.Contracts {
		findings = append(findings, c.Findings...)
	}
	return findings, nil
}

// selectFindings keeps those with the ids, or all.
func selectFindings(findings []report.FindingDocument, ids []string) ([]report.FindingDocument, error) {
	if len(findings) == 0 {
		return nil, errors.New("it has no findings to replay")
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
			return nil, fmt.Errorf("it has no finding %s; it has %s", id, strings.Join(have, ", "))
		}
	}
	return out, nil
}
