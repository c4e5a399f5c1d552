package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// The storm `disks` breaks what Leveret writes to: its corpus and its output.
// In each case both findings must be reported, an output must be the old or the
// new one, and no intact input of a corpus may be lost.

// diskSources are two contracts whose findings take a few inputs.
var diskSources = map[string]string{
	"A.sol": "pragma solidity ^0.8.0;\ncontract A {\n    uint x; mapping(uint => uint) m;\n    function set(uint y) external { x = y; assert(y != 7); }\n" +
		"    function walk(uint a, uint b) external { if (a > b) m[a] = b; else if (a == b) x++; if (x > 3 && m[a] > 5) delete m[b]; }\n}\n",
	"B.sol": "pragma solidity ^0.8.0;\ncontract B {\n    uint x;\n    function set(uint y) external { x = y; assert(y != 8); }\n}\n",
}

// A diskForm is one way in which a disk is broken.
type diskForm struct {
	name string
	run  func(*diskTrial) error
}

// diskForms are tried in turn. A trial without error kept all promises; with
// errNotHere the machine cannot break a disk like this.
var diskForms = []diskForm{
	{"a file in place of the corpus folder", corpusBehindFile},
	{"a folder in place of a corpus file", corpusTaken},
	{"a full disk for the corpus", corpusFull},
	{"a read-only folder for the corpus", corpusReadOnly},
	{"a corpus folder that vanishes", corpusVanishes},
	{"a damaged corpus file", corpusDamaged},
	{"a corpus file cut short", corpusCut},
	{"runs at once in one corpus", corpusShared},
	{"a limit on the size of files", outputLimited},
	{"a full disk for the output", outputFull},
	{"a read-only folder for the output", outputReadOnly},
	{"a folder as output", outputIsFolder},
	{"an output in a folder that vanishes", outputVanishes},
	{"a standard output that is full", stdoutFull},
	{"a standard output that is closed", stdoutClosed},
	{"SIGINT", func(t *diskTrial) error { return stopped(t, syscall.SIGINT) }},
	{"SIGTERM", func(t *diskTrial) error { return stopped(t, syscall.SIGTERM) }},
	{"SIGHUP", func(t *diskTrial) error { return stopped(t, syscall.SIGHUP) }},
	{"SIGKILL", killed},
}

var errNotHere = errors.New("this machine cannot do that")

// A diskTrial is one trial in a separate folder.
type diskTrial struct {
	context.Context
	options
	random *rand.Rand
}

func stormDisks(ctx context.Context, o options) (out outcome, err error) {
	out.unit = "broken disks"
	skipped := map[string]bool{}
	for n := 0; out.trials < o.trials; n++ {
		form := diskForms[n%len(diskForms)]
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if len(skipped) == len(diskForms) {
			return out, errors.New("this machine can break no disk")
		}
		if skipped[form.name] {
			continue
		}
		t := &diskTrial{ctx, o, rand.New(rand.NewPCG(uint64(o.seed), uint64(n)))}
		t.dir = filepath.Join(o.dir, fmt.Sprintf("trial%d", n))
		if err := t.lay(); err != nil {
			return out, err
		}
		switch err := form.run(t); {
		case errors.Is(err, errNotHere):
			skipped[form.name] = true
			continue
		case err != nil:
			out.fail("%s (-seed %d, trial %d): %v", form.name, o.seed, n, err)
		}
		fmt.Fprintf(o.log, "%s: done\n", form.name)
		out.trials++
	}
	if len(skipped) > 0 {
		out.detail = fmt.Sprintf("%d forms that this machine cannot do", len(skipped))
	}
	return out, nil
}

