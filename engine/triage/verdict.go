package triage

import (
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/solc/srcmap"
)

// A key tells findings apart: one for an oracle and a place, and for each function of a
// harness that fails there.
type key struct {
	oracle   string
	file     string
	span     srcmap.Span
	function string // of a harness, its signature; else empty
}

// keyOf returns the key of a report. For some oracles all reports in one
// statement are one finding, because one edit fixes them together.
func keyOf(r *oracle.Report, b *program.Location) key {
	k := key{oracle: r.Oracle.Name, file: b.Place.File, span: b.Place.Span}
	switch {
	case b.Node == nil:
	case r.Oracle.ByStatement:
		if statement := b.Node.Statement(); statement != nil {
			k.span = statement.Span
		}
	case r.Oracle == &oracle.Assertion:
		k.span = assertedSpan(b)
	}
	return k
}

// A Verdict is a confirmed report with its place.
type Verdict struct {
	key
	program.Location
	report  oracle.Report
	tx      int             // index of the transaction that shows it
	instead *input.Sequence // shows it in place of the sequence that was checked, in its last transaction; nil: that one does
}

// Oracle returns the oracle whose report was confirmed.
func (v *Verdict) Oracle() *oracle.Oracle { return v.report.Oracle }

// severities are what the settings say of oracles, by name.
type severities map[string]finding.Severity

// of returns the severity of a report.
func (s severities) of(r *oracle.Report) finding.Severity {
	if set, ok := s[r.Oracle.Name]; ok {
		return set
	}
	if r.Severity != finding.Off {
		return r.Severity
	}
	return r.Oracle.Severity
}
