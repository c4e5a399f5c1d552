package solc

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// A boundary decides which files a project may read. Untrusted, these are the
// files in the workspace. Trusted, these are also the files of the repository,
// of the libraries and of the folders that the configuration names, and other
// projects that a link in the project leads to. Symbolic links are resolved.
type boundary struct {
	home      string
	untrusted bool
	onlySol   bool // the root holds all of the user's files, so only sources may be read

	mu      sync.Mutex
	folders []string // that may be read, as named and without symbolic links
}

// newBoundary returns the boundary of a project without its libraries.
func newBoundary(root, workspace string, env Env) *boundary {
	b := &boundary{home: env.Home, untrusted: env.Untrusted}
	if workspace != "" && (b.wide(workspace) || !within(workspace, root)) {
		workspace = ""
	}
	switch {
	case !b.untrusted:
		b.admit(root, workspace, b.repository(root))
		b.admit(nodeModules(root)...)
	case workspace != "":
		b.admit(workspace)
	default:
		b.admit(root)
		b.onlySol = b.wide(root)
	}
	return b
}

// wide reports whether a folder is no project but holds all of them: the home
// directory, or a folder above it.
func (b *boundary) wide(folder string) bool {
	return folder == filepath.Dir(folder) || b.home != "" && within(folder, b.home)
}

// admit adds folders that may be read.
func (b *boundary) admit(folders ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, folder := range folders {
		if folder == "" || slices.Contains(b.folders, folder) {
			continue
		}
		b.folders = append(b.folders, folder)
		if real := resolved(folder); real != folder {
			b.folders = append(b.folders, real)
		}
	}
}

// configured adds folders that the project's configuration names, which only a
// trusted project can.
func (b *boundary) configured(folders ...string) {
	if !b.untrusted {
		b.admit(folders...)
	}
}

// repository returns the folder at or above root that git manages; empty if
// there is none.
func (b *boundary) repository(root string) string {
	return b.above(root, isRepository)
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// above returns the first folder from dir up that satisfies a condition, not
// counting those that hold all projects.
func (b *boundary) above(dir string, ok func(string) bool) string {
	for ; !b.wide(dir); dir = filepath.Dir(dir) {
		if ok(dir) {
			return dir
		}
	}
	return ""
}

// allows reports whether a file or folder may be read.
func (b *boundary) allows(path string) bool {
	if b.elsewhere(path) {
		return false
	}
	real := resolved(path)
	if b.holds(real) {
		return !b.onlySol || filepath.Ext(real) == ".sol"
	}
	return !b.untrusted && b.holds(filepath.Clean(path)) && b.admitLinked(real)
}

// elsewhere reports whether a path of an untrusted project lies on another
// volume. Such a path is not even looked at: on Windows it may name a server,
// which would receive the user's credentials.
func (b *boundary) elsewhere(path string) bool {
	if !b.untrusted {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return !slices.ContainsFunc(b.folders, func(f string) bool {
		return strings.EqualFold(filepath.VolumeName(f), filepath.VolumeName(path))
	})
}

// holds reports whether a path lies in one of the folders.
func (b *boundary) holds(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.folders, func(f string) bool { return within(f, path) })
}

// admitLinked admits the project that a link leads to: sources and folders,
// with the packages that are installed for them.
func (b *boundary) admitLinked(real string) bool {
	dir := real
	if !isDir(real) {
		if filepath.Ext(real) != ".sol" {
			return false
		}
		dir = filepath.Dir(real)
	}
	project := b.above(dir, func(dir string) bool {
		_, config := configIn(dir)
		return config != "" || exists(filepath.Join(dir, "package.json"), nil) || exists(filepath.Join(dir, "remappings.txt"), nil) || isRepository(dir)
	})
	if project == "" {
		return false
	}
	b.admit(project)
	b.admit(nodeModules(project)...)
	return true
}

// maxLinks bounds links to files that do not exist, which can lead in circles.
const maxLinks = 40

// resolved returns a path without symbolic links, as far as it exists. Of a
// link to nothing it is what would exist if it were written to.
func resolved(path string) string { return resolve(path, maxLinks) }

func resolve(path string, links int) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	up := filepath.Dir(path)
	if up == path {
		return path
	}
	up = resolve(up, links)
	target, err := os.Readlink(path)
	if err != nil || links == 0 {
		return filepath.Join(up, filepath.Base(path))
	}
	return resolve(absolute(up, target), links-1)
}

// outside is the failure of a file that may not be read.
func (p *Project) outside(path string) *Failure {
	f := &Failure{Kind: OutsideProject, File: path, Sentence: "this file leads to " + resolved(path) + ", outside the project", Remedy: p.outsideRemedy()}
	if p.limits.untrusted {
		f.Sentence += ", which is not trusted"
	}
	return f
}

// outsideRemedy advises what to do about a file that may not be read.
func (p *Project) outsideRemedy() string {
	switch {
	case p.limits.untrusted:
		return "copy the file into the workspace, or trust the workspace"
	case p.Kind == Foundry:
		return "copy the file into the project, or add its folder to allow_paths in " + filepath.Base(p.Config)
	}
	return "copy the file into the project, or install it as a package in node_modules"
}

// refusedImport is the failure of an import that leads outside.
func (p *Project) refusedImport(importer *Source, i Import, target string) error {
	sentence := fmt.Sprintf("the import %q leads to %s, outside the project", i.Path, resolved(target))
	if p.limits.untrusted {
		sentence = fmt.Sprintf("the import %q leads to %s, outside the workspace, which is not trusted", i.Path, target)
	}
	return p.named(&Failure{Kind: OutsideProject, File: importer.Path, Line: i.Line, Sentence: sentence, Remedy: p.outsideRemedy()})
}

// ReadWorkspaceFile reads a file that configures a workspace folder. One of an
// untrusted workspace must not be a link that leads outside.
func ReadWorkspaceFile(folder, name string, trusted bool) ([]byte, error) {
	path := filepath.Join(folder, name)
	if !trusted && LeadsOut(folder, path) {
		return nil, fmt.Errorf("%s: ignored, because it leads to %s, outside the workspace, which is not trusted", path, resolved(path))
	}
	return ReadRegular(path, maxConfig)
}

// LeadsOut reports whether a path in a folder leads out of it by symbolic
// links.
func LeadsOut(folder, path string) bool {
	return within(folder, path) && !within(resolved(folder), resolved(path))
}

// maxConfig is the size of the largest configuration that is read.
const maxConfig = 4 << 20

// readConfig reads a file that configures the project. Those of an untrusted
// project must lie in it.
func (p *Project) readConfig(path string) ([]byte, error) {
	if p.limits.untrusted && !p.limits.allows(path) {
		return nil, p.outside(path)
	}
	return ReadRegular(path, maxConfig)
}

// ReadRegular reads a regular file of limited size: no device, no pipe, and
// nothing without end.
func ReadRegular(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("this is no regular file")}
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("the file has more than %d MB", most>>20)}
	}
	return text, err
}
