package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"leveret/solc"
	"leveret/solc/scan"
)

// CompileAll compiles files that may need different compilers, in one run for
// each compiler. If a file cannot be compiled, it and the files that import it
// are left out; each cause is one error, mostly a *solc.Failure. Empty files are
// skipped. A run that is too large for the compiler is split. What fails because
// of the configuration is compiled with the root's next one, see load.
func (p *Project) CompileAll(ctx context.Context, files []string, overlay map[string][]byte) ([]*solc.Build, []error) {
	builds, failed := p.compileEach(ctx, files, overlay)
	i := slices.IndexFunc(failed, ofConfiguration)
	if i < 0 {
		return builds, failed
	}
	builds = append(builds, p.otherwise(ctx, uncompiled(files, builds), overlay, failed[i])...)
	return builds, slices.DeleteFunc(failed, func(err error) bool {
		var f *solc.Failure
		return ofConfiguration(err) && errors.As(err, &f) && len(uncompiled([]string{f.File}, builds)) == 0
	})
}

// ofConfiguration reports whether another configuration may remove the cause of
// a failure.
func ofConfiguration(err error) bool {
	var f *solc.Failure
	return errors.As(err, &f) && f.OfConfiguration()
}

// compileEach compiles files with the project's configuration.
func (p *Project) compileEach(ctx context.Context, files []string, overlay map[string][]byte) ([]*solc.Build, []error) {
	overburdened := false
	together := p.Fast == nil || len(files) == 1 // code that needs the project's settings slows only its own files down
	if together && len(p.overrides) == 0 && len(p.restrictions) == 0 && len(files) <= p.atOnce() {
		b, err := p.compileTogether(ctx, files, overlay)
		if err == nil {
			return []*solc.Build{b}, nil
		}
		if len(files) == 1 || ctx.Err() != nil || !ofFiles(err) {
			return nil, []error{err}
		}
		overburdened = brokeDown(err)
	}
	groups, failed := p.groups(ctx, files, overlay)
	if overburdened {
		groups = halves(groups)
	}
	var builds []*solc.Build
	for _, g := range groups {
		b, err := p.compileGroup(ctx, g, overlay)
		builds, failed = append(builds, b...), append(failed, err...)
	}
	return builds, distinctErrors(failed)
}

// ofFiles reports whether a failure is caused by some of the files, so that the
// others may compile.
func ofFiles(err error) bool {
	var f *solc.Failure
	return errors.As(err, &f) && f.Kind != solc.NoCompiler && f.Kind != solc.NoNode && f.Kind != solc.BadConfig
}

// brokeDown reports whether a compiler ran out of time or memory or crashed. It
// may succeed on fewer files.
func brokeDown(err error) bool {
	var f *solc.Failure
	return errors.As(err, &f) && (f.Kind == solc.CompilerTimeout || f.Kind == solc.CompilerFailed)
}

// atOnce returns the maximal number of files in one run. Compilation via IR takes
// minutes for a project, most of all in JavaScript, where memory is limited.
func atOnce(s solc.Settings) int {
	if s.ViaIR {
		return 24
	}
	return 256
}

// atOnce is the same for the settings that most files are compiled with.
func (p *Project) atOnce() int {
	s := p.Settings
	s.ViaIR = s.ViaIR && p.Fast == nil
	return atOnce(s)
}

// distinctErrors drops repeated errors: many files may import a missing one.
func distinctErrors(list []error) []error {
	said := map[string]bool{}
	return slices.DeleteFunc(list, func(err error) bool {
		double := said[err.Error()]
		said[err.Error()] = true
		return double
	})
}

// A group is a set of files with the same compiler and settings.
type group struct {
	with    choice
	members []member
}

// A member is a file with the unit names of its closure.
type member struct {
	path  string
	needs map[string]bool
}

// halves splits groups of more than one file.
func halves(list []*group) (out []*group) {
	for _, g := range list {
		if n := len(g.members); n > 1 {
			out = append(out, &group{g.with, g.members[:n/2]}, &group{g.with, g.members[n/2:]})
		} else {
			out = append(out, g)
		}
	}
	return out
}

