// Package settings is the one tree of settings of the language server: what
// there is, what it means, and how it is read from the places that may say
// something about it.
//
// It knows neither clients nor files: decoded JSON and the bytes of a
// leveret.toml are handed in, and what was wrong with them is handed back.
package settings

import (
	"maps"
	"runtime"
	"time"

	"leveret/engine/finding"
)

// Settings are the settings in force. They are immutable.
type Settings struct {
	SolcPath            string
	AskForSolc          bool
	Budget              time.Duration
	Idle                bool
	Baseline            string
	CodeLens            bool
	InlayHints          bool
	CompilerDiagnostics bool
	Seed                uint64
	Workers             int
	Trusted             bool
	Oracles             map[string]finding.Severity // overrides, by oracle name
}

// Default returns what holds where nobody says anything.
func Default() Settings {
	return Settings{
		Budget:   3 * time.Second,
		Idle:     true,
		Baseline: BaselineSave,
		CodeLens: true,

		AskForSolc: true,
	}
}

// BaselineSave is the Baseline that compares with the text of the last
// completed campaign; the other form is "git:" and a revision.
const BaselineSave = "save"

// GitBaseline returns the revision of a git baseline, or "". Nothing of git is
// read in a workspace that is not trusted.
func (s Settings) GitBaseline() string {
	if s.Trusted && len(s.Baseline) > 4 && s.Baseline[:4] == "git:" {
		return s.Baseline[4:]
	}
	return ""
}

// Threads returns how many workers a campaign may have: what was asked for,
// but never more than half the processors, which belong to the editor.
func (s Settings) Threads() int {
	half := max(1, runtime.GOMAXPROCS(0)/2)
	if s.Workers <= 0 {
		return half
	}
	return min(s.Workers, half)
}

// withOracle returns s with one more override.
func (s Settings) withOracle(name string, severity finding.Severity) Settings {
	s.Oracles = maps.Clone(s.Oracles)
	if s.Oracles == nil {
		s.Oracles = map[string]finding.Severity{}
	}
	s.Oracles[name] = severity
	return s
}
