package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"leveret/engine/bench/forge"
	"leveret/engine/bench/maze"
)

// A forgeConfig is a way to run forge's invariant tests.
//
// A test would end with the first failed assertion, so assertions of the
// mazes for forge are written differently: each writes an empty file with its
// identifier as the name and then reverts, as a failed assertion does. One
// invariant without a body lets forge go on, and the maze is its only target,
// without a handler in between. So all CPU time goes into one campaign, however
// many assertions there are, and what was found is there when the time is over.
// Whatever a run can find more cheaply, such as checks of the invariant, is free.
type forgeConfig struct {
	name string
	toml string // lines of the section of invariants
}

// forgeConfigs have the depth of 500 calls that is forge's default, a shorter
// one, and its search that is guided by coverage.
var forgeConfigs = []forgeConfig{
	{"forge", ""},
	{"forge-depth-50", "depth = 50\n"},
	{"forge-corpus", "depth = 50\ncorpus_dir = \"corpus\"\n"},
}

// isForge reports whether a configuration is one of forge's.
func isForge(name string) bool {
	return slices.ContainsFunc(forgeConfigs, func(c forgeConfig) bool { return c.name == name })
}

// forgeTest is the test of a maze. The functions that forge calls by name are
// those that forge-std has.
const forgeTest = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {%[1]s} from "../src/%[1]s.sol";

contract %[1]sTest {
    address private target;

    function setUp() external {
        target = address(new %[1]s());
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = target;
    }

    function invariant_none() external {}
}
`

// forgeHead declares the part of forge's cheat codes that a maze uses.
const forgeHead = "address private constant FORGE = 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D;\n"

// foundFolder is where the mazes for forge write files.
const foundFolder = "found"

func forgeAssert(id int) string {
	return fmt.Sprintf(`Forge(FORGE).writeFile("%s/%d", ""); revert();`, foundFolder, id)
}

// run runs forge on a maze until it has used its CPU time.
func (c forgeConfig) run(ctx context.Context, o *options, r run) record {
	root, err := os.MkdirTemp("", "leveret-bench-forge-")
	if err != nil {
		return record{Failed: err.Error()}
	}
	defer os.RemoveAll(root)
	rec, err := c.runIn(ctx, o, r, root)
	if err != nil {
		return record{Failed: err.Error()}
	}
	return rec
}

func (c forgeConfig) runIn(ctx context.Context, o *options, r run, root string) (record, error) {
	m := r.subject.maze.generate()
	text, _ := m.Source(maze.Style{Contract: mazeContract, Head: forgeHead, Assert: forgeAssert})
	text += "\ninterface Forge {\n    function writeFile(string calldata path, string calldata data) external;\n}\n"
	p := forgeProject{root: root, tools: o.tools, seed: r.Seed, limits: c.toml + "runs = 1000000000\n"}
	if err := p.write(mazeContract, text, fmt.Sprintf(forgeTest, mazeContract)); err != nil {
		return record{}, err
	}
	if err := os.MkdirAll(filepath.Join(root, foundFolder), 0o755); err != nil {
		return record{}, err
	}
	cpu, _, err := p.test(ctx, o.seconds)
	if err != nil {
		return record{}, err
	}
	files, err := os.ReadDir(filepath.Join(root, foundFolder))
	if err != nil {
		return record{}, err
	}
	rec := record{Findings: []finding{}, Cost: &cost{CPU: cpu}}
	for _, f := range files {
		id, err := strconv.Atoi(f.Name())
		if err != nil {
			return record{}, err
		}
		rec.Cost.Assertions = append(rec.Cost.Assertions, id)
	}
	slices.Sort(rec.Cost.Assertions)
	return rec, nil
}

// A forgeProject is a project in which forge runs.
type forgeProject struct {
	root, tools string
	seed        int
	limits      string // lines of the section of invariants
}

// write writes the project and compiles it, so that a test's time is its own.
func (p forgeProject) write(contract, text, test string) error {
	config := fmt.Sprintf("fs_permissions = [{ access = \"read-write\", path = \"./%s\" }]\n[fuzz]\nseed = \"%#x\"\n[invariant]\nfail_on_revert = false\n%s", foundFolder, p.seed, p.limits)
	soljson := filepath.Join(p.tools, "node_modules/solc-0.8.30/soljson.js")
	if err := errors.Join(
		writeProject(p.root, plainSettings, config),
		writeFile(filepath.Join(p.root, "src", contract+".sol"), text),
		writeFile(filepath.Join(p.root, "test", contract+".t.sol"), test),
		forge.WriteSolc(filepath.Join(p.root, "solc"), p.tools, soljson),
	); err != nil {
		return err
	}
	cmd := p.command(context.Background(), "build")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("forge build: %w\n%s", err, out)
	}
	return nil
}

// command is forge in the project, with one thread and no settings of the user.
func (p forgeProject) command(ctx context.Context, args ...string) *exec.Cmd {
	return p.in(exec.CommandContext(ctx, forge.Path(p.tools), append(args, "--use", "./solc", "--threads", "1")...))
}

func (p forgeProject) in(cmd *exec.Cmd) *exec.Cmd {
	cmd.Dir = p.root
	cmd.Env = forge.Environment(p.root)
	return cmd
}

// test runs the tests until they end or have used so many seconds of CPU time,
// rounded up; 0 means no limit. It returns the CPU time and the calls that
// tests that ended report.
func (p forgeProject) test(ctx context.Context, seconds float64) (cpu float64, calls int, err error) {
	out, cpu, err := p.limited(ctx, seconds)
	if err != nil || out == nil {
		return cpu, 0, err
	}
	calls, err = forgeCalls(out)
	return cpu, calls, err
}

// limited runs the tests and returns what forge printed, nil if the limit of CPU
// time ended it; 0 means no limit.
func (p forgeProject) limited(ctx context.Context, seconds float64) (printed []byte, cpu float64, err error) {
	unlimited := p.command(ctx, "test", "--json").Args
	args := forge.Limited(int(math.Ceil(seconds)), unlimited[0], unlimited[1:]...)
	cmd := p.in(exec.CommandContext(ctx, args[0], args[1:]...))
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return nil, 0, err
	}
	cpu = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if seconds > 0 && !cmd.ProcessState.Exited() {
		return nil, cpu, nil // the limit ended it
	}
	if out.Len() == 0 { // else the tests ran, whether or not they passed
		return nil, 0, fmt.Errorf("forge test: %w: %s", cmp.Or(err, errors.New("nothing printed")), strings.TrimSpace(errs.String()))
	}
	return out.Bytes(), cpu, nil
}

// forgeCalls sums the calls of invariant tests in forge's JSON.
func forgeCalls(text []byte) (calls int, err error) {
	var suites map[string]struct {
		Results map[string]struct {
			Status string
			Reason string
			Kind   struct{ Invariant struct{ Calls int } }
		} `json:"test_results"`
	}
	if err := json.Unmarshal(text, &suites); err != nil {
		return 0, err
	}
	for _, suite := range suites {
		for name, r := range suite.Results {
			if r.Status != "Success" {
				return 0, fmt.Errorf("%s: %s %s", name, r.Status, r.Reason)
			}
			calls += r.Kind.Invariant.Calls
		}
	}
	return calls, nil
}
