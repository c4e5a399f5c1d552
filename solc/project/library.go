package project

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A library is the project itself or a folder under its lib/, with its remappings
// and its own libraries.
type library struct {
	dir        string
	remappings []remapping // targets relative to dir
	installed  []string    // directories of the libraries below it, sorted
	inherited  []inherited // remappings of the libraries below it, as forge orders them: the longest prefix first, then the nearest target
}

// An inherited remapping has a target relative to its own library.
type inherited struct {
	dir string
	remapping
}

// depth is how many folders lead to the target.
func (in inherited) depth() int {
	return strings.Count(filepath.Clean(absolute(in.dir, in.target)), string(filepath.Separator))
}

// librariesOf returns the libraries that a file lies in, the innermost first
// and the project last.
func (p *importResolver) librariesOf(path string) []*library {
	var list []*library
	for dir := filepath.Dir(path); len(dir) > len(p.Root); dir = filepath.Dir(dir) {
		if slices.Contains(p.libNames(), filepath.Base(filepath.Dir(dir))) {
			list = append(list, p.library(dir))
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	return append(list, p.library(p.Root))
}

// libNames returns the names of folders with libraries.
func (p *importResolver) libNames() []string {
	var names []string
	for _, l := range p.libs {
		if base := filepath.Base(l); base != "node_modules" {
			names = append(names, base)
		}
	}
	return names
}

// library reads a library, once.
func (p *importResolver) library(dir string) *library {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l, ok := p.libraries[dir]; ok {
		return l
	}
	l := &library{dir: dir}
	if dir != p.Root {
		l.remappings = p.readRemappings(dir)
	}
	for _, name := range p.libs {
		if filepath.Base(name) == "node_modules" {
			continue
		}
		lib := absolute(dir, name)
		if !p.limits.Allows(lib) {
			continue
		}
		entries, _ := os.ReadDir(lib)
		for _, e := range entries {
			child := filepath.Join(lib, e.Name())
			if info, err := os.Stat(child); err != nil || !info.IsDir() {
				continue
			}
			l.installed = append(l.installed, child)
			for _, r := range p.readRemappings(child) {
				l.inherited = append(l.inherited, inherited{child, r})
			}
		}
	}
	slices.SortStableFunc(l.inherited, func(a, b inherited) int {
		return cmp.Or(cmp.Compare(len(b.prefix), len(a.prefix)), cmp.Compare(a.depth(), b.depth()))
	})
	p.libraries[dir] = l
	return l
}

// readRemappings reads the remappings in a library's remappings.txt and
// foundry.toml.
func (p *importResolver) readRemappings(dir string) []remapping {
	list := readRemappingsFile(p.Location, dir)
	if text, err := p.readConfig(filepath.Join(dir, "foundry.toml")); err == nil {
		if file, err := foundrySections(text, ""); err == nil {
			remappings, _ := stringList(file.keys["remappings"])
			for _, s := range remappings {
				if r, ok := parseRemapping(s); ok {
					list = append(list, r)
				}
			}
		}
	}
	return list
}

// resolve returns where an imported file may lie in the library: by its
// remappings, by the name of an installed library, and by the remappings of
// these.
func (l *library) resolve(importer, path string) []string {
	var list []string
	if target, ok := remap(l.remappings, unitName(l.dir, importer), path); ok {
		list = append(list, absolute(l.dir, target))
	}
	list = append(list, l.named(path)...)
	for _, in := range l.inherited {
		if in.context == "" && strings.HasPrefix(path, in.prefix) {
			list = append(list, absolute(in.dir, in.target+path[len(in.prefix):]))
		}
	}
	return list
}

// named returns where an imported file may lie in the installed library that the
// import begins with.
func (l *library) named(path string) (list []string) {
	first, rest, _ := strings.Cut(path, "/")
	for _, dir := range l.installed {
		if filepath.Base(dir) == first {
			for _, sub := range []string{"", "src", "contracts"} {
				list = append(list, filepath.Join(dir, sub, filepath.FromSlash(rest)))
			}
		}
	}
	return list
}

// maxNested bounds the libraries that nested looks at: links may make endless
// folders.
const maxNested = 500

// nested returns where an import may lie in libraries of libraries, those nearest
// to the root first: forge finds them by name from everywhere.
func (p *importResolver) nested(path string) (list []string) {
	queue := slices.Clone(p.library(p.Root).installed)
	for i := 0; i < len(queue) && i < maxNested; i++ {
		l := p.library(queue[i])
		list = append(list, l.named(path)...)
		queue = append(queue, l.installed...)
	}
	return list
}
