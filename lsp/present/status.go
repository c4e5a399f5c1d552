package present

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// The notifications that LSP does not define, for clients that request them.
const (
	MethodStatus       = "leveret/status"
	MethodSymbolStatus = "leveret/symbolStatus"
)

// Status is what a status bar shows.
type Status struct {
	Text    string `json:"text"`
	Tooltip string `json:"tooltip,omitempty"`
	Busy    bool   `json:"busy"`
	Errors  int    `json:"errors"` // findings, by severity
	Others  int    `json:"others"`
}

// StatusOf summarizes the running work or the findings.
func StatusOf(s *session.Snapshot) Status {
	var status Status
	failures := map[solc.FailureKind]int{} // files
	for _, path := range slices.Sorted(maps.Keys(s.Analyses)) {
		if a := s.Analyses[path]; a.Failure != nil && !a.Dependent {
			failures[a.Failure.Kind]++
			status.Tooltip = cmp.Or(status.Tooltip, a.Failure.Text)
		}
	}
	for _, g := range s.AllGroups() {
		switch {
		case g[0].Accepted:
		case g[0].Severity == finding.Error:
			status.Errors++
		default:
			status.Others++
		}
	}
	switch a := s.Activity; {
	case a.Kind == session.Compilation:
		status.Busy, status.Text = true, "compiling "+filepath.Base(a.Path)+compiling(": ", a)
	case a.Kind == session.OwnBuild:
		status.Busy, status.Text = true, string(a.Kind)+compiling(": compiling ", a)
	case a.Kind != session.Resting:
		status.Busy, status.Text = true, fmt.Sprintf("%s %s%s", a.Kind, a.Contract, statistics(a))
	case len(failures) > 0:
		status.Text = notFuzzed(failures)
	case status.Errors+status.Others > 0:
		status.Text = count(status.Errors+status.Others, "finding")
	default:
		status.Text = "no findings"
	}
	return status
}

// notFuzzed says why files are not fuzzed: the kind of each failure and its number of
// files.
func notFuzzed(failures map[solc.FailureKind]int) string {
	var reasons []string
	for _, kind := range slices.Sorted(maps.Keys(failures)) {
		reason, n := string(kind), failures[kind]
		switch {
		case kind == solc.CompileError:
			reason = count(n, "file") + " " + english.PluralWord(n, "does", "do") + " not compile"
		case n > 1:
			reason += " (" + count(n, "file") + ")"
		}
		reasons = append(reasons, reason)
	}
	return "not fuzzed: " + strings.Join(reasons, ", ")
}

// compiling returns what a compiler has been compiling for more than a second,
// after a prefix; empty if it has not.
func compiling(prefix string, a session.Activity) string {
	if text := Compiling(a); text != "" {
		return prefix + text
	}
	return ""
}

// Compiling describes a compilation that takes long, "152 files with solc 0.8.30,
// via IR, 48 s". It is empty if none does.
func Compiling(a session.Activity) string {
	if a.Compiler == "" {
		return ""
	}
	return fmt.Sprintf("%s, %.0f s", a.Compiler, a.Elapsed.Seconds())
}

// SymbolStatuses are the states of the contracts and functions of a file.
type SymbolStatuses struct {
	URI     uri.URI        `json:"uri"`
	Version int32          `json:"version"`
	Symbols []SymbolStatus `json:"symbols"`
}

// SymbolStatus is the state of a contract or function: "stale", "queued",
// "running", "findings", "clean" or "skipped".
type SymbolStatus struct {
	Name  string         `json:"name"`
	Range protocol.Range `json:"range"`
	State session.State  `json:"state"`
	Text  string         `json:"text,omitempty"`
	Test  *TestStatus    `json:"test,omitempty"` // of a test that has run
}

// TestStatus is the last result of a test: "passed", "failed" or "skipped".
type TestStatus struct {
	Status  string   `json:"status"`
	Reason  string   `json:"reason,omitempty"`
	Seconds float64  `json:"seconds"`
	Runs    int      `json:"runs"`            // inputs
	Lines   []string `json:"lines,omitempty"` // of console.log
}

// Symbols returns the states of a file's contracts and functions; Version is 0 if the
// session does not have its text.
func (c Client) Symbols(s *session.Snapshot, path string) SymbolStatuses {
	all := SymbolStatuses{URI: FileURI(s, path), Symbols: []SymbolStatus{}}
	a, d := s.Analyses[path], s.Document(path)
	if a == nil || a.Build == nil {
		return all
	}
	source := a.Build.PathSource(path)
	if source == nil {
		return all
	}
	if d == nil { // neither open nor with findings
		d = &session.Document{Lines: srcmap.NewLines(source.Text)}
	}
	all.Version = d.Version
	for _, contract := range a.Contracts {
		if contract.Node == nil {
			continue
		}
		if span, ok := s.Move(a, path, contract.Node.NameSpan(source.Text)); ok {
			all.Symbols = append(all.Symbols, SymbolStatus{
				Name: contract.Name, Range: c.rangeOf(d.Lines, span.Start, span.End()),
				State: stateOf(s, a, contract.State, contract.Node), Text: symbolText(s, a, contract),
			})
		}
		for _, f := range functionsOf(contract, source.ID) {
			span, ok := s.Move(a, path, f.NameSpan(source.Text))
			if !ok {
				continue
			}
			state := contract.State
			if state == session.StateFindings && session.Places(marksIn(s, a, contract, f)) == 0 {
				state = session.StateClean
			}
			t := contract.TestOf(f)
			if t != nil && contract.State != session.StateRunning && contract.State != session.StateQueued {
				state = testStates[t.Status]
			}
			status := SymbolStatus{
				Name: contract.Name + "." + f.Attr("name"), Range: c.rangeOf(d.Lines, span.Start, span.End()),
				State: stateOf(s, a, state, f),
			}
			if t != nil {
				status.Text, status.Test = testText(t), testStatus(t)
			}
			if v, ok := viewOf(contract, path, f); ok && contract.State != session.StateRunning {
				status.Text = v.text()
			}
			all.Symbols = append(all.Symbols, status)
		}
	}
	return all
}

// stateOf returns state, or stale if the declaration was edited.
func stateOf(s *session.Snapshot, a *session.Analysis, state session.State, n *ast.Node) session.State {
	if state != session.StateSkipped && s.Touched(a, a.Path, n.Span) {
		return session.StateStale
	}
	return state
}

// symbolText returns the summary of a contract without the statistics of a
// running campaign, which only Status has.
func symbolText(s *session.Snapshot, a *session.Analysis, c *session.Contract) string {
	if c.State == session.StateRunning {
		return string(s.Activity.Kind)
	}
	return Summary(s, a, c)
}
