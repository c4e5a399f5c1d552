package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"

	"golang.org/x/term"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc"
)

// environment is the only place that reads the environment for the compiler,
// which may be named like a program on the PATH or by its path.
func environment(compiler string) solc.Env {
	env := solc.EnvFrom(os.Getenv)
	if compiler == "" {
		return env
	}
	env.Solc = compiler
	if _, err := os.Stat(compiler); err != nil && filepath.Base(compiler) == compiler {
		if found, err := exec.LookPath(compiler); err == nil {
			env.Solc = found
		}
	}
	if path, err := filepath.Abs(env.Solc); err == nil {
		env.Solc = path
	}
	return env
}

// reported joins a result with what is needed to print and to repeat it.
func reported(c candidate, result *finding.Result) report.Contract {
	b := c.unit.build
	out := report.Contract{Result: *result, Kind: kindUnfuzzed(c), Root: c.unit.project.Root, Texts: map[string][]byte{}, Compiler: report.Compiler{
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
func kindUnfuzzed(c candidate) string {
	if c.note == "" {
		return ""
	}
	return kindOf(c.contract)
}

// write prints the report where the flags want it, and keeps it for replay.
func (r *fuzzRun) write(out *report.Report) error {
	kept := keepLast(r.env, out)
	if r.output == "" && r.format.Name == report.Formats()[0].Name && len(out.Contracts) == 1 && out.Contracts[0].Stats.Inputs == 0 {
		return nil // all there is to say is the verdict
	}
	if r.output == "" {
		return r.format.Write(r.console.out, out, textOptions(r.console.out, kept))
	}
	file, err := os.Create(r.output)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := r.format.Write(file, out, textOptions(file, kept)); err != nil {
		return err
	}
	return file.Close()
}

// textOptions says how text looks on w.
func textOptions(w io.Writer, kept bool) report.Options {
	var o report.Options
	if kept {
		o.Replay = "leveret replay --id "
	}
	o.Dir, _ = os.Getwd()
	if f, ok := w.(*os.File); ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		o.Colour = term.IsTerminal(int(f.Fd()))
	}
	return o
}

// lastPath is where the last run's report is kept, so that its findings can be
// replayed by their id alone; empty if the user has no cache directory.
func lastPath(env solc.Env) string {
	if env.CacheDir == "" {
		return ""
	}
	return filepath.Join(env.CacheDir, "leveret", "last.json")
}

// keepLast keeps a report that has findings, and reports whether it did.
// Nothing depends on it but convenience, so a failure is no error.
func keepLast(env solc.Env, out *report.Report) bool {
	path := lastPath(env)
	if path == "" || out.Count(finding.Hint) == 0 || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return false
	}
	file, err := os.CreateTemp(filepath.Dir(path), "last-*.json")
	if err != nil {
		return false
	}
	defer os.Remove(file.Name()) // gone already if all went well
	w := bufio.NewWriter(file)
	err = report.JSON(w, out, report.Options{})
	if err == nil {
		err = w.Flush()
	}
	if closed := file.Close(); err != nil || closed != nil {
		return false
	}
	return os.Rename(file.Name(), path) == nil
}
