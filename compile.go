package main

import (
	"context"
	"errors"
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

// batches finds out which files of which projects are meant by paths.
func batches(tools *solc.Toolchain, paths []string) ([]batch, error) {
	var out []batch
	for _, path := range paths {
		project, err := tools.OpenProject(path)
		if err != nil {
			return nil, err
		}
		files, err := filesOf(project, path)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(out, func(b batch) bool { return b.project.Root == project.Root })
		if i < 0 {
			i = len(out)
			out = append(out, batch{project: project})
		}
		out[i].files = append(out[i].files, files...)
	}
	for i := range out {
		slices.Sort(out[i].files)
		out[i].files = slices.Compact(out[i].files)
	}
	return out, nil
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
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s: there is no Solidity file in this folder; name a file, or a folder with sources", path)
	}
	return files, err
}

// compile compiles a batch in one run. If that is refused, because files want
// different compilers or one of them is broken, each is compiled alone, and
// the failures are those of single files.
func (b batch) compile(ctx context.Context) (units []unit, failures []error) {
	build, err := b.project.Compile(ctx, b.files, nil)
	if err == nil {
		return []unit{{b.project, build, b.files}}, nil
	}
	if len(b.files) == 1 || ctx.Err() != nil || hopeless(err) {
		return nil, []error{err}
	}
	seen := map[string]bool{}
	for _, file := range b.files {
		build, err := b.project.Compile(ctx, []string{file}, nil)
		switch {
		case err == nil:
			units = append(units, unit{b.project, build, []string{file}})
		case !seen[err.Error()]: // a broken import is told once
			seen[err.Error()] = true
			failures = append(failures, err)
		}
	}
	return units, failures
}

// hopeless reports whether a failure has nothing to do with single files.
func hopeless(err error) bool {
	var f *solc.Failure
	return !errors.As(err, &f) || f.Kind == solc.NoCompiler || f.Kind == solc.NoNode || f.Kind == solc.BadConfig
}
