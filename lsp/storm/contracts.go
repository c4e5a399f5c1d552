package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"leveret/engine/hostile"
)

// The storm of hostile contracts fuzzes each contract of engine/hostile for a
// second, interrupts a run on it, and edits it in an editor during a campaign.
// Runs must end in time, within the memory limit, and without a crash.

// budget is how long a campaign gets, and midway when it is interrupted.
const (
	budget = time.Second
	midway = 300 * time.Millisecond
)

// maxMemory bounds the memory of a Leveret process without its compilers, in
// bytes.
const maxMemory = 500 << 20

// A tolerance is how long a campaign may run after its time limit or an
// interrupt.
type tolerance struct{ budget, interrupt time.Duration }

// The promise holds for an idle machine. The short form runs beside other tests.
var (
	promised = tolerance{500 * time.Millisecond, 200 * time.Millisecond}
	crowded  = tolerance{20 * time.Second, 20 * time.Second}
)

// contractTrials are the trials of each contract.
var contractTrials = []struct {
	name string
	run  func(ctx context.Context, o *options, file hostileFile) (measured, error)
	late func(tolerance) time.Duration
}{
	{"fuzz", fuzzToTheEnd, func(t tolerance) time.Duration { return t.budget }},
	{"interrupt", interruptMidway, func(t tolerance) time.Duration { return t.interrupt }},
	{"edit", editMidway, func(t tolerance) time.Duration { return t.interrupt }},
}

// A hostileFile is a contract with the path of its source.
type hostileFile struct {
	hostile.Contract
	path string
}

// measured is what one trial took.
type measured struct {
	overrun time.Duration // after its time, the interrupt or the edit
	memory  int           // bytes, the most at any time; 0: not known
	wrong   string        // what else broke a promise
	skipped bool          // it was found that it cannot be fuzzed
}

// attempts is how often a trial that took too long is repeated. A real delay
// repeats, one caused by a busy machine does not.
const attempts = 3

func stormContracts(ctx context.Context, o options) (outcome, error) {
	result := outcome{unit: "trials of hostile contracts"}
	all := hostile.All()
	r := rand.New(rand.NewPCG(uint64(o.seed), 0))
	order := r.Perm(len(all))
	limits := crowded
	if o.trials >= len(all)*len(contractTrials) {
		limits = promised
	}
	var worst [2]record
	tried := map[string]bool{}
	for i := 0; i < o.trials && ctx.Err() == nil; i++ {
		contract := all[order[i/len(contractTrials)%len(order)]]
		trial := contractTrials[i%len(contractTrials)]
		file := hostileFile{contract, filepath.Join(o.dir, fmt.Sprintf("c%d.sol", i/len(contractTrials)))}
		if err := os.WriteFile(file.path, []byte(contract.Source), 0o600); err != nil {
			return result, err
		}
		what := fmt.Sprintf("%s %q", trial.name, contract.Name)
		m, err := trial.run(ctx, &o, file)
		for n := 1; n < attempts && err == nil && m.overrun > trial.late(limits); n++ {
			fmt.Fprintf(o.log, "%s: %v late; once more\n", what, m.overrun)
			again, failure := trial.run(ctx, &o, file)
			if err = failure; again.overrun < m.overrun {
				m = again
			}
		}
		if err != nil {
			return result, fmt.Errorf("%s: %w", what, err)
		}
		fmt.Fprintf(o.log, "%s: %v late, %d MB\n", what, m.overrun.Round(time.Millisecond), m.memory>>20)
		result.trials++
		tried[contract.Name] = true
		worst[0].note(int(m.overrun.Milliseconds()), what)
		worst[1].note(m.memory>>20, what)
		result.check(what, m, contract, trial.late(limits))
	}
	result.detail = fmt.Sprintf("%d contracts, at most %d ms late (%s) and %d MB (%s)",
		len(tried), worst[0].value, worst[0].of, worst[1].value, worst[1].of)
	return result, ctx.Err()
}

// A record is the largest value of something.
type record struct {
	value int
	of    string
}

func (r *record) note(value int, of string) {
	if r.of == "" || value > r.value {
		*r = record{value, of}
	}
}

// check lists the promises that a trial broke.
func (o *outcome) check(what string, m measured, c hostile.Contract, late time.Duration) {
	switch {
	case m.overrun > late:
		o.fail("%s ends %v late", what, m.overrun.Round(time.Millisecond))
	case m.wrong != "":
		o.fail("%s: %s", what, m.wrong)
	case m.skipped && !c.Unfuzzed:
		o.fail("%s: it is not fuzzed", what)
	}
	if m.memory > maxMemory {
		o.fail("%s takes %d MB", what, m.memory>>20)
	}
}

// A run is a process of leveret fuzz.
type run struct {
	cmd    *exec.Cmd
	out    bytes.Buffer
	errs   processOutput
	memory *peak
}

