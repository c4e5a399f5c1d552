package project

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

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

// An importResolver finds the files that imports name.
type importResolver struct {
	*Location
	*configuration

	mu        sync.Mutex
	libraries map[string]*library // by folder
}

func newImportResolver(at *Location, c *configuration) *importResolver {
	return &importResolver{Location: at, configuration: c, libraries: map[string]*library{}}
}

// candidates returns the absolute paths at which an imported file may lie, in
// the order in which they are tried: beside the importer, and where the compiler finds
// a relative import, which "../" leads no further than to the project's root; the project's
// remappings; those of the nearest library and what is installed in it; the base path;
// node_modules on the way up; and last the paths that are meant if "./" was forgotten.
func (p *importResolver) candidates(importer *solc.Source, path string) []string {
	slashed := filepath.FromSlash(path)
	dir := filepath.Dir(p.path(importer))
	var list []string
	if relativeImport(path) {
		list = append(list, filepath.Join(dir, slashed), absolute(p.Root, importName(importer.Name, path)))
	}
	list = append(list, p.remapped(importer, path)...)
	switch {
	case relativeImport(path) || strings.Contains(path, "://"):
	case filepath.IsAbs(slashed):
		list = append(list, slashed)
	default:
		list = append(list, p.installed(importer, path)...)
		for _, d := range []string{dir, filepath.Join(p.Root, "src"), filepath.Join(p.Root, "contracts")} {
			list = append(list, filepath.Join(d, slashed))
		}
	}
	return distinctPaths(list)
}

// distinctPaths cleans paths and drops repeated ones.
func distinctPaths(list []string) []string {
	var out []string
	for _, path := range list {
		if path = filepath.Clean(path); !slices.Contains(out, path) {
			out = append(out, path)
		}
	}
	return out
}

// remapped returns where the project's remappings lead an import. A package
// in node_modules may be installed further up.
func (p *importResolver) remapped(importer *solc.Source, path string) []string {
	target, ok := remap(p.remappings, importer.Name, importName(importer.Name, path))
	if !ok {
		return nil
	}
	list := []string{absolute(p.Root, target)}
	if name, ok := strings.CutPrefix(filepath.ToSlash(target), "node_modules/"); ok {
		for _, d := range trust.NodeModules(p.Root) {
			list = append(list, filepath.Join(d, filepath.FromSlash(name)))
		}
	}
	return list
}

// installed returns where an import may lie in libraries, include paths and
// node_modules.
func (p *importResolver) installed(importer *solc.Source, path string) []string {
	var list, dirs []string
	from := p.path(importer)
	libraries := p.librariesOf(from)
	for _, l := range libraries {
		dirs = append(dirs, l.dir)
	}
	if p.Kind == Foundry || p.Kind == Plain {
		// forge, which needs no configuration, takes the copy of a library that is
		// nearest to the root, for all importers.
		slices.Reverse(libraries)
		list = append(libraries[0].resolve(from, path), p.nested(path)...)
		libraries = libraries[1:]
	}
	for _, l := range libraries {
		list = append(list, l.resolve(from, path)...)
	}
	for _, d := range p.include {
		dirs = append(dirs, absolute(p.Root, d))
	}
	dir := filepath.Dir(from)
	dirs = append(dirs, trust.NodeModules(dir)...)
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir {
		dirs = append(dirs, trust.NodeModules(real)...)
	}
	for _, d := range dirs {
		list = append(list, filepath.Join(d, filepath.FromSlash(path)))
	}
	return list
}

// path returns the path by which a source was imported.
func (l *Location) path(s *solc.Source) string { return absolute(l.Root, s.Name) }

// origin returns the path at which the file at path is edited. It differs for the packages of
// a monorepo, which are links in node_modules: an editor shows them where they are.
func origin(path string) string {
	before, _, installed := strings.Cut(path, modulesDir)
	if !installed {
		return path
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil || strings.Contains(real, modulesDir) {
		return path
	}
	// The folders above may be links themselves, and keep the names that the user gave them.
	for dir := before; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if rel, err := filepath.Rel(trust.Resolve(dir), real); err == nil && filepath.IsLocal(rel) {
			return filepath.Join(dir, rel)
		}
	}
	return real
}

const modulesDir = string(filepath.Separator) + "node_modules" + string(filepath.Separator)

// absolute returns the absolute path of a source unit name.
func absolute(root, name string) string {
	path := filepath.FromSlash(name)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(root, path)
}
