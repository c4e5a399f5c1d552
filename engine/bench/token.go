package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"
)

// The token experiment compares the transactions of a whole campaign on an
// ERC-20 token, with everything that a campaign does beside executing, with the
// calls of forge's invariant tests on the same token.
var tokenExperiment = experiment{
	name: "token", short: "transactions per CPU second of a campaign on an ERC-20 token, beside forge's invariant runs",
	defaults: flags{seeds: 1, time: 5 * time.Second, jobs: 1},
	driven:   true,
	matrix: func(o *options) (m matrix, err error) {
		root := filepath.Join(o.built, "token")
		text, err := os.ReadFile(tokenSource)
		if err != nil {
			return m, err
		}
		s := subject{file: filepath.Join(root, "src", "Token.sol"), contract: "Token", label: "Token"}
		if err := writeProject(root, plainSettings, ""); err != nil {
			return m, err
		}
		if err := writeFile(s.file, string(text)); err != nil {
			return m, err
		}
		m.subjects = []subject{s}
		if m.configs, m.own, err = o.perRevision(runTokenCampaign); err != nil {
			return m, err
		}
		if !o.print {
			m.configs = append(m.configs, forgeToken)
			m.own[forgeToken] = config{name: forgeToken, execute: runTokenForge}
		}
		return m, nil
	},
	tables: tokenTables,
}

// tokenSource is the token of the throughput benchmark, from the root of the
// module.
const tokenSource = "engine/evm/testdata/Token.sol"

// forgeToken is the configuration in which forge runs.
const forgeToken = "forge"

func runTokenCampaign(ctx context.Context, o *options, r run, p program) record {
	return p.drive(ctx, o, r, 1, "-cpu", o.cpu())
}

// tokenTest is a test whose invariant costs nothing. Every sender calls the
// token, and most hold none of it: their calls end early, which is in favour of
// forge.
const tokenTest = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {Token} from "../src/Token.sol";

contract TokenTest {
    address private target;

    function setUp() external {
        target = address(new Token(1e27));
    }

    function targetContracts() external view returns (address[] memory list) {
        list = new address[](1);
        list[0] = target;
    }

    function invariant_none() external {}
}
`

// pilotRuns is how many runs of forge tell how long one takes.
const pilotRuns = 40

// runTokenForge runs forge at its default depth, with as many runs as fit in the
// CPU time. Its start-up, measured by a run with one call, does not count.
func runTokenForge(ctx context.Context, o *options, r run) record {
	text, err := os.ReadFile(tokenSource)
	if err != nil {
		return record{Failed: err.Error()}
	}
	type figures struct {
		cpu   float64
		calls int
	}
	measure := func(limits string) (f figures, err error) {
		root, err := os.MkdirTemp("", "leveret-bench-forge-")
		if err != nil {
			return f, err
		}
		defer os.RemoveAll(root)
		p := forgeProject{root: root, tools: o.tools, seed: r.Seed, limits: limits}
		if err := p.write("Token", string(text), tokenTest); err != nil {
			return f, err
		}
		f.cpu, f.calls, err = p.test(ctx, 0)
		return f, err
	}
	start, err := measure("runs = 1\ndepth = 1\n")
	if err != nil {
		return record{Failed: err.Error()}
	}
	pilot, err := measure(fmt.Sprintf("runs = %d\n", pilotRuns))
	if err != nil {
		return record{Failed: err.Error()}
	}
	each := math.Max(pilot.cpu-start.cpu, 0.01) / pilotRuns
	whole, err := measure(fmt.Sprintf("runs = %.0f\n", math.Ceil(o.seconds/each)))
	if err != nil {
		return record{Failed: err.Error()}
	}
	return record{Findings: []finding{}, Cost: &cost{CPU: whole.cpu - start.cpu, Transactions: whole.calls - start.calls}}
}

// sent are the transactions of a run, of a program with statistics or without.
func sent(r record) int { return max(r.Stats.Transactions, r.Cost.Transactions) }

func tokenTables(o *options, all *records) []table {
	t := table{
		title:  fmt.Sprintf("An ERC-20 token: medians of %d seeds, one worker, %g CPU seconds each", o.seeds, o.seconds),
		notes:  all.notes(o, "A campaign does everything that campaigns do; forge calls an invariant without a body, and its time without start-up counts."),
		header: []string{"run", "transactions", "CPU seconds", "tx per CPU second", "to forge"},
	}
	rate := func(name string) float64 {
		return median(figures(all.measuredOf("Token", name), func(r record) float64 { return perSecond(r, sent(r)) }))
	}
	for _, name := range all.configNames() {
		list := all.measuredOf("Token", name)
		t.rows = append(t.rows, []string{name,
			number(median(figures(list, func(r record) float64 { return float64(sent(r)) }))),
			number(median(figures(list, func(r record) float64 { return r.Cost.CPU }))),
			number(math.Round(rate(name))), number(rate(name) / rate(forgeToken))})
	}
	return []table{t}
}
