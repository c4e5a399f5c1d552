package project

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"leveret/solc"
	"leveret/solc/trust"
	"leveret/solc/version"
)

// importRemedy advises how to get a missing import: by installing dependencies
// that the project declares, or by a remapping.
func (p *importResolver) importRemedy(importer *solc.Source, path string) string {
	first, rest, _ := strings.Cut(path, "/")
	if strings.HasPrefix(first, "@") {
		second, _, _ := strings.Cut(rest, "/")
		first += "/" + second
		rest = strings.TrimPrefix(rest, second+"/")
	}
	switch {
	case strings.Contains(path, "://"):
		return "download it into the project; nothing is fetched from the network"
	case relativeImport(path):
		return "check the path, it is relative to the importing file"
	}
	if remedy := p.otherVersion(filepath.Dir(p.path(importer)), first, rest); remedy != "" {
		return remedy
	}
	if dir := p.dependent(filepath.Dir(p.path(importer)), first); dir != "" {
		return fmt.Sprintf("run %s in %s: its package.json names %s, which is not installed", packageManager(dir), dir, first)
	}
	if dir := p.submodule(); dir != "" {
		return fmt.Sprintf("run git submodule update --init --recursive in %s: %s was not checked out", p.Root, dir)
	}
	switch {
	case p.Kind == Brownie && strings.HasPrefix(first, "@"):
		return "run brownie pm install with the package that the remappings of its configuration name"
	case strings.HasPrefix(first, "@"), first == "hardhat":
		prefix, _, _ := strings.Cut(path, "/")
		return fmt.Sprintf("run npm install %s, or add a remapping for %s/", first, prefix)
	case p.Kind == Foundry:
		return fmt.Sprintf("install the library under %s/, or add a remapping for %s/", p.libDir(), first)
	}
	return fmt.Sprintf("write ./ before a path relative to the file, or add a remapping for %s/ to remappings.txt", first)
}

// otherVersion advises how to get another version of an installed package, which
// lacks a file; empty if the package is not installed.
func (p *importResolver) otherVersion(dir, name, file string) string {
	for _, modules := range trust.NodeModules(dir) {
		installed, ok := p.manifest(filepath.Join(modules, filepath.FromSlash(name)))
		if !ok || installed.Version == "" {
			continue
		}
		folder, wanted := p.declaring(dir, name, func(string) bool { return true })
		if folder == "" || satisfies(installed.Version, wanted) {
			return fmt.Sprintf("check the path, or install another version of %s: version %s, which is installed, lacks %s", name, installed.Version, file)
		}
		return fmt.Sprintf("run %s in %s: its package.json wants %s %s; version %s, which is installed, lacks %s",
			packageManager(folder), folder, name, wanted, installed.Version, file)
	}
	return ""
}

// satisfies reports whether a version of a package is in a range.
func satisfies(installed, wanted string) bool {
	v, ok := version.Parse(installed)
	r, err := version.ParseRange(wanted)
	return ok && err == nil && r.Contains(v)
}

// dependent returns the folder, from dir up, whose package.json names a
// package that is not installed there; empty if none does.
func (p *importResolver) dependent(dir, name string) string {
	folder, _ := p.declaring(dir, name, func(folder string) bool {
		return !isDir(filepath.Join(folder, "node_modules", filepath.FromSlash(name)))
	})
	return folder
}

// declaring returns the nearest folder, from dir up, that fits and whose package.json
// names a package, with the range of versions that it wants; empty if none does.
func (p *importResolver) declaring(dir, name string, fits func(folder string) bool) (folder, wanted string) {
	for ; ; dir = filepath.Dir(dir) {
		if m, ok := p.manifest(dir); ok {
			for _, names := range []map[string]any{m.Dependencies, m.DevDependencies, m.PeerDependencies} {
				if wanted, ok := names[name]; ok && fits(dir) {
					return dir, fmt.Sprint(wanted)
				}
			}
		}
		if dir == filepath.Dir(dir) {
			return "", ""
		}
	}
}

// A manifest is a package.json.
type manifest struct {
	Version                                         string
	Dependencies, DevDependencies, PeerDependencies map[string]any
}

// manifest reads the package.json of a folder; false if it cannot be read.
func (p *importResolver) manifest(dir string) (m manifest, ok bool) {
	text, err := p.readConfig(filepath.Join(dir, "package.json"))
	return m, err == nil && json.Unmarshal(text, &m) == nil
}

// packageManager returns the command that installs the packages of a folder, by
// its lock file.
func packageManager(dir string) string {
	for _, m := range []struct{ lock, command string }{
		{"yarn.lock", "yarn install"}, {"pnpm-lock.yaml", "pnpm install"}, {"bun.lock", "bun install"}, {"bun.lockb", "bun install"},
	} {
		if exists(filepath.Join(dir, m.lock), nil) {
			return m.command
		}
	}
	return "npm install"
}

// submodule returns a git submodule of the project that was not checked out;
// empty if there is none.
func (p *importResolver) submodule() string {
	text, err := p.readConfig(filepath.Join(p.Root, ".gitmodules"))
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		key, dir, _ := strings.Cut(line, "=")
		if dir = strings.TrimSpace(dir); strings.TrimSpace(key) != "path" || dir == "" {
			continue
		}
		if dir = absolute(p.Root, dir); !p.limits.Allows(dir) {
			continue
		}
		if entries, _ := os.ReadDir(dir); len(entries) == 0 {
			return unitName(p.Root, dir)
		}
	}
	return ""
}

// libDir returns the folder that libraries are installed in.
func (p *importResolver) libDir() string {
	for _, dir := range p.libs {
		if dir != "node_modules" {
			return filepath.ToSlash(filepath.Clean(dir))
		}
	}
	return "lib"
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
