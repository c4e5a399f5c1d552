package present

import (
	"encoding/json"
	"fmt"
	"strings"

	"leveret/engine"
	"leveret/engine/input"
	"leveret/engine/report"
	"leveret/lsp/session"
)

// A Launch is what a client starts the debugger with: a configuration of the type
// "leveret", whose other keys the request launch of leveret dap has.
type Launch struct {
	Type    string `json:"type"`
	Request string `json:"request"`
	Name    string `json:"name"`
	Report  string `json:"report,omitempty"` // path of a file with one finding
	Test    string `json:"test,omitempty"`   // "Contract.testName"
	Path    string `json:"path,omitempty"`   // of the file of the test
	Step    string `json:"step,omitempty"`   // line of the finding's trace to stop at
}

func newLaunch(name string) Launch {
	return Launch{Type: "leveret", Request: "launch", Name: name}
}

// LaunchOf returns what debugs the finding in a file that Witness has filled.
func LaunchOf(m session.ContractMark, file string) Launch {
	name := m.Finding.Oracle + " in " + m.Contract.Name
	if f := m.Finding.Function; f != "" {
		name += "." + f
	}
	l := newLaunch(name)
	l.Report = file
	return l
}

// LaunchOfTest returns what runs and debugs a test.
func LaunchOfTest(t session.TestMark) Launch {
	name, _, _ := strings.Cut(t.Signature, "(")
	l := newLaunch(t.Contract.Name + "." + name)
	l.Test, l.Path = l.Name, t.Analysis.Path
	return l
}

// Debugs reports whether the client is offered to debug what an analysis of a file found.
func (c Client) Debugs(s *session.Snapshot, path string) bool {
	return c.Debugger && s.SettingsFor(path).Trusted
}

// Witness returns a finding as leveret replay and leveret dap read it.
func Witness(s *session.Snapshot, m session.ContractMark) report.FindingDocument {
	contract := report.Contract{Root: s.ProjectRoot(m), Compiler: report.CompilerOf(m.Contract.Build)}
	contract.File = m.Contract.File
	f := *m.Finding
	f.Severity = m.Severity
	start := engine.Start(nil)
	if d := f.Witness.Deployment; d != nil && d.Fork != nil {
		start = input.BlockTime{Number: d.Fork.Block}
	}
	return report.NewFindingDocument(&contract, start, f)
}

// WitnessText returns a finding as Witness does, in a file.
func WitnessText(s *session.Snapshot, m session.ContractMark) (string, error) {
	text, err := json.MarshalIndent(Witness(s, m), "", "  ")
	if err != nil {
		return "", fmt.Errorf("cannot write the finding %s: %w", m.Finding.ID, err)
	}
	return string(text) + "\n", nil
}
