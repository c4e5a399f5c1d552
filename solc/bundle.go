package solc

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
)

// A Bundle is a Build for a machine with neither its sources nor a compiler. It has no
// absolute path. Its form is that of encoding/json.
type Bundle struct {
	Version  string          `json:"version"` // of the compiler
	Output   json.RawMessage `json:"output"`  // the compiler's, see ReadOutput
	Sources  []BundledSource `json:"sources"`
	Settings Settings        `json:"settings"`
	Fast     bool            `json:"fast,omitempty"`
}

// A BundledSource is a Source of a Bundle.
type BundledSource struct {
	Name    string `json:"name"`
	Text    string `json:"text"`
	Library bool   `json:"library,omitempty"`
}

// NewBundle returns the bundle of a build that has its Output and that the compiler
// accepted. It does not have the configuration of tests.
func NewBundle(b *Build) (*Bundle, error) {
	if len(b.Output) == 0 {
		return nil, errors.New("the compiler's output was not kept")
	}
	out := &Bundle{Version: b.Version, Output: b.Output, Settings: b.Settings, Fast: b.Fast}
	out.Settings.Remappings = nil
	for _, r := range b.Settings.Remappings {
		if _, target, ok := strings.Cut(r, "="); ok && !filepath.IsAbs(target) {
			out.Settings.Remappings = append(out.Settings.Remappings, r)
		}
	}
	for _, s := range b.Sources {
		if s != nil {
			out.Sources = append(out.Sources, BundledSource{s.Name, string(s.Text), s.Library})
		}
	}
	return out, nil
}

// Build returns the build. Its sources have no path. An error says what is wrong with
// the bundle.
func (b *Bundle) Build() (*Build, error) {
	sources := map[string]*Source{}
	for _, s := range b.Sources {
		sources[s.Name] = &Source{Name: s.Name, Text: []byte(s.Text), Library: s.Library}
	}
	build, err := ReadOutput(b.Output, sources)
	if err != nil {
		return nil, err
	}
	if list := build.Errors(); len(list) > 0 {
		return nil, errors.New("the compiler did not accept the sources: " + list[0].Text)
	}
	build.Version, build.Settings, build.Fast = b.Version, b.Settings, b.Fast
	return build, nil
}
