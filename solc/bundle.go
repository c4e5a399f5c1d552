package solc

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
)

// A Bundle is a Build for a machine with neither its sources nor a compiler. It has no
// absolute path: paths are relative to a folder that NewBundle was given. Its form is
// that of encoding/json.
type Bundle struct {
	Version  string          `json:"version"` // of the compiler
	Root     string          `json:"root"`    // path of the project's folder, with slashes
	Output   json.RawMessage `json:"output"`  // the compiler's, see ReadOutput
	Sources  []BundledSource `json:"sources"`
	Settings Settings        `json:"settings"`
	Fast     bool            `json:"fast,omitempty"`
}

// A BundledSource is a Source of a Bundle.
type BundledSource struct {
	Name    string `json:"name"`
	Path    string `json:"path,omitempty"` // with slashes; empty outside of the folder
	Text    string `json:"text"`
	Library bool   `json:"library,omitempty"`
}

// NewBundle returns the bundle of a build that has its Output and that the compiler
// accepted. It does not have the configuration of tests. Paths are relative to folder
// if the project is in it, else to the project.
func NewBundle(b *Build, folder string) (*Bundle, error) {
	if len(b.Output) == 0 {
		return nil, errors.New("the compiler's output was not kept")
	}
	root, ok := relative(folder, b.Root)
	if !ok {
		folder, root = b.Root, "."
	}
	out := &Bundle{Version: b.Version, Root: root, Output: b.Output, Settings: b.Settings, Fast: b.Fast}
	out.Settings.Remappings = nil
	for _, r := range b.Settings.Remappings {
		if _, target, ok := strings.Cut(r, "="); ok && !filepath.IsAbs(target) {
			out.Settings.Remappings = append(out.Settings.Remappings, r)
		}
	}
	for _, s := range b.Sources {
		if s != nil {
			path, _ := relative(folder, s.Path)
			out.Sources = append(out.Sources, BundledSource{s.Name, path, string(s.Text), s.Library})
		}
	}
	return out, nil
}

// relative returns the path of a file or folder below another one, with slashes. It is
// false for what is not in it, and if a path is not absolute.
func relative(folder, path string) (string, bool) {
	rel, err := filepath.Rel(folder, path)
	if err != nil || !filepath.IsAbs(path) || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// Build returns the build as if the files were below folder, where they need not exist.
// If folder is empty, sources have no path. An error says what is wrong with the bundle.
func (b *Bundle) Build(folder string) (*Build, error) {
	below := func(path string) string {
		if path = filepath.FromSlash(path); folder == "" || !filepath.IsLocal(path) {
			return ""
		}
		return filepath.Join(folder, path)
	}
	sources := map[string]*Source{}
	for _, s := range b.Sources {
		sources[s.Name] = &Source{Name: s.Name, Path: below(s.Path), Text: []byte(s.Text), Library: s.Library}
	}
	build, err := ReadOutput(b.Output, sources)
	if err != nil {
		return nil, err
	}
	if list := build.Errors(); len(list) > 0 {
		return nil, errors.New("the compiler did not accept the sources: " + list[0].Text)
	}
	build.Version, build.Settings, build.Fast, build.Root = b.Version, b.Settings, b.Fast, below(b.Root)
	return build, nil
}
