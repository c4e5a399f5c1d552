// Package selection finds what paths on a command line select: projects, their
// files, builds and contracts.
package selection

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"leveret/solc"
)

// A Unit is one run of the compiler and the selected files that it is for.
type Unit struct {
	Project *solc.Project
	Build   *solc.Build
	Files   []string // absolute
}

// A Batch is the selected files of one project.
type Batch struct {
	Project *solc.Project
	Files   []string // absolute, sorted
}

// Open returns the projects and files that paths select. A folder selects all
// projects in it. The failures are those of single projects and folders.
func Open(tools *solc.Toolchain, paths []string) (out []Batch, failures []error, err error) {
	for _, path := range paths {
		project, err := tools.OpenProject(path)
		if err != nil {
			return nil, nil, err
		}
		files, err := filesOf(project, path)
		if err != nil {
			return nil, nil, err
		}
		failures = append(failures, unread(project, path)...)
		below, err := projectsBelow(project, path)
		if err != nil {
			return nil, nil, err
		}
		if len(files) > 0 {
			out = addBatch(out, project, files)
		} else if len(below) == 0 {
			return nil, nil, fmt.Errorf("%s: no Solidity file to fuzz in this folder (tests, libraries and hidden files are skipped); name a file or a folder with sources", path)
		}
		for _, folder := range below {
			more, failed, err := Open(tools, []string{folder})
			if err != nil {
				failed = append(failed, err)
			}
			failures = append(failures, failed...)
			for _, b := range more {
				out = addBatch(out, b.Project, b.Files)
			}
		}
	}
	return out, failures, nil
}

// addBatch adds files to those of their project.
func addBatch(list []Batch, project *solc.Project, files []string) []Batch {
	i := slices.IndexFunc(list, func(b Batch) bool { return b.Project.Root == project.Root })
	if i < 0 {
		i = len(list)
		list = append(list, Batch{Project: project})
	}
	files = append(list[i].Files, files...)
	slices.Sort(files)
	list[i].Files = slices.Compact(files)
	return list
}

// projectsBelow lists the folders of other projects below a folder.
func projectsBelow(project *solc.Project, path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil, err
	}
	return project.ProjectsUnder(path)
}

// filesOf lists the sources that path selects: the file, or those in the folder.
func filesOf(project *solc.Project, path string) ([]string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	files, err := project.FilesUnder(path)
	if path == project.Root {
		files, err = project.Files()
	}
	return files, err
}

// unread lists the folders that filesOf could not read.
func unread(project *solc.Project, path string) []error {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return nil
	}
	return project.Unread(path)
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
		units = append(units, Unit{b.Project, build, b.Files})
	}
	return units, failures
}
