// Package selection finds what paths on a command line select: projects, their
// files, builds and contracts.
package selection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// A Unit is one run of the compiler and the selected files that it is for.
type Unit struct {
	Project *project.Project
	Build   *solc.Build
	Files   []string // absolute
	Named   []string // those of Files that paths name, not only their folders
}

// A Batch is the selected files of one project.
type Batch struct {
	Project *project.Project
	Files   []string // absolute, sorted
	Named   []string // those that paths name, not only their folders
}

// A selector chooses the files of projects.
type selector struct {
	files  func(p *project.Project, path string) ([]string, error) // that path selects
	unread func(p *project.Project, path string) []error           // folders that cannot be read; nil: not reported
	none   string                                                  // why a folder selects no file
}

// Open returns the projects and files that paths select. A folder selects all
// projects in it. The failures are those of single projects and folders.
func Open(tools *compiler.Toolchain, paths []string) (out []Batch, failures []error, err error) {
	return open(tools, paths, selector{
		files: filesOf, unread: unread,
		none: "no Solidity file to fuzz in this folder (tests, mocks, libraries and hidden files are skipped); name a file or a folder with sources",
	})
}

func open(tools *compiler.Toolchain, paths []string, s selector) (out []Batch, failures []error, err error) {
	for _, path := range paths {
		p, err := project.Open(tools, path)
		if err != nil {
			return nil, nil, err
		}
		files, err := s.files(p, path)
		if err != nil {
			return nil, nil, err
		}
		if s.unread != nil {
			failures = append(failures, s.unread(p, path)...)
		}
		below, err := projectsBelow(p, path)
		if err != nil {
			return nil, nil, err
		}
		if len(files) > 0 {
			out = Add(out, p, files)
			if real, err := filepath.Abs(path); err == nil && slices.Contains(files, real) {
				b := &out[slices.IndexFunc(out, func(b Batch) bool { return b.Project.Root == p.Root })]
				b.Named = append(b.Named, real)
			}
		} else if len(below) == 0 {
			return nil, nil, fmt.Errorf("%s: %s", path, s.none)
		}
		for _, folder := range below {
			more, failed, err := open(tools, []string{folder}, s)
			if err != nil {
				failed = append(failed, err)
			}
			failures = append(failures, failed...)
			for _, b := range more {
				out = Add(out, b.Project, b.Files)
			}
		}
	}
	return out, failures, nil
}

// Add adds files of a project, which are absolute, to its batch.
func Add(list []Batch, p *project.Project, files []string) []Batch {
	i := slices.IndexFunc(list, func(b Batch) bool { return b.Project.Root == p.Root })
	if i < 0 {
		i = len(list)
		list = append(list, Batch{Project: p})
	}
	files = append(list[i].Files, files...)
	slices.Sort(files)
	list[i].Files = slices.Compact(files)
	return list
}

// projectsBelow lists the folders of other projects below a folder.
func projectsBelow(p *project.Project, path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, err
	}
	return p.ProjectsUnder(path)
}

// filesOf lists the sources that path selects: the file, or those in the folder.
func filesOf(p *project.Project, path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	files, err := p.FilesUnder(path)
	if path == p.Root {
		files, err = p.Files()
	}
	return files, err
}

// unread lists the folders that filesOf could not read.
func unread(p *project.Project, path string) []error {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	return p.Unread(path)
}

// CountCompiled counts the files that are part of any unit's build.
func CountCompiled(files []string, units []Unit) (n int) {
	for _, file := range files {
		if slices.ContainsFunc(units, func(u Unit) bool { return u.Build.PathSource(file) != nil }) {
			n++
		}
	}
	return n
}

// Compile compiles a batch. The failures are those of single files.
func (b Batch) Compile(ctx context.Context) (units []Unit, failures []error) {
	builds, failures := b.Project.CompileAll(ctx, b.Files, nil)
	for _, build := range builds {
		units = append(units, Unit{b.Project, build, b.Files, b.Named})
	}
	return units, failures
}

// Name counts files as named by paths.
func Name(units []Unit, files ...string) {
	for i := range units {
		units[i].Named = slices.Concat(units[i].Named, files)
	}
}

// Notes returns what the user should know about the builds, once each, such as
// that a compiler other than the configured one was used.
func Notes(units []Unit) (list []string) {
	for _, u := range units {
		for _, m := range u.Build.Messages {
			if text := strings.TrimSuffix(m.Text, "."); m.Severity == "info" && !slices.Contains(list, text) {
				list = append(list, text)
			}
		}
	}
	return list
}
