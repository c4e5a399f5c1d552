package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"leveret/campaign"
	"leveret/engine"
	"leveret/engine/bench/projects"
	"leveret/engine/input"
)

// A result is what a campaign did.
type result struct {
	Date     string   `json:"date"`
	Revision string   `json:"revision"`
	Contract string   `json:"contract"`
	Workers  int      `json:"workers"`
	Run      int      `json:"run"`
	CPU      float64  `json:"cpu"`    // seconds of all workers, until they ended
	Inputs   int      `json:"inputs"` // executed, as workers say
	Samples  []sample `json:"samples"`
	Findings []string `json:"findings"` // ids
}

// A sample is what the inputs cover that were published until a time.
type sample struct {
	CPU          float64 `json:"cpu"`          // seconds of all workers so far
	Published    int     `json:"published"`    // inputs
	Instructions int     `json:"instructions"` // covered
	Branches     int     `json:"branches"`     // covered
}

// measure runs a campaign over a contract.
func (o *options) measure(ctx context.Context, file, contract string, workers int) (*result, error) {
	dir, err := os.MkdirTemp("", "leveret-team")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	broker := exec.CommandContext(ctx, o.leveret, "campaign", "start", "--workers", "0", "--dir", dir, "--contract", contract, file)
	errs, err := broker.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := broker.Start(); err != nil {
		return nil, err
	}
	defer broker.Wait()
	defer broker.Process.Signal(os.Interrupt)
	address, err := addressOf(errs)
	if err != nil {
		return nil, err
	}
	link, err := campaign.Open(ctx, campaign.Address{URL: address})
	if err != nil {
		return nil, err
	}
	defer link.Close()
	r := &result{Date: time.Now().UTC().Format(time.RFC3339), Revision: projects.Revision(), Contract: contract, Workers: workers}
	if err := o.work(ctx, r, link, address); err != nil {
		return nil, err
	}
	return r, r.review(ctx, link)
}

// addressOf waits for the address that a campaign prints for workers.
func addressOf(errs io.Reader) (string, error) {
	lines := bufio.NewScanner(errs)
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "leveret campaign join "); ok {
			go io.Copy(io.Discard, errs)
			return address, nil
		}
	}
	return "", errors.Join(errors.New("leveret starts no campaign"), lines.Err())
}

// work runs the workers until they have used their CPU time, and samples what is published.
func (o *options) work(ctx context.Context, r *result, link *campaign.Link, address string) error {
	limit := o.cpu.Seconds() / float64(r.Workers)
	used, ended := make([]float64, r.Workers), make(chan error, r.Workers)
	var mu sync.Mutex
	for i := range r.Workers {
		cmd := exec.CommandContext(ctx, o.leveret, "campaign", "join", "--workers", "1", address)
		if err := cmd.Start(); err != nil {
			return err
		}
		go func() {
			ended <- watch(cmd, limit, func(cpu float64) {
				mu.Lock()
				defer mu.Unlock()
				used[i] = cpu
			})
		}()
	}
	for left := r.Workers; left > 0; {
		select {
		case err := <-ended:
			if err != nil {
				return err
			}
			left--
		case <-time.After(time.Second / 2):
		}
		counts, err := link.Counts(ctx, 1)
		if err != nil {
			return err
		}
		mu.Lock()
		r.CPU = 0
		for _, cpu := range used {
			r.CPU += cpu
		}
		mu.Unlock()
		r.Samples = append(r.Samples, sample{CPU: r.CPU, Published: counts[0].Inputs})
	}
	return nil
}

// watch tells the CPU time of a worker, and interrupts it when that reaches a limit in
// seconds.
func watch(cmd *exec.Cmd, limit float64, tell func(float64)) error {
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for told := false; ; {
		select {
		case err := <-done:
			tell((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds())
			return err
		case <-time.After(50 * time.Millisecond):
		}
		cpu, err := cpuOf(cmd.Process.Pid)
		if err != nil {
			continue // it has just ended
		}
		tell(cpu)
		if cpu >= limit && !told {
			told = true
			cmd.Process.Signal(os.Interrupt)
		}
	}
}

// cpuOf returns the user and system time of a process in seconds, on Linux.
func cpuOf(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0, errors.New("no times")
	}
	const ticks = 100 // in a second, on all architectures
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticks, err
}

// reviews is how many points of a campaign are reviewed.
const reviews = 24

// review executes what was published, at some of the samples.
func (r *result) review(ctx context.Context, link *campaign.Link) error {
	h, err := link.Header(ctx)
	if err != nil {
		return err
	}
	m, err := link.Manifest(ctx, h)
	if err != nil {
		return err
	}
	targets, err := m.Targets("")
	if err != nil {
		return err
	}
	inputs, witnesses, err := link.Corpus(ctx, 0)
	if err != nil {
		return err
	}
	efforts, err := link.Efforts(ctx, 1, nil)
	if err != nil {
		return err
	}
	r.Inputs = efforts[0].Inputs
	var kept []sample
	for i := range reviews {
		s := r.Samples[max((i+1)*len(r.Samples)/reviews, 1)-1]
		if err := s.cover(ctx, targets[0], m.Options(), inputs[:min(s.Published, len(inputs))]); err != nil {
			return err
		}
		kept = append(kept, s)
	}
	r.Samples = kept
	options := m.Options()
	options.Known = witnesses
	shown, err := engine.Review(ctx, targets[0].Contract, targets[0].Project, nil, options)
	if err != nil {
		return err
	}
	for i := range shown.Findings {
		r.Findings = append(r.Findings, shown.Findings[i].ID)
	}
	return nil
}

// cover measures what inputs cover.
func (s *sample) cover(ctx context.Context, t campaign.Target, options engine.Options, inputs []input.Sequence) error {
	result, err := engine.Review(ctx, t.Contract, t.Project, inputs, options)
	if err != nil {
		return err
	}
	s.Instructions, s.Branches = result.Stats.Instructions.Covered, result.Stats.Branches.Covered
	return nil
}
