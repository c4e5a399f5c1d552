package main

import (
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// ways are the metrics of BenchmarkThroughput and their descriptions.
var ways = []struct{ metric, means string }{
	{"bare", "go-ethereum, state.StateDB, one reused EVM, no hooks"},
	{"bare_empty_hook", "the same with an opcode hook that does nothing"},
	{"ours", "Machine on a Fork per call, no hooks"},
	{"ours_hot_tier", "Machine on a Fork per call, observed by the Recorder of campaigns"},
}

// Throughput writes to w the calls per second of a Machine on an ERC-20 mix,
// one worker, and of bare go-ethereum, measured alternately within one run of
// engine/cover's benchmark.
func Throughput(w io.Writer, duration time.Duration) error {
	metrics, err := measure(duration)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%.0f opcodes a call\n%10s %7s\n", metrics["opcodes/call"], "calls/s", "ratio")
	for _, way := range ways {
		fmt.Fprintf(w, "%10.0f %7.2f  %s\n", metrics[way.metric+"_calls/s"], metrics[way.metric+"_ratio"], way.means)
	}
	return nil
}

// measure runs the benchmark and returns its metrics.
func measure(duration time.Duration) (map[string]float64, error) {
	command := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkThroughput$",
		"-benchtime", duration.String(), "leveret/engine/cover")
	output, err := command.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("run the benchmark: %w\n%s", err, output)
	}
	for line := range strings.Lines(string(output)) {
		if strings.HasPrefix(line, "BenchmarkThroughput") {
			return parse(line), nil
		}
	}
	return nil, fmt.Errorf("no result in\n%s", output)
}

// parse reads the value and unit pairs of a benchmark's line.
func parse(line string) map[string]float64 {
	metrics := make(map[string]float64)
	fields := strings.Fields(line)
	for i := 2; i+1 < len(fields); i += 2 {
		if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
			metrics[fields[i+1]] = value
		}
	}
	return metrics
}
