// Package project opens Solidity projects: it reads the configuration of
// Foundry, Hardhat, Truffle and Brownie, lists the sources, resolves imports,
// chooses compilers and compiles.
//
// It does not run compilers itself; package compiler does.
package project

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/scan"
	"leveret/solc/srcmap"
	"leveret/solc/trust"
)

// Kind is the tool whose conventions a project follows.
type Kind string

// The kinds of projects.
const (
	Foundry Kind = "foundry"
	Hardhat Kind = "hardhat"
	Truffle Kind = "truffle"
	Brownie Kind = "brownie"
	Plain   Kind = "plain" // a folder with sources
)

// A Project is a folder whose sources belong together. Its configuration is
// read once; open the project again when the configuration changes. A Project
// is safe for concurrent use.
type Project struct {
	Location
	configuration
	Settings solc.Settings // of the first compiler that the project configures
	Fast     *Fast         // nil: compile with the settings that the project configures

	KeepOutput bool // builds have the compiler's output, for a solc.Bundle

	tools   *compiler.Toolchain
	imports *importResolver
	other   func() *Project // with the root's next configuration; nil if there is none

	readHarnesses sync.Once // see HarnessConfigs
	harnesses     []solc.HarnessConfig
	badHarnesses  []error
}

// Open opens the project that path, a file or a directory, belongs to.
func Open(tools *compiler.Toolchain, path string) (*Project, error) {
	return OpenIn(tools, tools.Env().Workspace, path, nil)
}

// OpenIn opens the project that path belongs to. workspace is the folder that
// the user opened or works in; empty: the project's root. overlay has the texts
// of open buffers by absolute path, and must have that of an unsaved file.
func OpenIn(tools *compiler.Toolchain, workspace, path string, overlay map[string][]byte) (*Project, error) {
	env := tools.Env()
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	_, buffer := overlay[path]
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && buffer:
	case errors.Is(err, fs.ErrNotExist):
		return nil, &solc.Failure{Kind: solc.NotFound, File: path, Sentence: "this file does not exist", Remedy: "check the path"}
	case err != nil:
		return nil, unreadable(path, err)
	}
	dir := path
	if info == nil || !info.IsDir() {
		dir = filepath.Dir(path)
	}
	p := &Project{tools: tools}
	top := env.Home
	if env.Untrusted && workspace != "" && trust.Within(workspace, dir) {
		top = workspace
	}
	p.Root, p.Kind, p.Config = findRoot(dir, top)
	p.limits = trust.NewBoundary(p.Root, workspace, env.Home, env.Untrusted, isProject)
	tools.AddRoots(p.Root, workspace)
	return p.load(env)
}

// A configFile is the name of a file that makes a folder a project.
type configFile struct {
	name string
	kind Kind
}

// configFiles lists them. The first one wins.
var configFiles = []configFile{
	{"foundry.toml", Foundry},
	{"hardhat.config.ts", Hardhat}, {"hardhat.config.js", Hardhat}, {"hardhat.config.cjs", Hardhat},
	{"hardhat.config.mjs", Hardhat}, {"hardhat.config.cts", Hardhat}, {"hardhat.config.mts", Hardhat},
	{"truffle-config.js", Truffle}, {"truffle-config.cjs", Truffle}, {"truffle.js", Truffle},
	{"brownie-config.yaml", Brownie}, {"brownie-config.yml", Brownie},
}

// configIn returns the configuration file in a folder and its kind; empty if
// there is none.
func configIn(dir string) (Kind, string) {
	if list := configsIn(dir); len(list) > 0 {
		return list[0].kind, filepath.Join(dir, list[0].name)
	}
	return "", ""
}

// configsIn returns all configuration files in a folder, also those that cannot be
// read, such as folders of their names.
func configsIn(dir string) (list []configFile) {
	for _, c := range configFiles {
		if _, err := os.Stat(filepath.Join(dir, c.name)); err == nil {
			list = append(list, c)
		}
	}
	return list
}

// isProject reports whether a folder is the root of some project.
func isProject(dir string) bool {
	_, config := configIn(dir)
	return config != "" || isPlainRoot(dir)
}

// isPlainRoot reports whether a folder without a project's configuration has
// a package.json or a remappings.txt.
func isPlainRoot(dir string) bool {
	return exists(filepath.Join(dir, "package.json"), nil) || exists(filepath.Join(dir, "remappings.txt"), nil)
}