// startFuzzing starts the command on a file and waits until the campaign
// begins, or the process ends without one.
func startFuzzing(o *options, file hostileFile) (r *run, fuzzing <-chan time.Time, ended <-chan error, err error) {
	r = &run{cmd: exec.Command(o.leveret, "fuzz", "--workers", "2", "--seed", "1", "--contract", hostile.Name, "--time", budget.String(), file.path)}
	r.cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+o.tools, "HOME="+o.dir, "XDG_CACHE_HOME="+filepath.Join(o.dir, "cache"))
	began := make(chan time.Time, 1)
	r.errs.until, r.errs.seen = "Fuzzing "+hostile.Name, began
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.errs
	if err := r.cmd.Start(); err != nil {
		return nil, nil, nil, err
	}
	r.memory = watchMemory(r.cmd.Process.Pid)
	done := make(chan error, 1)
	go func() {
		done <- r.cmd.Wait()
		r.memory.stop()
	}()
	return r, began, done, nil
}

// fuzzToTheEnd lets a campaign use up its time.
func fuzzToTheEnd(ctx context.Context, o *options, file hostileFile) (measured, error) {
	return fuzzUntil(ctx, o, file, budget, func(*run) error { return nil })
}

// interruptMidway interrupts a campaign as Ctrl-C does.
func interruptMidway(ctx context.Context, o *options, file hostileFile) (measured, error) {
	return fuzzUntil(ctx, o, file, midway, func(r *run) error { return r.cmd.Process.Signal(os.Interrupt) })
}

// stuck is the time after which a run is killed.
const stuck = 30 * time.Second

// fuzzUntil runs a campaign, ends it at a time, and measures how much longer it
// runs.
func fuzzUntil(ctx context.Context, o *options, file hostileFile, until time.Duration, end func(*run) error) (m measured, err error) {
	r, began, ended, err := startFuzzing(o, file)
	if err != nil {
		return m, err
	}
	var start time.Time
	select {
	case start = <-began:
	case <-ended:
		return m, fmt.Errorf("no campaign began: %s", excerpt(r.errs.String()))
	case <-ctx.Done():
		_ = r.cmd.Process.Kill()
		<-ended
		return m, ctx.Err()
	}
	select {
	case <-ended: // before its time, as there is nothing to fuzz
		return r.finished(), nil
	case <-time.After(time.Until(start.Add(until))):
	}
	if err := end(r); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return m, err
	}
	over := time.Now()
	select {
	case <-ended:
		m = r.finished()
	case <-time.After(stuck):
		_ = r.cmd.Process.Signal(syscall.SIGQUIT) // it tells where it hangs
		<-ended
		m.wrong = "it does not end; it is at " + where(r.errs.String())
	}
	m.overrun, m.memory = max(0, time.Since(over)), r.memory.most()
	return m, nil
}

var panicked = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ \[)|please report this`)

// cutShort matches the message about a contract that no time was left for.
var cutShort = regexp.MustCompile(`was not fuzzed: it(s time ran out| was stopped) before`)

// finished checks how a run ended.
func (r *run) finished() (m measured) {
	m.memory = r.memory.most()
	code := r.cmd.ProcessState.ExitCode()
	switch text := r.errs.String(); {
	case panicked.MatchString(text):
		m.wrong = "it failed: " + excerpt(text)
	case code == 2 && !strings.Contains(text, "nothing was fuzzed"), code < 0, code > 2:
		m.wrong = fmt.Sprintf("it ends with %v: %s", r.cmd.ProcessState, excerpt(text))
	default:
		m.skipped = code == 2 && !cutShort.MatchString(text)
	}
	return m
}

// excerpt returns the beginning of a process's output.
func excerpt(text string) string { return text[:min(len(text), 400)] }

// where returns the innermost Leveret function in a dump of stacks.
func where(stacks string) string {
	for line := range strings.Lines(stacks) {
		if strings.HasPrefix(line, "leveret/") {
			return strings.TrimSpace(line)
		}
	}
	return "an unknown place"
}

// A processOutput collects what a process writes, and reports when a text first
// appears.
type processOutput struct {
	mu    sync.Mutex
	text  bytes.Buffer
	until string
	seen  chan<- time.Time // nil: it was seen
}

func (s *processOutput) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(b)
	if s.seen != nil && bytes.Contains(s.text.Bytes(), []byte(s.until)) {
		s.seen <- time.Now()
		s.seen = nil
	}
	return len(b), nil
}

func (s *processOutput) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// A peak samples the maximal memory of a running process. The statistics of an
// ended process would include its compilers.
type peak struct {
	done chan struct{}
	once sync.Once

	mu    sync.Mutex
	bytes int
}

// watchMemory samples a process until stop is called. Without /proc the peak is
// 0.
func watchMemory(pid int) *peak {
	p := &peak{done: make(chan struct{})}
	go func() {
		for {
			p.note(memoryOf(pid))
			select {
			case <-p.done:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	return p
}

func (p *peak) stop() { p.once.Do(func() { close(p.done) }) }

func (p *peak) note(bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes = max(p.bytes, bytes)
}

func (p *peak) most() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.bytes
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memoryOf returns the peak resident memory of a process.
func memoryOf(pid int) int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	if m := highWater.FindSubmatch(status); m != nil {
		n, _ := strconv.Atoi(string(m[1]))
		return n << 10
	}
	return 0
}
