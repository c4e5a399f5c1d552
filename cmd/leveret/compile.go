package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"leveret/solc"
)

// A unit is one run of the compiler: a build and the files that it was made
// for.
type unit struct {
	project *solc.Project
	build   *solc.Build
	files   []string // absolute
}

// A batch is the files of one project that the command line asks for.
type batch struct {
	project *solc.Project
	files   []string // absolute, sorted
}

// batches finds out which files of which projects are meant by paths. A folder
// stands for all projects in it; failures are those of projects beside others.
func batches(tools *solc.Toolchain, paths []string) (out []batch, failures []error, err error) {
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
			return nil, nil, fmt.Errorf("%s: there is no Solidity file to fuzz in this folder, beside tests, libraries and hidden files; name a file, or a folder with sources", path)
		}
		for _, folder := range below {
			more, failed, err := batches(tools, []string{folder})
			if err != nil {
				failed = append(failed, err)
			}
			failures = append(failures, failed...)
			for _, b := range more {
				out = addBatch(out, b.project, b.files)
			}
		}
	}
	return out, failures, nil
}

// addBatch adds files to those of their project.
func addBatch(list []batch, project *solc.Project, files []string) []batch {
	i := slices.IndexFunc(list, func(b batch) bool { return b.project.Root == project.Root })
	if i < 0 {
		i = len(list)
		list = append(list, batch{project: project})
	}
	files = append(list[i].files, files...)
	slices.Sort(files)
	list[i].files = slices.Compact(files)
	return list
}

// projectsBelow lists the folders of further projects below a folder.
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

// filesOf lists the sources that path stands for: itself, or what is below it.
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

// unread says which folders filesOf could not look into.
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

// compiledOf counts the files that are part of a build.
func compiledOf(files []string, units []unit) (n int) {
	for _, file := range files {
		if slices.ContainsFunc(units, func(u unit) bool { return u.build.PathSource(file) != nil }) {
			n++
		}
	}
	return n
}

// compile compiles a batch; failures are those of single files beside others.
func (b batch) compile(ctx context.Context) (units []unit, failures []error) {
	builds, failures := b.project.CompileAll(ctx, b.files, nil)
	for _, build := range builds {
		units = append(units, unit{b.project, build, b.files})
	}
	return units, failures
}
