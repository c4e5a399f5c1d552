package compiler

import (
	"fmt"

	"github.com/dustin/go-humanize/english"

	"leveret/solc"
	"leveret/solc/version"
)

// A Run describes what a compiler compiles.
type Run struct {
	Version  version.Version
	Settings solc.Settings
	Files    int // sources, with all imports
}

// String describes a run, "152 files with solc 0.8.30, via IR".
func (r Run) String() string {
	text := fmt.Sprintf("%s with solc %s", english.Plural(r.Files, "file", ""), r.Version)
	if r.Settings.Optimizer {
		text += fmt.Sprintf(", optimiser for %d runs", r.Settings.OptimizerRuns)
	}
	if r.Settings.ViaIR && HasViaIR(r.Version) {
		text += ", via IR"
	}
	return text
}

// watch reports the start of a run and returns the function to call at its end.
func (t *Toolchain) watch(r Run) (ended func(error)) {
	if t.env.Watch == nil {
		return func(error) {}
	}
	return t.env.Watch(r)
}
