// Package settings defines the settings of the language server: keys, defaults,
// documentation, and decoding from JSON and TOML.
//
// It knows neither clients nor files: callers pass the text and get warnings
// about what is invalid.
package settings

import (
	"maps"
	"runtime"
	"time"

	"leveret/engine/finding"
)

// Settings are the effective settings. They are immutable.
type Settings struct {
	SolcPath            string
	AskForSolc          bool
	Fast                bool // compile with the settings that take the least time
	Budget              time.Duration
	Idle                bool
	Baseline            string
	CodeLens            bool
	InlayHints          bool
	CompilerDiagnostics bool
	Seed                uint64
	Workers             int
	Trusted             bool
	Programs            bool                        // tests may run programs, if the workspace is trusted
	ForkURL             string                      // campaigns start from this chain; may contain a secret; empty: they do not
	ForkBlock           uint64                      // after this block; 0: the latest when the server first asks
	Oracles             map[string]finding.Severity // overrides, by oracle name
	Accepted            map[string]bool             // groups of findings in the folder's baseline, by id; no key sets it
}

// Default returns the defaults.
func Default() Settings {
	return Settings{
		Budget:   3 * time.Second,
		Idle:     true,
		Baseline: BaselineSave,
		CodeLens: true,

		AskForSolc: true,
		Fast:       true,
	}
}

// BaselineSave is the Baseline that compares with the text of the last
// completed campaign. The other form is "git:" and a revision.
const BaselineSave = "save"

// GitBaseline returns the revision of a git baseline. It is empty if the
// workspace is not trusted.
func (s Settings) GitBaseline() string {
	if s.Trusted && len(s.Baseline) > 4 && s.Baseline[:4] == "git:" {
		return s.Baseline[4:]
	}
	return ""
}

// Threads returns the number of workers of a campaign: at most half the
// processors, because the editor needs the others.
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
