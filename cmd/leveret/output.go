package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// compilerFlags are the flags of every subcommand that compiles.
type compilerFlags struct {
	solc      string
	untrusted bool
}

func (f *compilerFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.solc, "solc", "", "compile with the compiler at `PATH`: a binary, an npm package or a soljson.js")
	flags.BoolVar(&f.untrusted, "untrusted", false, "run no programs of the project, do not evaluate its configuration, and read no files outside it")
}

// A fastFlag chooses the settings that take the compiler the least time.
type fastFlag struct{ fast bool }

func (f *fastFlag) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.fast, "fast", false, "compile without optimiser and not via IR, which is faster; code that needs the project's settings gets them")
}

// settings returns what Project.Fast is for the projects of a run.
func (f *fastFlag) settings() *project.Fast {
	if f.fast {
		return new(project.Fast)
	}
	return nil
}

// environment reads the environment variables and flags that choose a compiler;
// nothing else does. A compiler is named by its path or as a program on PATH.
func environment(f compilerFlags) compiler.Env {
	env := compiler.EnvFrom(os.Getenv)
	env.Solc, env.Untrusted = f.solc, f.untrusted
	here, err := os.Getwd()
	if err != nil {
		return env
	}
	env.SolcDir = here
	if !f.untrusted { // an untrusted workspace is the project: here may be a folder of downloads
		env.Workspace = here
	}
	return env
}

// reported adds to a result what a report needs to print and to repeat it. needs
// reports whether it needs the text of a file without findings.
func reported(c selection.Candidate, result *finding.Result, needs func(file string) bool) report.Contract {
	b := c.Unit.Build
	out := report.Contract{Result: *result, Kind: kindUnfuzzed(c), Root: c.Unit.Project.Root, Texts: map[string][]byte{}, Compiler: report.CompilerOf(b), Defined: definitions(b, result.Findings)}
	for _, f := range result.Findings {
		if s := b.Source(f.Place.File); s != nil {
			out.Texts[s.Name] = s.Text
		}
	}
	out.Blocker = report.BlockerOf(c.Contract, result.Stats, result.Coverage)
	for _, s := range b.Sources {
		if s != nil && needs(s.Name) {
			out.Texts[s.Name] = s.Text
		}
	}
	return out
}

// kindUnfuzzed is the kind of a contract that is not fuzzed, else empty.
func kindUnfuzzed(c selection.Candidate) string {
	if c.Note == "" {
		return ""
	}
	return kindOf(c.Contract)
}

// write writes the report to --output or prints it, writes those of --format
// FORMAT=FILE, and saves it for replay. If --output cannot be written, it prints the
// report.
func (r *fuzzRun) write(out *report.Report) error {
	kept := keepLast(r.env, out)
	return errors.Join(r.writeMain(out, kept), r.writeMore(out, kept))
}

func (r *fuzzRun) writeMain(out *report.Report, kept bool) error {
	if r.output == "" && r.format.Name == report.Formats()[0].Name && len(out.Contracts) == 1 && out.Contracts[0].Stats.Inputs == 0 && len(out.Contracts[0].Findings) == 0 {
		return nil // the verdict says it all
	}
	if r.output == "" {
		return r.print(out, kept)
	}
	to := destination{r.format, "--output", r.output}
	if err := to.write(out, kept); err != nil {
		return errors.Join(fmt.Errorf("%w; printed the report instead", err), r.print(out, kept))
	}
	return nil
}

// print writes the report to standard output. A closed pipe is no error.
func (r *fuzzRun) print(out *report.Report, kept bool) error {
	err := r.format.Write(raw(r.console.out), out, textOptions(r.console.out, kept))
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		again := ""
		if kept {
			again = "; leveret replay prints the findings"
		}
		return fmt.Errorf("cannot print the report: %w%s", cause(err), again)
	}
	return nil
}

// stopIfUnread stops a run whose progress has no reader if the report would go
// to the same closed pipe, as in leveret fuzz 2>&1 | head.
func (r *fuzzRun) stopIfUnread() {
	if r.output == "" && samePipe(raw(r.console.out), raw(r.console.err)) {
		r.stop()
	}
}

// cause returns the reason of a file error without the file's name.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// textOptions returns the options of text reports on w.
func textOptions(w io.Writer, kept bool) report.Options {
	var o report.Options
	if kept {
		o.Replay = "leveret replay --id "
	}
	o.Dir, _ = os.Getwd()
	if f, ok := raw(w).(*os.File); ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		o.Colour = term.IsTerminal(int(f.Fd()))
	}
	return o
}

// kindOf names the kind of a contract that is never fuzzed, else it is empty.
func kindOf(c *solc.Contract) string {
	switch {
	case c.Kind == solc.KindInterface:
		return "interface"
	case c.Kind == solc.KindLibrary:
		return "library"
	case c.Abstract:
		return "abstract contract"
	case c.TestCode() != "":
		return "test"
	}
	return ""
}