// lay writes the sources.
func (t *diskTrial) lay() error {
	if err := os.MkdirAll(filepath.Join(t.dir, "src"), 0o755); err != nil {
		return err
	}
	for name, text := range diskSources {
		if err := os.WriteFile(t.path("src", name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (t *diskTrial) path(parts ...string) string {
	return filepath.Join(append([]string{t.dir}, parts...)...)
}

func (t *diskTrial) write(name, text string) error {
	return os.WriteFile(t.path(name), []byte(text), 0o644)
}

// A diskRun is one run of leveret fuzz.
type diskRun struct {
	code     int
	out, err string
}

// command returns a run, after a shell command unless that is empty.
func (t *diskTrial) command(before string, args ...string) *exec.Cmd {
	args = append([]string{"fuzz", "--workers", "1", "--seed", "1"}, args...)
	cmd := exec.CommandContext(t, t.leveret, args...)
	if before != "" {
		cmd = exec.CommandContext(t, "sh", append([]string{"-c", before + `; exec "$0" "$@"`, t.leveret}, args...)...)
	}
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+t.tools, "XDG_CACHE_HOME="+filepath.Join(filepath.Dir(t.dir), "cache"))
	return cmd
}

// fuzz makes a run to its end.
func (t *diskTrial) fuzz(before string, args ...string) (diskRun, error) {
	cmd := t.command(before, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	return finished(cmd.Run(), cmd, &out, &errs)
}

func finished(err error, cmd *exec.Cmd, out, errs *bytes.Buffer) (diskRun, error) {
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return diskRun{}, err
	}
	return diskRun{cmd.ProcessState.ExitCode(), out.String(), errs.String()}, nil
}

// short are the arguments of a bounded run on both contracts.
var short = []string{"--max-inputs", "300", "src"}

// both reports whether a report has both findings.
func both(report string) bool {
	return strings.Contains(report, "assert(y != 7)") && strings.Contains(report, "assert(y != 8)")
}

// warned checks for both findings, their exit code, and a warning.
func (r diskRun) warned(warning string) error {
	switch {
	case r.code != 1 || !both(r.out):
		return fmt.Errorf("exit code %d, not both findings are reported: %s%s", r.code, r.out, r.err)
	case !strings.Contains(r.err, warning):
		return fmt.Errorf("the warning %q is missing: %s", warning, r.err)
	}
	return nil
}

// refused checks that nothing was fuzzed, for a reason.
func (r diskRun) refused(reason string) error {
	if r.code != 2 || strings.Contains(r.err, "Fuzzing") || !strings.Contains(r.err, reason) {
		return fmt.Errorf("exit code %d, not refused with %q: %s%s", r.code, reason, r.out, r.err)
	}
	return nil
}

func (t *diskTrial) wantWarning(warning, corpus string) error {
	r, err := t.fuzz("", append([]string{"--corpus", corpus}, short...)...)
	if err != nil {
		return err
	}
	return r.warned(warning)
}

func corpusBehindFile(t *diskTrial) error {
	if err := t.write("taken", "old"); err != nil {
		return err
	}
	corpus := []string{"taken", "taken/below", "taken/below/that"}[t.random.IntN(3)]
	if err := t.wantWarning("cannot save inputs in taken", corpus); err != nil {
		return err
	}
	return t.holds("taken", "old")
}

// holds checks that a file is unchanged.
func (t *diskTrial) holds(name, text string) error {
	if got, err := os.ReadFile(t.path(name)); err != nil || string(got) != text {
		return fmt.Errorf("%s has changed: %v", name, err)
	}
	return nil
}

func corpusTaken(t *diskTrial) error {
	if err := os.MkdirAll(t.path("corpus", "A.sol", "A.corpus", "inner"), 0o755); err != nil {
		return err
	}
	if err := t.wantWarning("cannot save inputs in corpus/A.sol/A.corpus", "corpus"); err != nil {
		return err
	}
	_, err := os.Stat(t.path("corpus", "B.sol", "B.corpus"))
	return err
}

func corpusFull(t *diskTrial) error {
	unmount, err := t.mount("corpus", "size=4k")
	if err != nil {
		return err
	}
	defer unmount()
	if err := fillDisk(t.path("corpus", "filler")); err != nil {
		return err
	}
	return t.wantWarning("no space left on device", "corpus")
}

// fillDisk writes until nothing more can be written.
func fillDisk(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for {
		if _, err := f.Write(make([]byte, 4096)); err != nil {
			return nil
		}
	}
}

func corpusReadOnly(t *diskTrial) error {
	writable, err := t.readOnly("corpus", nil)
	if err != nil {
		return err
	}
	defer writable()
	return t.wantWarning("cannot save inputs in corpus", "corpus")
}

// corpusVanishes removes the corpus repeatedly: runs create it again or warn
// that they cannot.
func corpusVanishes(t *diskTrial) error {
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-done:
				return
			case <-time.After(time.Duration(t.random.IntN(20)) * time.Millisecond):
				os.RemoveAll(t.path("corpus"))
			}
		}
	}()
	r, err := t.fuzz("", "--corpus", "corpus", "--time", "1200ms", "src")
	close(done)
	<-ended
	if err != nil {
		return err
	}
	return r.warned("")
}

