package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"leveret/engine/bench/projects"
)

// A result is what one long run did.
type result struct {
	Date     string   `json:"date"`
	Revision string   `json:"revision"`
	Contract string   `json:"contract"`
	Memory   string   `json:"memory"` // limit
	Samples  []sample `json:"samples"`
	Resumed  []sample `json:"resumed"` // of the run after it, until it had the coverage of the last sample
	Corpus   int64    `json:"corpus"`  // bytes of its file when it was killed
}

// A sample is the state of a run.
type sample struct {
	Seconds      float64 `json:"seconds"`  // since the process began
	Resident     float64 `json:"resident"` // bytes
	CPU          float64 `json:"cpu"`      // seconds
	Inputs       float64 `json:"inputs"`
	Paths        float64 `json:"paths"`
	Instructions float64 `json:"instructions"` // covered
	Branches     float64 `json:"branches"`     // covered
}

// maxResume bounds the wait for the coverage of the first run.
const maxResume = 10 * time.Minute

// measure runs a campaign, kills it and resumes it.
func (o *options) measure(ctx context.Context) (*result, error) {
	corpus, err := os.MkdirTemp("", "leveret-long")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(corpus)
	r := &result{Date: time.Now().UTC().Format(time.RFC3339), Revision: projects.Revision(), Contract: o.contract, Memory: o.memory}
	began := time.Now()
	r.Samples, err = o.watch(ctx, corpus, o.every, func(sample) bool { return time.Since(began) > o.time })
	if err != nil {
		return nil, err
	}
	if r.Corpus, err = folderSize(corpus); err != nil {
		return nil, err
	}
	last := r.Samples[len(r.Samples)-1]
	began = time.Now()
	r.Resumed, err = o.watch(ctx, corpus, time.Second, func(s sample) bool {
		return s.Instructions >= last.Instructions && s.Branches >= last.Branches || time.Since(began) > maxResume
	})
	return r, err
}

// folderSize returns the bytes of all files of a folder.
func folderSize(dir string) (sum int64, err error) {
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	})
	return sum, err
}

// watch starts a run and samples it until over, and kills it then.
func (o *options) watch(ctx context.Context, corpus string, every time.Duration, over func(sample) bool) (list []sample, err error) {
	cmd := exec.CommandContext(ctx, o.leveret, "fuzz", "--ui", "--workers", "1", "--seed", "1", "--time", "100h", "--memory", o.memory, "--corpus", corpus,
		"--contract", o.contract, o.file)
	errs, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	address, err := pageOf(bufio.NewScanner(errs))
	if err != nil {
		return nil, err
	}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(every):
		}
		s, err := figures(ctx, address+"metrics")
		if err != nil {
			return nil, err
		}
		s.Seconds = time.Since(began).Seconds()
		list = append(list, s)
		if over(s) {
			return list, nil
		}
	}
}

// pageOf waits for the address that a run prints, and reads on so that it can print more.
func pageOf(lines *bufio.Scanner) (string, error) {
	for lines.Scan() {
		if _, address, ok := strings.Cut(lines.Text(), "The page of this run: "); ok {
			go func() {
				for lines.Scan() {
				}
			}()
			return address, nil
		}
	}
	return "", errors.Join(errors.New("leveret has no page"), lines.Err())
}

// figures reads the figures of a run.
func figures(ctx context.Context, address string) (s sample, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return s, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return s, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return s, fmt.Errorf("%s: %s", address, response.Status)
	}
	columns := map[string]*float64{
		"process_resident_memory_bytes": &s.Resident, "process_cpu_seconds_total": &s.CPU, "leveret_inputs_total": &s.Inputs,
		"leveret_paths": &s.Paths, "leveret_instructions_covered": &s.Instructions, "leveret_branches_covered": &s.Branches,
	}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		line := lines.Text()
		name := line[:strings.IndexAny(line+" ", "{ ")]
		if to := columns[name]; to != nil {
			value, err := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:], 64)
			if err != nil {
				return s, err
			}
			*to += value
		}
	}
	return s, lines.Err()
}
