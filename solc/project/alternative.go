package project

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/srcmap"
)

// load reads the configuration. If it cannot be read, it returns the project as
// the root's next configuration describes it.
func (p *Project) load(env compiler.Env) (*Project, error) {
	p.other = func() *Project { return p.next(env) }
	parser := &configParser{Location: &p.Location, configuration: &p.configuration, tools: p.tools}
	if err := parser.configure(env); err != nil {
		other := p.other()
		if other == nil {
			return nil, err
		}
		other.notef("%v; %s is used instead", err, filepath.Base(other.Config))
		return other, nil
	}
	p.Settings = p.usual()
	p.imports = newImportResolver(&p.Location, &p.configuration)
	return p, nil
}

// next opens the project with the next configuration in its root, such as
// Hardhat's beside Foundry's. It returns nil if there is none that can be read.
func (p *Project) next(env compiler.Env) *Project {
	list := configsIn(p.Root)
	i := slices.IndexFunc(list, func(c configFile) bool { return c.kind == p.Kind }) // that of a kind which comes first is used
	list = slices.DeleteFunc(list[i+1:], func(c configFile) bool { return c.kind == p.Kind })
	if len(list) == 0 {
		return nil
	}
	other := &Project{tools: p.tools, Location: p.Location}
	other.Kind, other.Config = list[0].kind, filepath.Join(p.Root, list[0].name)
	other, err := other.load(env)
	if err != nil {
		return nil
	}
	return other
}

// otherwise compiles files that the project's configuration fails for with the
// root's next configuration, and says so in the builds.
func (p *Project) otherwise(ctx context.Context, files []string, overlay map[string][]byte, cause error) []*solc.Build {
	if ctx.Err() != nil || !ofConfiguration(cause) {
		return nil
	}
	other := p.other()
	if other == nil {
		return nil
	}
	other.Fast, other.KeepOutput = p.Fast, p.KeepOutput
	builds, _ := other.CompileAll(ctx, files, overlay)
	note := fmt.Sprintf("compiled as %s says, since with %s %v", filepath.Base(other.Config), filepath.Base(p.Config), cause)
	for _, b := range builds {
		p.configureTests(b)
		tell(b, note)
	}
	return builds
}

// tell adds a note for the user to a build.
func tell(b *solc.Build, note string) {
	b.Messages = append(b.Messages, solc.Message{Severity: "info", Text: note, Span: srcmap.Span{Source: -1}})
}

// uncompiled returns the files that are in no build.
func uncompiled(files []string, builds []*solc.Build) []string {
	return slices.DeleteFunc(slices.Clone(files), func(file string) bool {
		return slices.ContainsFunc(builds, func(b *solc.Build) bool { return b.PathSource(file) != nil })
	})
}