// RootOf returns the root of the project that a folder belongs to, without
// reading the project's configuration.
func RootOf(folder, home string) string {
	root, _, _ := findRoot(folder, home)
	return root
}

// findRoot looks for a project's configuration in dir and above, up to top.
// Without one, the root is the nearest folder with a package.json or
// remappings.txt, below top, else dir.
func findRoot(dir, top string) (root string, kind Kind, config string) {
	plain := ""
	for d := dir; ; d = filepath.Dir(d) {
		if kind, config := configIn(d); config != "" {
			return d, kind, config
		}
		if plain == "" && d != top && isPlainRoot(d) {
			plain = d
		}
		if d == filepath.Dir(d) || d == top {
			break
		}
	}
	if plain == "" {
		plain = dir
	}
	return plain, Plain, ""
}

// Compile compiles files, given as absolute paths, and their imports. overlay has
// the texts of open buffers by absolute path; they replace the texts on disk.
//
// If the compiler rejects the sources, the error is a *solc.Failure of the kind
// CompileError, and the Build has the compiler's messages. Other failures return
// no Build.
//
// If the configuration is the cause, files are compiled with the root's next one,
// see load.
func (p *Project) Compile(ctx context.Context, files []string, overlay map[string][]byte) (*solc.Build, error) {
	b, err := p.compileTogether(ctx, files, overlay)
	if others := p.otherwise(ctx, files, overlay, err); len(others) == 1 && len(uncompiled(files, others)) == 0 {
		return others[0], nil
	}
	return b, err
}

// compileTogether compiles files in one run with the project's configuration.
func (p *Project) compileTogether(ctx context.Context, files []string, overlay map[string][]byte) (*solc.Build, error) {
	c, err := p.imports.closure(files, overlay)
	if err != nil {
		return nil, err
	}
	if len(c.order) == 0 {
		return nil, &solc.Failure{Kind: solc.NotFound, File: p.Root, Sentence: "no Solidity files here", Remedy: "name a file or a folder with sources"}
	}
	if err := p.allBlank(c, len(files)); err != nil {
		return nil, err
	}
	with, err := p.choose(ctx, c)
	if err != nil {
		return nil, err
	}
	for {
		b, err := p.compile(ctx, c, with)
		next, ok := p.retry(c, with, b, err)
		if !ok {
			return b, err
		}
		with = next
	}
}

// retry returns the settings to try after a compilation ended with err; false
// if it need not, or cannot, succeed with others.
func (p *Project) retry(c *closure, with choice, b *solc.Build, err error) (choice, bool) {
	switch {
	case err == nil:
		return with, false
	case with.pace != configured:
		return p.Fast.fallBack(c, with, b, err)
	case tooDeep(b):
		return p.deeper(with)
	}
	return with, false
}

// deeper returns the settings to try after "stack too deep": with the optimiser,
// then also via IR. It returns false for projects, which configure settings
// themselves. Where foundry.toml does not mention the optimiser, forge used it before 1.0.
func (p *Project) deeper(with choice) (choice, bool) {
	note := "stack too deep without the optimizer; compiled with it"
	switch {
	case p.Config != "" && (!p.optimizerOpen || with.settings.Optimizer), p.Config == "" && with.settings.ViaIR:
		return with, false
	case p.Config != "":
		note = fmt.Sprintf("stack too deep without the optimizer, which %s does not mention; compiled with it, as forge did before 1.0", filepath.Base(p.Config))
	default:
		with.settings.ViaIR = with.settings.Optimizer
	}
	with.settings.Optimizer = true
	with.note = note
	return with, true
}

// tooDeep reports whether a variable could not be reached on the stack: "Stack too deep",
// "too deep in the stack", "too deep inside the stack".
func tooDeep(b *solc.Build) bool {
	return b != nil && slices.ContainsFunc(b.Errors(), isTooDeep)
}

func isTooDeep(m solc.Message) bool {
	return strings.Contains(m.Text, "Stack too deep") || strings.Contains(m.Text, "too deep in")
}