// groups groups files by compiler and settings, in the order of the first
// members.
func (p *Project) groups(ctx context.Context, files []string, overlay map[string][]byte) ([]*group, []error) {
	var groups []*group
	var failed []error
	byChoice := map[string]*group{}
	for _, file := range files {
		c, err := p.imports.closure([]string{file}, overlay)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if scan.Blank(c.order[0].Text) {
			continue
		}
		with, err := p.choose(ctx, c)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		m := member{path: file, needs: map[string]bool{}}
		for name := range c.sources {
			m.needs[name] = true
		}
		key := fmt.Sprintf("%s %+v %+v", with.Path, with.settings, with.own)
		if byChoice[key] == nil {
			byChoice[key] = &group{with: with}
			groups = append(groups, byChoice[key])
		}
		byChoice[key].members = append(byChoice[key].members, m)
	}
	return groups, failed
}

// compileGroup compiles a group. After an error it compiles again without the
// files that need the file with the error. It splits a group that is too large
// for the compiler, or that has an error without a file, and compiles files that
// need other settings apart, see retry.
func (p *Project) compileGroup(ctx context.Context, g *group, overlay map[string][]byte) (builds []*solc.Build, failed []error) {
	with := g.with
	for members := g.members; len(members) > 0; {
		if len(members) > atOnce(with.settings) {
			return p.compileHalves(ctx, with, members, overlay, builds, failed)
		}
		c, err := p.imports.closure(paths(members), overlay)
		if err != nil {
			return builds, append(failed, err)
		}
		b, err := p.compile(ctx, c, with)
		if err == nil {
			return append(builds, b), failed
		}
		var f *solc.Failure
		if !errors.As(err, &f) || f.Kind != solc.CompileError {
			if len(members) > 1 && brokeDown(err) && ctx.Err() == nil {
				return p.compileHalves(ctx, with, members, overlay, builds, failed)
			}
			if next, ok := p.retry(c, with, b, err); ok {
				with = next
				continue
			}
			return builds, append(failed, p.blamed(err, members))
		}
		rest, refused := p.withoutRefused(members, b, c)
		if len(rest) == len(members) && len(members) > 1 {
			return p.compileHalves(ctx, with, members, overlay, builds, failed)
		}
		if next, ok := p.retry(c, with, b, err); ok {
			deep := &group{with: next, members: without(members, rest)}
			if len(deep.members) == 0 {
				deep.members, rest = members, nil
			}
			more, err := p.compileGroup(ctx, deep, overlay)
			builds, failed, members = append(builds, more...), append(failed, err...), rest
			continue
		}
		failed = append(failed, refused...)
		if len(rest) == len(members) {
			return builds, append(failed, err) // an error without a file
		}
		members = rest
	}
	return builds, failed
}

// blamed adds the file to a failure if the compiler failed on this file alone.
func (p *Project) blamed(err error, members []member) error {
	var f *solc.Failure
	if len(members) > 1 || !brokeDown(err) || !errors.As(err, &f) || f.File != "" {
		return err
	}
	of := *f
	of.File = members[0].path
	return p.named(&of)
}

// compileHalves compiles members in two parts and appends builds and errors.
func (p *Project) compileHalves(ctx context.Context, with choice, members []member, overlay map[string][]byte, builds []*solc.Build, failed []error) ([]*solc.Build, []error) {
	for _, half := range halves([]*group{{with, members}}) {
		more, err := p.compileGroup(ctx, half, overlay)
		builds, failed = append(builds, more...), append(failed, err...)
	}
	return builds, failed
}

func paths(members []member) []string {
	var list []string
	for _, m := range members {
		list = append(list, m.path)
	}
	return list
}

// without returns the members that are not among others.
func without(members, others []member) []member {
	return slices.DeleteFunc(slices.Clone(members), func(m member) bool {
		return slices.ContainsFunc(others, func(o member) bool { return o.path == m.path })
	})
}

// withoutRefused returns the members that need no file with an error, and one
// failure for each file with errors.
func (p *Project) withoutRefused(members []member, b *solc.Build, c *closure) ([]member, []error) {
	byFile := map[string][]solc.Message{}
	var order []string
	for _, m := range b.Errors() {
		if c.sources[m.File] == nil {
			continue
		}
		if byFile[m.File] == nil {
			order = append(order, m.File)
		}
		byFile[m.File] = append(byFile[m.File], m)
	}
	var failed []error
	for _, file := range order {
		failed = append(failed, p.refusal(byFile[file], c))
	}
	rest := slices.DeleteFunc(slices.Clone(members), func(m member) bool {
		return slices.ContainsFunc(order, func(file string) bool { return m.needs[file] })
	})
	return rest, failed
}