// saved makes a corpus and returns the file of A.
func (t *diskTrial) saved() (path string, data []byte, err error) {
	if err := t.wantWarning("", "corpus"); err != nil {
		return "", nil, err
	}
	path = t.path("corpus", "A.sol", "A.corpus")
	data, err = os.ReadFile(path)
	return path, data, err
}

func corpusDamaged(t *diskTrial) error {
	return damaged(t, func(data []byte) []byte {
		at := t.random.IntN(len(data))
		if t.random.IntN(2) == 0 {
			at = t.random.IntN(30) // the first line
		}
		data[at] ^= 1 << t.random.IntN(8)
		return data
	})
}

func corpusCut(t *diskTrial) error {
	return damaged(t, func(data []byte) []byte { return data[:t.random.IntN(len(data)-1)] })
}

// damaged damages a corpus file and checks that the next run uses the intact
// inputs and keeps the file, unless the change made no difference.
func damaged(t *diskTrial, damage func([]byte) []byte) error {
	path, data, err := t.saved()
	if err != nil {
		return err
	}
	whole := inputsIn(data)
	broken := damage(bytes.Clone(data))
	if err := os.WriteFile(path, broken, 0o644); err != nil {
		return err
	}
	r, err := t.fuzz("", "--corpus", "corpus", "--max-inputs", "1", "src")
	if err != nil {
		return err
	}
	now, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	kept := inputsIn(now)
	for in := range whole {
		if bytes.Contains(broken, []byte(in)) && !kept[in] && strings.Contains(string(broken), recordOf(in, data)) {
			return fmt.Errorf("an intact input is lost: %s", in)
		}
	}
	copies, _ := filepath.Glob(path + ".damaged-*")
	if reported := strings.Contains(r.err, "is damaged"); reported != (len(copies) == 1) {
		return fmt.Errorf("reported %v, %d copies: %s", reported, len(copies), r.err)
	}
	if len(copies) == 0 && len(kept) < len(whole) {
		return fmt.Errorf("%d of %d inputs are left without a warning: %s", len(kept), len(whole), r.err)
	}
	if len(copies) == 1 {
		rel, _ := filepath.Rel(t.dir, copies[0])
		return t.holds(rel, string(broken))
	}
	return nil
}

// inputsIn returns the inputs of a corpus file. Each starts with a header line.
func inputsIn(data []byte) map[string]bool {
	inputs := map[string]bool{}
	for i, part := range strings.Split(string(data), "leveret input v1\n") {
		if i == 0 {
			continue
		}
		if end := strings.Index(part, "\n---"); end >= 0 {
			part = part[:end]
		}
		inputs["leveret input v1\n"+strings.TrimRight(part, "\n")] = true
	}
	return inputs
}

// recordOf returns an input with the line before it.
func recordOf(in string, data []byte) string {
	at := bytes.Index(data, []byte(in))
	return string(data[1+bytes.LastIndexByte(data[:at-1], '\n') : at+len(in)])
}