// lessDeep returns what to do about "stack too deep": what the compiler says, in terms of
// the project's configuration.
func (p *Project) lessDeep(m solc.Message) string {
	const fewer = "use fewer local variables"
	switch {
	case p.Settings.ViaIR || p.Config == "" || !strings.Contains(m.Text, "viaIR"): // older compilers have none
		return fewer
	case p.Kind == Foundry:
		return fmt.Sprintf("set optimizer = true and via_ir = true in %s, or %s", filepath.Base(p.Config), fewer)
	}
	return fmt.Sprintf("enable the optimizer and viaIR in %s, or %s", filepath.Base(p.Config), fewer)
}

// allBlank returns a failure if all files are empty or have only comments.
func (p *Project) allBlank(c *closure, files int) error {
	for _, s := range c.order[:min(files, len(c.order))] {
		if !scan.Blank(s.Text) {
			return nil
		}
	}
	sentence := "this file is empty"
	if len(bytes.TrimSpace(c.order[0].Text)) > 0 {
		sentence = "there are only comments in this file"
	}
	return p.named(&solc.Failure{Kind: solc.Empty, File: c.order[0].Path, Sentence: sentence, Remedy: "write a contract"})
}

func (p *Project) compile(ctx context.Context, c *closure, with choice) (*solc.Build, error) {
	texts := map[string][]byte{}
	for name, s := range c.sources {
		texts[name] = s.Text
	}
	with.settings.NoGenerated = p.Fast != nil && !with.settings.Optimizer && !with.settings.ViaIR
	if with.pace == light {
		with.settings.Compiled = c.compiled()
	}
	slices.Sort(c.remappings)
	run := func(s solc.Settings) ([]byte, error) {
		return p.tools.Compile(ctx, with.Installation, texts, slices.Compact(c.remappings), s)
	}
	output, err := run(with.settings)
	if err != nil {
		return nil, err
	}
	b, err := solc.ReadOutput(output, c.sources)
	if err != nil {
		return nil, &solc.Failure{Kind: solc.CompilerFailed, File: c.order[0].Path, Sentence: fmt.Sprintf("%s gave unusable output: %v", with.Installation, err),
			Remedy: "try another version"}
	}
	if with.settings.Optimizer && !with.Version.AtLeast(0, 8, 8) {
		output, b = fitted(output, b, c.sources, with.settings, run)
	}
	if p.KeepOutput {
		b.Output = output
	}
	b.Version = with.Version.String()
	b.Settings, b.Fast, b.Root = with.settings, with.pace != configured, p.Root
	p.configureTests(b)
	for _, s := range b.Sources {
		if s != nil && s.Path != "" {
			s.Library = p.InLibrary(s.Path)
			s.Test = slices.ContainsFunc(p.testDirs, func(dir string) bool { return trust.Within(absolute(p.Root, dir), s.Path) })
		}
	}
	b.Unmet = append(b.Unmet, p.Notes...)
	if with.unmet != "" {
		b.Unmet = append(b.Unmet, with.unmet)
	}
	if with.note != "" {
		tell(b, with.note)
	}
	return b, p.refusal(b.Errors(), c)
}

// refusal returns the first of the compiler's errors as a *solc.Failure, or nil.
func (p *Project) refusal(errors []solc.Message, c *closure) error {
	if len(errors) == 0 {
		return nil
	}
	first := errors[0]
	f := &solc.Failure{Kind: solc.CompileError, Sentence: strings.ReplaceAll(first.Text, "\n", " ")}
	f.OfGenerator = slices.ContainsFunc(errors, solc.Message.OfGenerator)
	if isTooDeep(first) {
		f.Sentence, f.Remedy = "Stack too deep", p.lessDeep(first)
	}
	if len(errors) > 1 {
		f.Sentence += fmt.Sprintf(" (and %d more)", len(errors)-1)
	}
	f.File = c.order[0].Path
	if s := c.sources[first.File]; s != nil {
		f.File = s.Path
		at := srcmap.NewLines(s.Text).OffsetPosition(first.Span.Start)
		f.Line, f.Column = at.Line, at.Column
		if n := bytes.IndexByte(s.Text, 0); n >= 0 {
			f.Sentence += fmt.Sprintf(" (the file is not text: line %d has a NUL byte)", 1+bytes.Count(s.Text[:n], []byte("\n")))
			f.Remedy = "save it as UTF-8"
		}
	}
	return p.named(f)
}
