package main

import (
	"bytes"
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
	"leveret/solc/atomicfile"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

// compilerFlags are the flags of all subcommands that compile.
type compilerFlags struct {
	solc      string
	untrusted bool
}

func (f *compilerFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.solc, "solc", "", "compile with the compiler at `PATH`: a binary, an npm package or a soljson.js")
	flags.BoolVar(&f.untrusted, "untrusted", false, "run no program of the project, evaluate no configuration, read nothing outside it")
}

// environment is the only place that reads the environment for the compiler,
// which may be named like a program on the PATH or by its path.
func environment(f compilerFlags) compiler.Env {
	env := compiler.EnvFrom(os.Getenv)
	env.Solc, env.Untrusted = f.solc, f.untrusted
	here, err := os.Getwd()
	if err != nil {
		return env
	}
	env.SolcDir = here
	if !f.untrusted { // that one ends at the project: here may be a folder of downloads
		env.Workspace = here
	}
	return env
}

// reported joins a result with what is needed to print and to repeat it.
func reported(c selection.Candidate, result *finding.Result) report.Contract {
	b := c.Unit.Build
	out := report.Contract{Result: *result, Kind: kindUnfuzzed(c), Root: c.Unit.Project.Root, Texts: map[string][]byte{}, Compiler: report.Compiler{
		Version: b.Version, Optimizer: b.Settings.Optimizer, OptimizerRuns: b.Settings.OptimizerRuns, ViaIR: b.Settings.ViaIR,
		EVMVersion: b.Settings.EVMVersion, Remappings: b.Settings.Remappings,
	}}
	for _, f := range result.Findings {
		if s := b.Source(f.Place.File); s != nil {
			out.Texts[s.Name] = s.Text
		}
	}
	return out
}

// kindUnfuzzed is the kind of a contract that was not fuzzed because of it.
func kindUnfuzzed(c selection.Candidate) string {
	if c.Note == "" {
		return ""
	}
	return kindOf(c.Contract)
}

// write prints the report where the flags want it, and keeps it for replay. A
// report that cannot be written to its file is printed.
func (r *fuzzRun) write(out *report.Report) error {
	kept := keepLast(r.env, out)
	if r.output == "" && r.format.Name == report.Formats()[0].Name && len(out.Contracts) == 1 && out.Contracts[0].Stats.Inputs == 0 {
		return nil // all there is to say is the verdict
	}
	if r.output == "" {
		return r.print(out, kept)
	}
	var text bytes.Buffer
	if err := r.format.Write(&text, out, textOptions(&text, kept)); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(r.output, text.Bytes(), 0o666); err != nil {
		return errors.Join(fmt.Errorf("--output %s: %w; the report was printed instead", r.output, cause(err)), r.print(out, kept))
	}
	return nil
}

// print writes the report to the standard output. A reader who has gone away
// has seen enough.
func (r *fuzzRun) print(out *report.Report, kept bool) error {
	err := r.format.Write(raw(r.console.out), out, textOptions(r.console.out, kept))
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		again := ""
		if kept {
			again = "; leveret replay shows what was found"
		}
		return fmt.Errorf("the report cannot be printed: %w%s", cause(err), again)
	}
	return nil
}

// unheard ends a run whose progress nobody reads any more if its report would
// go to the same pipe, as in leveret fuzz 2>&1 | head.
func (r *fuzzRun) unheard() {
	if r.output == "" && samePipe(raw(r.console.out), raw(r.console.err)) {
		r.stop()
	}
}

// cause is what is wrong with a file, without its name.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// textOptions says how text looks on w.
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

// kindOf names what a contract is, if that alone is why it is not fuzzed.
func kindOf(c *solc.Contract) string {
	switch {
	case c.Kind == solc.KindInterface:
		return "interface"
	case c.Kind == solc.KindLibrary:
		return "library"
	case c.Abstract:
		return "abstract contract"
	case c.Harness() != "":
		return "test"
	}
	return ""
}
