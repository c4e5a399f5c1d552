package project

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"leveret/solc"
)

// importRemedy advises how to get a missing import: by installing dependencies
// that the project declares, or by a remapping.
func (p *importResolver) importRemedy(importer *solc.Source, path string) string {
	first, rest, _ := strings.Cut(path, "/")
	if strings.HasPrefix(first, "@") {
		second, _, _ := strings.Cut(rest, "/")
		first += "/" + second
	}
	switch {
	case strings.Contains(path, "://"):
		return "download it into the project; nothing is fetched from the network"
	case relativeImport(path):
		return "check the path, it is relative to the importing file"
	}
	if dir := p.dependent(filepath.Dir(importer.Path), first); dir != "" {
		return fmt.Sprintf("run %s in %s: its package.json names %s, which is not installed", packageManager(dir), dir, first)
	}
	if dir := p.submodule(); dir != "" {
		return fmt.Sprintf("run git submodule update --init --recursive in %s: %s was not checked out", p.Root, dir)
	}
	switch {
	case p.Kind == Brownie && strings.HasPrefix(first, "@"):
		return "run brownie pm install with the package that the remappings of its configuration name"
	case strings.HasPrefix(first, "@"):
		prefix, _, _ := strings.Cut(path, "/")
		return fmt.Sprintf("run npm install %s, or add a remapping for %s/", first, prefix)
	case p.Kind == Foundry:
		return fmt.Sprintf("install the library under %s/, or add a remapping for %s/", p.libDir(), first)
	}
	return fmt.Sprintf("write ./ before a path relative to the file, or add a remapping for %s/ to remappings.txt", first)
}

// dependent returns the folder, from dir up, whose package.json names a
// package that is not installed there; empty if none does.
func (p *importResolver) dependent(dir, name string) string {
	for ; ; dir = filepath.Dir(dir) {
		text, err := p.readConfig(filepath.Join(dir, "package.json"))
		var manifest struct {
			Dependencies, DevDependencies, PeerDependencies map[string]any
		}
		if err == nil && json.Unmarshal(text, &manifest) == nil {
			for _, names := range []map[string]any{manifest.Dependencies, manifest.DevDependencies, manifest.PeerDependencies} {
				if _, ok := names[name]; ok && !isDir(filepath.Join(dir, "node_modules", filepath.FromSlash(name))) {
					return dir
				}
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
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
