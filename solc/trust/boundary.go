// Package trust decides which files a project may read, in trusted and in
// untrusted workspaces, and reads untrusted files up to a size limit.
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

// A Boundary decides which files a project may read. An untrusted project may
// read files in the workspace. A trusted one may also read its repository,
// libraries and configured folders, and other projects that a link in the
// project leads to. Symbolic links are resolved.
type Boundary struct {
	home      string
	Untrusted bool
	isProject func(dir string) bool
	onlySol   bool // only sources: the root contains all of the user's files

	mu      sync.Mutex
	folders []string // that may be read, as given and with links resolved
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

// wide reports whether a folder is the home directory or a folder above it,
// which contains all projects.
func (b *Boundary) wide(folder string) bool {
	return folder == filepath.Dir(folder) || b.home != "" && Within(folder, b.home)
}

// admit allows reading folders.
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

// AdmitConfigured allows reading folders that the configuration names, if the
// project is trusted.
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

// above returns the first folder from dir up that satisfies a condition, except
// wide ones; empty if there is none.
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
// volume. Callers must not even stat it: on Windows it may name a server, which
// would receive the user's credentials.
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

// admitLinked allows reading the project that a link to a source or folder leads
// to, with its installed packages. It reports whether there is one.
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

// maxLinks bounds chains of links to missing files, which can be circular.
const maxLinks = 40

// Resolve resolves the symbolic links in a path as far as it exists. For a link
// to a missing file it returns the path of that file.
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

// ReadWorkspaceFile reads a configuration file of a workspace folder. In an
// untrusted workspace it fails if the file is a link that leads outside.
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

// MaxConfig bounds the size of configuration files, in bytes.
const MaxConfig = 4 << 20

// ErrNotRegular is wrapped by the error of OpenRegular for folders, devices and pipes.
var ErrNotRegular = errors.New("this is not a regular file")

// ErrTooLarge is wrapped by the error of OpenRegular for files that have more bytes.
var ErrTooLarge = errors.New("the file is too large")

// OpenRegular opens a regular file of at most most bytes. It looks first: to open a
// pipe would wait.
func OpenRegular(path string, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	case info.Size() > most:
		return nil, tooLarge(path, most)
	}
	return os.Open(path)
}

// ReadRegular reads a regular file of at most most bytes.
func ReadRegular(path string, most int64) ([]byte, error) {
	file, err := OpenRegular(path, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(text)) > most {
		err = tooLarge(path, most)
	}
	return text, err
}

func tooLarge(path string, most int64) error {
	return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("%w: the limit is %d MB", ErrTooLarge, most>>20)}
}

// ProgramDirs returns path, a list of folders as in PATH, without folders that lie
// in one of the roots of untrusted projects.
func ProgramDirs(path, home string, roots []string) string {
	limits := &Boundary{home: home}
	limits.admit(slices.DeleteFunc(slices.Clone(roots), limits.wide)...)
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool { return limits.holds(dir) || limits.holds(Resolve(dir)) })
	return strings.Join(dirs, string(filepath.ListSeparator))
}
