package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/engine/bench/obstacles"
)

// The obstacles experiment counts the generated contracts whose assertion is
// found, by campaigns and by forge's invariant tests, within the same CPU time. A
// run has the seed of its contract.
var obstaclesExperiment = experiment{
	name: "obstacles", short: "obstacles of each class that are overcome, beside forge, in equal CPU time",
	defaults: flags{seeds: 10, time: 20 * time.Second, jobs: 1},
	driven:   true,
	matrix: func(o *options) (m matrix, err error) {
		for _, k := range obstacleKeys() {
			s := subject{contract: obstacles.Contract, label: k.label(), obstacle: &k, of: k.class.Name}
			m.subjects = append(m.subjects, s)
		}
		if m.configs, m.own, err = o.perRevision(runObstacle); err != nil {
			return m, err
		}
		if !slices.Contains(m.configs, forgeObstacles) {
			m.configs = append(m.configs, forgeObstacles)
		}
		m.own[forgeObstacles] = config{name: forgeObstacles, execute: runForgeObstacle}
		return m, nil
	},
	tables: obstaclesTables,
}

// An obstacleKey is what obstacles are generated from, but for the seed.
type obstacleKey struct {
	class obstacles.Class
	size  int
}

func (k obstacleKey) label() string { return k.class.Name + "-" + obstacles.Sizes[k.size] }

func (k obstacleKey) generate(seed int, mark string) obstacles.Obstacle {
	return obstacles.New(k.class, k.size, uint64(seed), mark)
}

// obstacleKeys lists the families, in the order of the table.
func obstacleKeys() (list []obstacleKey) {
	for _, c := range obstacles.Classes {
		for size := range obstacles.Sizes {
			list = append(list, obstacleKey{c, size})
		}
	}
	return list
}

// runObstacle runs a campaign until it has found the assertion or used its CPU
// time.
func runObstacle(ctx context.Context, o *options, r run, p program) record {
	root, err := os.MkdirTemp("", "leveret-bench-obstacle-")
	if err != nil {
		return record{Failed: err.Error()}
	}
	defer os.RemoveAll(root)
	if err := writeProject(root, plainSettings, ""); err != nil {
		return record{Failed: err.Error()}
	}
	obstacle := r.subject.obstacle.generate(r.Seed, "")
	r.subject.file = filepath.Join(root, "src", obstacles.Contract+".sol")
	if err := writeFile(r.subject.file, obstacle.Source); err != nil {
		return record{Failed: err.Error()}
	}
	rec := p.drive(ctx, o, r, 1, "-cpu", o.cpu(), "-first", "-oracles", "assertion")
	rec.Findings = slices.DeleteFunc(rec.Findings, func(f finding) bool { return f.Line != obstacle.Line })
	return rec
}

// forgeObstacles is the name of forge's configuration: its defaults, but for
// shrinking, which would cost CPU time.
const forgeObstacles = "forge"

// forgeReached is what a witness does in contracts for forge, whose invariant is
// that it never happens.
const forgeReached = "reached = true;"

const forgeObstacleTest = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {%[1]s} from "../src/%[1]s.sol";

contract %[1]sTest {
    %[1]s private target;

    function setUp() external {
        target = new %[1]s();
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(target);
    }

    function invariant_unreached() external view {
        require(!target.reached());
    }
}
`

// runForgeObstacle runs forge until its invariant fails or it has used its CPU
// time. It has no attacker contract: what called contracts answer is out of its
// reach.
func runForgeObstacle(ctx context.Context, o *options, r run) record {
	root, err := os.MkdirTemp("", "leveret-bench-forge-")
	if err != nil {
		return record{Failed: err.Error()}
	}
	defer os.RemoveAll(root)
	source := r.subject.obstacle.generate(r.Seed, forgeReached).Source
	head := obstacles.Contract + " {\n"
	source = strings.Replace(source, head, head+"    bool public reached;\n", 1)
	p := forgeProject{root: root, tools: o.tools, seed: r.Seed, limits: "runs = 1000000000\nshrink_run_limit = 0\n"}
	if err := p.write(obstacles.Contract, source, fmt.Sprintf(forgeObstacleTest, obstacles.Contract)); err != nil {
		return record{Failed: err.Error()}
	}
	out, cpu, err := p.limited(ctx, o.seconds)
	if err != nil {
		return record{Failed: err.Error()}
	}
	rec := record{Findings: []finding{}, Cost: &cost{CPU: cpu}}
	if failed, err := forgeFailed(out); err != nil {
		return record{Failed: err.Error()}
	} else if failed {
		rec.Findings = append(rec.Findings, finding{Oracle: "invariant", Seconds: cpu})
	}
	return rec
}

// forgeFailed reports whether forge's JSON has a test that failed; what it had
// printed when its limit ended it has none.
func forgeFailed(text []byte) (bool, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return false, nil
	}
	var suites map[string]struct {
		Results map[string]struct{ Status string } `json:"test_results"`
	}
	if err := json.Unmarshal(text, &suites); err != nil {
		return false, fmt.Errorf("decode what forge printed: %w", err)
	}
	for _, suite := range suites {
		for _, r := range suite.Results {
			if r.Status == "Failure" {
				return true, nil
			}
		}
	}
	return false, nil
}

// obstaclesTables has a row for each class and size. Runs without the finding
// count as infinitely many inputs.
func obstaclesTables(o *options, all *records) []table {
	names := all.configNames()
	t := table{
		title:  fmt.Sprintf("Obstacles that are overcome within %g CPU seconds", o.seconds),
		notes:  all.notes(o, "Medians are of all runs; forge says no number of inputs. Calls are those of witnesses, as a ratio to the shortest one."),
		header: []string{"class", "size"},
	}
	for _, name := range names {
		t.header = append(t.header, name)
		if name != forgeObstacles {
			t.header = append(t.header, "inputs", "calls")
		}
	}
	for _, k := range obstacleKeys() {
		row, some := []string{k.class.Name, obstacles.Sizes[k.size]}, false
		for _, name := range names {
			list := all.measuredOf(k.label(), name)
			some = some || len(list) > 0
			found, calls := 0, []float64{}
			inputs := figures(list, func(r record) float64 {
				if len(r.Findings) == 0 {
					return math.Inf(1)
				}
				found++
				calls = append(calls, float64(r.Findings[0].Calls)/float64(k.generate(r.Seed, "").Least))
				return float64(r.Findings[0].Inputs)
			})
			row = append(row, fmt.Sprintf("%d/%d", found, len(list)))
			if name != forgeObstacles {
				row = append(row, number(median(inputs)), number(median(calls)))
			}
		}
		if some {
			t.rows = append(t.rows, row)
		}
	}
	return []table{t}
}
