// Package trust decides which files a project may read, in trusted and in
// untrusted workspaces, and reads files that others wrote with a limit.
package trust

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

// A Boundary decides which files a project may read. Untrusted, these are the
// files in the workspace. Trusted, these are also the files of the repository,
// of the libraries and of the folders that the configuration names, and other
// projects that a link in the project leads to. Symbolic links are resolved.
type Boundary struct {
	home      string
	Untrusted bool
	isProject func(dir string) bool
	onlySol   bool // the root holds all of the user's files, so only sources may be read

	mu      sync.Mutex
	folders []string // that may be read, as named and without symbolic links
}

// NewBoundary returns the boundary of a project without its libraries.
// isProject reports whether a folder is the root of some project.
func NewBoundary(root, workspace, home string, untrusted bool, isProject func(dir string) bool) *Boundary {
	b := &Boundary{home: home, Untrusted: untrusted, isProject: isProject}
	if workspace != "" && (b.wide(workspace) || !Within(workspace, root)) {
		workspace = ""
	}
	switch {
	case !b.Untrusted:
		b.admit(root, workspace, b.repository(root))
		b.admit(NodeModules(root)...)
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
func (b *Boundary) wide(folder string) bool {
	return folder == filepath.Dir(folder) || b.home != "" && Within(folder, b.home)
}

// admit adds folders that may be read.
func (b *Boundary) admit(folders ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, folder := range folders {
		if folder == "" || slices.Contains(b.folders, folder) {
			continue
		}
		b.folders = append(b.folders, folder)
		if real := Resolve(folder); real != folder {
			b.folders = append(b.folders, real)
		}
	}
}

// AdmitConfigured adds folders that the project's configuration names, which only a
// trusted project can.
func (b *Boundary) AdmitConfigured(folders ...string) {
	if !b.Untrusted {
		b.admit(folders...)
	}
}

// repository returns the folder at or above root that git manages; empty if
// there is none.
func (b *Boundary) repository(root string) string {
	return b.above(root, isRepository)
}

func isRepository(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, ".git"))
	return err == nil
}

// above returns the first folder from dir up that satisfies a condition, not
// counting those that hold all projects.
func (b *Boundary) above(dir string, ok func(string) bool) string {
	for ; !b.wide(dir); dir = filepath.Dir(dir) {
		if ok(dir) {
			return dir
		}
	}
	return ""
}

// Allows reports whether a file or folder may be read.
func (b *Boundary) Allows(path string) bool {
	if b.OtherVolume(path) {
		return false
	}
	real := Resolve(path)
	if b.holds(real) {
		return !b.onlySol || filepath.Ext(real) == ".sol"
	}
	return !b.Untrusted && b.holds(filepath.Clean(path)) && b.admitLinked(real)
}

// OtherVolume reports whether a path of an untrusted project lies on another
// volume. Such a path is not even looked at: on Windows it may name a server,
// which would receive the user's credentials.
func (b *Boundary) OtherVolume(path string) bool {
	if !b.Untrusted {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return !slices.ContainsFunc(b.folders, func(f string) bool {
		return strings.EqualFold(filepath.VolumeName(f), filepath.VolumeName(path))
	})
}

// holds reports whether a path lies in one of the folders.
func (b *Boundary) holds(path string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.ContainsFunc(b.folders, func(f string) bool { return Within(f, path) })
}

// admitLinked admits the project that a link leads to: sources and folders,
// with the packages that are installed for them.
func (b *Boundary) admitLinked(real string) bool {
	dir := real
	if info, err := os.Stat(real); err != nil || !info.IsDir() {
		if filepath.Ext(real) != ".sol" {
			return false
		}
		dir = filepath.Dir(real)
	}
	project := b.above(dir, func(dir string) bool { return b.isProject(dir) || isRepository(dir) })
	if project == "" {
		return false
	}
	b.admit(project)
	b.admit(NodeModules(project)...)
	return true
}

// Within reports whether path lies in a folder.
func Within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// NodeModules returns the node_modules directories from dir up.
func NodeModules(dir string) []string {
	var list []string
	for {
		if filepath.Base(dir) != "node_modules" {
			list = append(list, filepath.Join(dir, "node_modules"))
		}
		up := filepath.Dir(dir)
		if up == dir {
			return list
		}
		dir = up
	}
}

// maxLinks bounds links to files that do not exist, which can lead in circles.
const maxLinks = 40

// Resolve returns a path without symbolic links, as far as it exists. Of a
// link to nothing it is what would exist if it were written to.
func Resolve(path string) string { return resolveLinks(path, maxLinks) }

func resolveLinks(path string, links int) string {
	path = filepath.Clean(path)
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	up := filepath.Dir(path)
	if up == path {
		return path
	}
	up = resolveLinks(up, links)
	target, err := os.Readlink(path)
	if err != nil || links == 0 {
		return filepath.Join(up, filepath.Base(path))
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(up, target)
	}
	return resolveLinks(target, links-1)
}

// ReadWorkspaceFile reads a file that configures a workspace folder. One of an
// untrusted workspace must not be a link that leads outside.
func ReadWorkspaceFile(folder, name string, trusted bool) ([]byte, error) {
	path := filepath.Join(folder, name)
	if !trusted && LeadsOut(folder, path) {
		return nil, fmt.Errorf("%s: ignored, because it leads to %s, outside the workspace, which is not trusted", path, Resolve(path))
	}
	return ReadRegular(path, MaxConfig)
}

// LeadsOut reports whether a path in a folder leads out of it by symbolic
// links.
func LeadsOut(folder, path string) bool {
	return Within(folder, path) && !Within(Resolve(folder), Resolve(path))
}

// MaxConfig is the size of the largest configuration that is read.
const MaxConfig = 4 << 20

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

// ProgramDirs returns the entries of path, a list of folders with programs,
// without those that lie in one of the roots of untrusted projects.
func ProgramDirs(path, home string, roots []string) string {
	limits := &Boundary{home: home}
	limits.admit(slices.DeleteFunc(slices.Clone(roots), limits.wide)...)
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool { return limits.holds(dir) || limits.holds(Resolve(dir)) })
	return strings.Join(dirs, string(filepath.ListSeparator))
}
