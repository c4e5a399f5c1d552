package project

import (
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/trust"
)

// importName returns the source unit name that the compiler gives an import
// before remappings: relative paths are joined with the importer's directory,
// others stay as they are.
func importName(importer, path string) string {
	if !relativeImport(path) {
		return path
	}
	dir := ""
	if i := strings.LastIndexByte(importer, '/'); i >= 0 {
		dir = importer[:i]
	}
	absolute := strings.HasPrefix(importer, "/")
	segments := strings.FieldsFunc(dir, func(c rune) bool { return c == '/' })
	for _, s := range strings.Split(path, "/") {
		switch s {
		case "", ".":
		case "..":
			segments = segments[:max(0, len(segments)-1)]
		default:
			segments = append(segments, s)
		}
	}
	name := strings.Join(segments, "/")
	if absolute {
		name = "/" + name
	}
	return name
}

func relativeImport(path string) bool {
	return strings.HasPrefix(path, "./") || strings.HasPrefix(path, "../")
}

// candidates returns the absolute paths at which an imported file may lie, in
// the order in which they are tried: the project's remappings; those of the
// nearest library and what is installed in it; the base path; node_modules on
// the way up; and last what people mean who forget the "./".
func (p *Project) candidates(importer *solc.Source, path string) []string {
	var list []string
	add := func(path string) {
		if path = filepath.Clean(path); !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	slashed := filepath.FromSlash(path)
	dir := filepath.Dir(importer.Path)
	if relativeImport(path) {
		add(filepath.Join(dir, slashed))
	}
	if target, ok := remap(p.remappings, importer.Name, importName(importer.Name, path)); ok {
		add(absolute(p.Root, target))
		if installed, ok := strings.CutPrefix(filepath.ToSlash(target), "node_modules/"); ok { // by the workspace, further up
			for _, d := range trust.NodeModules(p.Root) {
				add(filepath.Join(d, filepath.FromSlash(installed)))
			}
		}
	}
	if relativeImport(path) || strings.Contains(path, "://") {
		return list
	}
	if filepath.IsAbs(slashed) {
		add(slashed)
		return list
	}
	libraries := p.librariesOf(importer.Path)
	for _, l := range libraries {
		for _, target := range l.resolve(importer.Path, path) {
			add(target)
		}
	}
	for _, l := range libraries {
		add(filepath.Join(l.dir, slashed))
	}
	for _, d := range p.include {
		add(filepath.Join(absolute(p.Root, d), slashed))
	}
	for _, d := range trust.NodeModules(dir) {
		add(filepath.Join(d, slashed))
	}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		for _, d := range trust.NodeModules(real) {
			add(filepath.Join(d, slashed))
		}
	}
	add(filepath.Join(dir, slashed))
	for _, d := range []string{"src", "contracts"} {
		add(filepath.Join(p.Root, d, slashed))
	}
	return list
}

// absolute returns the file behind a source unit name.
func absolute(root, name string) string {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}
