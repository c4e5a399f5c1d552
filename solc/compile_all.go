package solc

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// CompileAll compiles files that may want different compilers: as few builds
// as compilers are needed. A file that cannot be compiled takes those that
// import it with it and no others; each such cause is one error, mostly a
// *Failure. Files with nothing in them are left out.
func (p *Project) CompileAll(ctx context.Context, files []string, overlay map[string][]byte) ([]*Build, []error) {
	groups, failed := p.groups(ctx, files, overlay)
	var builds []*Build
	for _, g := range groups {
		b, err := p.compileGroup(ctx, g, overlay)
		failed = append(failed, err...)
		if b != nil {
			builds = append(builds, b)
		}
	}
	return builds, failed
}

// A group is files that get the same compiler and settings.
type group struct {
	with    choice
	members []member
}

// A member is a file with the unit names of all that it needs.
type member struct {
	path  string
	needs map[string]bool
}

// groups puts files that get the same compiler together, in the order of
// their first members.
func (p *Project) groups(ctx context.Context, files []string, overlay map[string][]byte) ([]*group, []error) {
	var groups []*group
	var failed []error
	byChoice := map[string]*group{}
	for _, file := range files {
		c, err := p.closure([]string{file}, overlay)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if blank(c.order[0].Text) {
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
		key := fmt.Sprintf("%s %+v", with.Path, with.settings)
		if byChoice[key] == nil {
			byChoice[key] = &group{with: with}
			groups = append(groups, byChoice[key])
		}
		byChoice[key].members = append(byChoice[key].members, m)
	}
	return groups, failed
}

// compileGroup compiles a group; after an error once more without the files
// that the error touches, until the compiler is content.
func (p *Project) compileGroup(ctx context.Context, g *group, overlay map[string][]byte) (*Build, []error) {
	var failed []error
	for members := g.members; len(members) > 0; {
		var files []string
		for _, m := range members {
			files = append(files, m.path)
		}
		c, err := p.closure(files, overlay)
		if err != nil {
			return nil, append(failed, err)
		}
		b, err := p.compile(ctx, c, g.with)
		if err == nil {
			return b, failed
		}
		var f *Failure
		if !errors.As(err, &f) || f.Kind != CompileError {
			return nil, append(failed, err)
		}
		rest, refused := p.withoutRefused(members, b, c)
		failed = append(failed, refused...)
		if len(rest) == len(members) {
			return nil, append(failed, err) // an error without a place
		}
		members = rest
	}
	return nil, failed
}

// withoutRefused returns the members that need no file with an error, and one
// error for each file that has some.
func (p *Project) withoutRefused(members []member, b *Build, c *closure) ([]member, []error) {
	byFile := map[string][]Message{}
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
