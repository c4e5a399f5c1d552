package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// grace is the time beyond a run's limit for compiling and printing, and
// patience the limit of a run without a time limit: results in inputs must not
// depend on the load of the machine.
const (
	grace    = 2 * time.Minute
	patience = 2 * time.Hour
)

// limit is the time-out of a run.
func (o *options) limit() time.Duration {
	if o.time == 0 {
		return patience
	}
	return o.time + grace
}

// measure executes a run and stores its record. An interrupted run has no
// record; a crash has one.
func (r run) measure(ctx context.Context, o *options, all *records) error {
	execute := r.config.execute
	if execute == nil {
		execute = func(ctx context.Context, o *options, r run) record { return r.execute(ctx, o) }
	}
	rec := execute(ctx, o, r)
	if ctx.Err() != nil {
		return nil
	}
	rec.key = r.key
	return all.add(rec)
}

// args are the command-line arguments of a run.
func (r run) args(o *options) []string {
	args := []string{"fuzz", "--format", "json", "--fail-on", "error", "--workers", "1", "--seed", strconv.Itoa(r.Seed)}
	if o.time > 0 {
		args = append(args, "--time", o.time.String())
	}
	if o.inputs > 0 {
		args = append(args, "--max-inputs", strconv.Itoa(o.inputs))
	}
	args = append(args, r.subject.args...)
	args = append(args, r.config.args...)
	if r.config.aims {
		args = append(args, r.subject.aimed...)
	}
	return append(args, "--contract", r.subject.contract, r.subject.file)
}

func (r run) execute(ctx context.Context, o *options) record {
	ctx, cancel := context.WithTimeout(ctx, o.limit())
	defer cancel()
	args := r.args(o)
	if r.subject.corpus != "" {
		folder, err := corpusCopy(r.subject.corpus)
		if err != nil {
			return record{Failed: err.Error()}
		}
		defer os.RemoveAll(folder)
		args = append(args, "--corpus", folder)
	}
	cmd := exec.CommandContext(ctx, o.leveret, args...)
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+absolute(o.tools), "GOMAXPROCS=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	rec, decoded := decode(out.Bytes(), r.subject.contract)
	var exit *exec.ExitError
	switch {
	case decoded != nil:
		rec.Failed = fmt.Sprintf("%v: %s", errors.Join(err, decoded), complaint(errs.String()))
	case errors.As(err, &exit) && exit.ExitCode() > 1 && rec.Note == "":
		rec.Failed = complaint(errs.String())
	}
	return rec
}

// corpusCopy copies a corpus for a run to change.
func corpusCopy(of string) (string, error) {
	folder, err := os.MkdirTemp("", "leveret-bench-")
	if err != nil {
		return "", err
	}
	return folder, os.CopyFS(folder, os.DirFS(of))
}

// decode reads the report of one contract.
func decode(text []byte, contract string) (record, error) {
	var doc struct {
		Contracts []struct {
			Name     string
			Note     string
			Stats    stats
			Findings []struct {
				finding
				Message string
				Start   struct{ Line int }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return record{}, err
	}
	for _, c := range doc.Contracts {
		if c.Name != contract || c.Note != "" && len(doc.Contracts) > 1 {
			continue
		}
		rec := record{Note: c.Note, Stats: c.Stats, Findings: []finding{}}
		for _, f := range c.Findings {
			f.finding.Line, f.finding.Message = f.Start.Line, f.Message
			f.finding.File = filepath.Base(f.File)
			rec.Findings = append(rec.Findings, f.finding)
		}
		return rec, nil
	}
	return record{}, fmt.Errorf("the report has nothing on %s", contract)
}

// newSession describes the program, the machine and the time.
func newSession(o *options) session {
	return session{
		Date: time.Now().UTC().Format(time.RFC3339), Machine: machine(), Revision: o.revision(),
		Command: strings.Join(append([]string{"go run ./engine/bench"}, os.Args[1:]...), " "),
	}
}

// revision names what is measured.
func (o *options) revision() string {
	if len(o.programs) == 0 {
		return revision(o.leveret)
	}
	var names []string
	for _, p := range o.programs {
		if len(o.configs) == 0 || slices.Contains(o.configs, p.revision) {
			names = append(names, p.revision)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " and ")
}

// revision is the revision in the program's build information, else that of the
// working tree.
func revision(program string) string {
	out, err := exec.Command("go", "version", "-m", program).Output()
	if err == nil {
		var revision, modified string
		for line := range strings.Lines(string(out)) {
			line = strings.TrimSpace(line)
			if value, ok := strings.CutPrefix(line, "build\tvcs.revision="); ok {
				revision = value[:min(12, len(value))]
			}
			if line == "build\tvcs.modified=true" {
				modified = "+"
			}
		}
		if revision != "" {
			return revision + modified
		}
	}
	return revisionOf(".")
}

// revisionOf is the revision of a working tree, with a + if it was changed.
func revisionOf(folder string) string {
	out, err := exec.Command("git", "-C", folder, "describe", "--always", "--exclude", "*", "--abbrev=12", "--dirty=+").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}

// machine names the processor and the cores available to this process.
func machine() string {
	model := "unknown processor"
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
				model = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s", model, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// complaint is the line of an error message: that of a panic, or the last.
func complaint(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			return strings.Join(lines[i:min(i+5, len(lines))], " | ")
		}
	}
	return lines[len(lines)-1]
}
