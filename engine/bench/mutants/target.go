package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"leveret/engine/bench/projects"
	"leveret/engine/bytecode"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

//go:embed targets.txt
var targetList string

// A target is a part of a project: the test files of some sources.
type target struct {
	name           string
	project        projects.Project
	tests, sources []string // patterns of files below the project
	env            []string // further variables of both programs
}

// parseTargets reads a list of targets.
func parseTargets(text string, known []projects.Project) (list []target, err error) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 4 {
			return nil, fmt.Errorf("incomplete line %q", line)
		}
		i := slices.IndexFunc(known, func(p projects.Project) bool { return p.Name == words[1] })
		if i < 0 {
			return nil, fmt.Errorf("%s: no project %q in projects.txt", words[0], words[1])
		}
		t := target{name: words[0], project: known[i], tests: strings.Split(words[2], ","), sources: strings.Split(words[3], ","), env: words[4:]}
		list = append(list, t)
	}
	return list, nil
}

// environment are the variables that both programs get.
func (t *target) environment() []string { return slices.Concat(t.project.Env, t.env) }

// getenv reads them.
func (t *target) getenv(name string) string {
	for _, v := range t.environment() {
		if key, value, _ := strings.Cut(v, "="); key == name {
			return value
		}
	}
	return ""
}

// An opened target is ready to be mutated.
type opened struct {
	*target
	project *project.Project
	files   []string // its test files, absolute
	build   *solc.Build
	sources []*solc.Source // to plant mutants in
	units   map[projects.Key]bool
}

// open compiles a target as it is.
func (t *target) open(ctx context.Context, env compiler.Env, root string) (*opened, *compiler.Toolchain, error) {
	env.Getenv, env.Profile = t.getenv, t.getenv("FOUNDRY_PROFILE")
	tools := compiler.NewToolchain(env)
	o := &opened{target: t}
	err := func() (err error) {
		if o.project, err = project.Open(tools, root); err != nil {
			return err
		}
		for _, pattern := range t.tests {
			found, err := filepath.Glob(filepath.Join(o.project.Root, pattern))
			if err != nil || len(found) == 0 {
				return errors.Join(err, fmt.Errorf("no file %s", pattern))
			}
			o.files = append(o.files, found...)
		}
		if o.build, err = o.compile(ctx, nil); err != nil {
			return err
		}
		for _, s := range o.build.Sources {
			if s != nil && slices.ContainsFunc(t.sources, func(pattern string) bool {
				ok, _ := filepath.Match(pattern, o.relative(s))
				return ok
			}) {
				o.sources = append(o.sources, s)
			}
		}
		if len(o.sources) == 0 {
			return fmt.Errorf("the tests import none of %v", t.sources)
		}
		o.units, err = o.passing(ctx, o.build)
		return err
	}()
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", t.name, err), tools.Close())
	}
	return o, tools, nil
}

// relative returns the path of a source below the project.
func (o *opened) relative(s *solc.Source) string {
	path, err := filepath.Rel(o.project.Root, s.Path)
	if err != nil {
		return s.Path
	}
	return filepath.ToSlash(path)
}

// compile compiles the test files, with a mutant in place of its source.
func (o *opened) compile(ctx context.Context, m *mutant) (*solc.Build, error) {
	var overlay map[string][]byte
	if m != nil {
		overlay = map[string][]byte{m.source.Path: m.text()}
	}
	return o.project.Compile(ctx, o.files, overlay)
}

// suites are the test contracts of a build.
func (o *opened) suites(build *solc.Build) ([]selection.Suite, error) {
	list, wrong := selection.Suites([]selection.Unit{{Project: o.project, Build: build, Files: o.files}})
	return list, errors.Join(wrong...)
}

// sameCode reports whether two builds have the same contracts, metadata aside.
func sameCode(a, b *solc.Build) bool {
	return maps.EqualFunc(codes(a), codes(b), func(a, b string) bool { return a == b })
}

// codes are the codes of contracts without metadata, by file and name.
func codes(b *solc.Build) map[string]string {
	all := map[string]string{}
	for _, c := range b.Contracts {
		code := slices.Clone(c.Creation.Object)
		for _, r := range bytecode.FindMetadata(code) {
			clear(code[r.Start:r.End()])
		}
		all[c.File+":"+c.Name] = string(code)
	}
	return all
}