// corpusShared lets several runs load the same folder before any of them saves
// to it. In the end the corpus has what each alone would have saved.
func corpusShared(t *diskTrial) error {
	const runs = 4
	want := map[string]bool{}
	args := func(n int, corpus string) []string {
		return []string{"--corpus", corpus, "--seed", fmt.Sprint(n), "--max-inputs", "4000", "src/A.sol"}
	}
	for n := range runs {
		alone := fmt.Sprintf("alone%d", n)
		if _, err := t.fuzz("", args(n, alone)...); err != nil {
			return err
		}
		data, err := os.ReadFile(t.path(alone, "A.sol", "A.corpus"))
		if err != nil {
			return err
		}
		for in := range inputsIn(data) {
			want[in] = true
		}
	}
	lost := 0
	for range 2 { // on a slow machine, one may load what another has saved
		if err := os.RemoveAll(t.path("shared")); err != nil {
			return err
		}
		data, err := t.together(runs, func(n int) []string { return args(n, "shared") })
		if err != nil {
			return err
		}
		kept := inputsIn(data)
		lost = 0
		for in := range want {
			if !kept[in] {
				lost++
			}
		}
		if lost == 0 {
			return nil
		}
	}
	return fmt.Errorf("%d of %d inputs are lost", lost, len(want))
}

// together starts runs and pauses each after its first finding, so that none
// saves before all have loaded. It returns what they saved.
func (t *diskTrial) together(runs int, args func(n int) []string) ([]byte, error) {
	var all []*exec.Cmd
	for n := range runs {
		cmd, _, progress, err := t.begin(args(n)...)
		if err != nil {
			return nil, err
		}
		all = append(all, cmd)
		if err := pause(cmd.Process); err != nil {
			return nil, err
		}
		go drain(progress)
	}
	for _, cmd := range all {
		if err := resume(cmd.Process); err != nil {
			return nil, err
		}
	}
	for _, cmd := range all {
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
			return nil, fmt.Errorf("a run ends with %v", err)
		}
	}
	return os.ReadFile(t.path("shared", "A.sol", "A.corpus"))
}

func outputLimited(t *diskTrial) error {
	return t.output("ulimit -f 1", "--output out.json: file too large", func() error { return t.write("out.json", "old") })
}

// output checks that a report which cannot be written to out.json is printed,
// and that the old file is intact.
func (t *diskTrial) output(before, reason string, prepare func() error) error {
	if err := prepare(); err != nil {
		return err
	}
	r, err := t.fuzz(before, append([]string{"--format", "json", "--output", "out.json"}, short...)...)
	if err != nil {
		return err
	}
	if r.code != 2 || !both(r.out) || !json.Valid([]byte(r.out)) || !strings.Contains(r.err, reason) {
		return fmt.Errorf("exit code %d, not printed instead because of %q: %s%s", r.code, reason, r.out, r.err)
	}
	return t.holds("out.json", "old")
}

func outputFull(t *diskTrial) error {
	unmount, err := t.mount("disk", "size=16k")
	if err != nil {
		return err
	}
	defer unmount()
	return t.output("", "--output out.json: no space left on device", func() error {
		return errors.Join(t.write("disk/out.json", "old"), os.WriteFile(t.path("disk", "filler"), make([]byte, 8000), 0o644),
			os.Symlink("disk/out.json", t.path("out.json")))
	})
}

func outputReadOnly(t *diskTrial) error {
	writable, err := t.readOnly("disk", func() error { return t.write("disk/old.json", "old") })
	if err != nil {
		return err
	}
	defer writable()
	r, err := t.fuzz("", "--output", "disk/new.json", "src")
	if err != nil {
		return err
	}
	return r.refused("--output disk/new.json: ")
}

func outputIsFolder(t *diskTrial) error {
	output, reason := "src", "--output src: is a directory"
	if t.random.IntN(2) == 0 {
		output, reason = "src/A.sol/out", "--output src/A.sol/out: not a directory"
	}
	r, err := t.fuzz("", "--output", output, "src")
	if err != nil {
		return err
	}
	return r.refused(reason)
}

func outputVanishes(t *diskTrial) error {
	if err := os.Mkdir(t.path("gone"), 0o755); err != nil {
		return err
	}
	cmd, out, progress, err := t.begin("--output", "gone/out.txt", "--time", "300ms", "src")
	if err != nil {
		return err
	}
	if err := os.RemoveAll(t.path("gone")); err != nil {
		return err
	}
	rest := drain(progress)
	r, err := finished(cmd.Wait(), cmd, out, rest)
	if err == nil && (r.code != 2 || !both(r.out)) {
		err = fmt.Errorf("exit code %d, the report is not printed: %s%s", r.code, r.out, r.err)
	}
	return err
}

func stdoutFull(t *diskTrial) error {
	if _, err := os.Stat("/dev/full"); err != nil {
		return errNotHere
	}
	r, err := t.fuzz("exec >/dev/full", short...)
	if err != nil {
		return err
	}
	if r.code != 2 || !strings.Contains(r.err, "cannot print the report: no space left on device; leveret replay prints") {
		return fmt.Errorf("exit code %d: %s", r.code, r.err)
	}
	return t.replays()
}

// replays checks that the last run can be replayed.
func (t *diskTrial) replays() error {
	cmd := t.command("")
	cmd.Args = []string{t.leveret, "replay"}
	if out, _ := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 1 || !both(string(out)) {
		return fmt.Errorf("the replay lacks a finding: %s", out)
	}
	return nil
}

// stdoutClosed closes standard output and standard error.
func stdoutClosed(t *diskTrial) error {
	read, write, err := os.Pipe()
	if err != nil {
		return err
	}
	read.Close()
	cmd := t.command("", append([]string{"--output", "out.txt"}, short...)...)
	cmd.Stdout, cmd.Stderr = write, write
	err = cmd.Run()
	write.Close()
	if r, failed := finished(err, cmd, new(bytes.Buffer), new(bytes.Buffer)); failed != nil || r.code != 1 {
		return fmt.Errorf("it ends with %v", err)
	}
	if text, err := os.ReadFile(t.path("out.txt")); err != nil || !both(string(text)) {
		return fmt.Errorf("the output lacks a finding: %v", err)
	}
	return t.replays()
}

// endless are the arguments of a run of an hour with an old output and a corpus.
// A has half an hour, so that the signal arrives during its campaign.
var endless = []string{"--corpus", "corpus", "--format", "json", "--output", "out.json", "--time", "1h", "src"}

// stopped checks that a stopped run reports its findings.
func stopped(t *diskTrial, s os.Signal) error {
	// The caller of the storm may ignore SIGHUP, as nohup does. Children inherit
	// that, but not a handler.
	handled := make(chan os.Signal, 1)
	signal.Notify(handled, s)
	defer signal.Stop(handled)
	if err := t.write("out.json", "old"); err != nil {
		return err
	}
	cmd, out, progress, err := t.begin(endless...)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(t.random.IntN(1500)) * time.Millisecond)
	if err := cmd.Process.Signal(s); err != nil {
		return err
	}
	rest := drain(progress)
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 1 {
		return fmt.Errorf("it ends with %v: %s%s", err, rest, out)
	}
	text, err := os.ReadFile(t.path("out.json"))
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), "assert(y != 7)") {
		return fmt.Errorf("the output lacks the finding: %v, %s", err, text)
	}
	return t.corpusIsWhole()
}

// killed checks that a killed run leaves the old output and an intact corpus.
func killed(t *diskTrial) error {
	if err := t.write("out.json", "old"); err != nil {
		return err
	}
	cmd, _, progress, err := t.begin(endless...)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(900+t.random.IntN(400)) * time.Millisecond) // about when the corpus is saved
	if err := cmd.Process.Kill(); err != nil {
		return err
	}
	drain(progress)
	_ = cmd.Wait()
	if err := t.holds("out.json", "old"); err != nil {
		return err
	}
	return t.corpusIsWhole()
}

// corpusIsWhole checks that the next run reports no problem of the corpus.
func (t *diskTrial) corpusIsWhole() error {
	r, err := t.fuzz("", append([]string{"--corpus", "corpus"}, short...)...)
	if err == nil && strings.Contains(r.err, "leveret:") {
		err = fmt.Errorf("the next run complains: %s", r.err)
	}
	if err != nil {
		return err
	}
	return r.warned("")
}
