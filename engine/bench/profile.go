package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// The profile experiment shows where the CPU time of a campaign goes.
var profileExperiment = experiment{
	name: "profile", short: "shares of the CPU time of execution, taint, triage, lookahead, selection and GC, by contract",
	defaults: flags{seeds: 1, time: 5 * time.Second, jobs: 1},
	driven:   true,
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().BoolVar(&o.mutation, "mutation", false, "profile campaigns that make inputs by mutation, without what learns from executions")
	},
	matrix: func(o *options) (m matrix, err error) {
		if m.subjects, err = profiledSubjects(o); err != nil {
			return m, err
		}
		m.configs, m.own, err = o.perRevision(runProfile)
		if o.mutation && !o.print {
			m.configs, m.own = byMutation(m.configs, m.own)
		}
		return m, err
	},
	tables: profileTables,
}

// byMutation names configurations by how they make inputs, too.
func byMutation(names []string, own map[string]config) (list []string, named map[string]config) {
	named = map[string]config{}
	for _, name := range names {
		c := own[name]
		c.name += " by mutation"
		list, named[c.name] = append(list, c.name), c
	}
	return list, named
}

// runProfile runs a campaign, counts its distinct inputs and attributes its CPU
// time.
func runProfile(ctx context.Context, o *options, r run, p program) record {
	file, err := os.CreateTemp("", "leveret-bench-*.prof")
	if err != nil {
		return record{Failed: err.Error()}
	}
	defer os.Remove(file.Name())
	if err := file.Close(); err != nil {
		return record{Failed: err.Error()}
	}
	args := []string{"-cpu", o.cpu(), "-distinct", "-profile", file.Name()}
	if o.mutation {
		args = append(args, "-mutation")
	}
	rec := p.drive(ctx, o, r, 1, args...)
	if rec.Failed != "" || rec.Note != "" {
		return rec
	}
	if rec.Cost.Shares, err = attributeFile(file.Name()); err != nil {
		return record{Failed: err.Error()}
	}
	return rec
}

// A profiled is a contract whose campaign is profiled.
type profiled struct {
	file, contract string // relative to the root of the module; a generated maze has no file
	maze           string // size of the maze
	viaIR          bool   // compiled through the IR with the optimiser
}

const npmContracts = "solc/testdata/npm/contracts/"

// profiledContracts are small and large contracts, ones with many findings, and
// ones compiled through the IR.
var profiledContracts = []profiled{
	{file: "solc/testdata/npm/node_modules/canonical-weth/contracts/WETH9.sol", contract: "WETH9"},
	{file: npmContracts + "Token.sol", contract: "Token"},
	{file: npmContracts + "Nft.sol", contract: "Nft"},
	{file: npmContracts + "Shares.sol", contract: "Shares"},
	{file: npmContracts + "Timelock.sol", contract: "Timelock"},
	{file: npmContracts + "Pair.sol", contract: "Pair"},
	{file: npmContracts + "Crowdsale5.sol", contract: "Crowdsale5"},
	{file: npmContracts + "OldestCrowdsale.sol", contract: "OldestCrowdsale"},
	{file: npmContracts + "Council.sol", contract: "Council"},
	{file: "solc/testdata/npm/node_modules/@gnosis.pm/conditional-tokens-contracts/contracts/ConditionalTokens.sol", contract: "ConditionalTokens"},
	{file: "engine/testdata/Planted.sol", contract: "Stateful"},
	{maze: "small"},
	{maze: "large"},
	{maze: "small", viaIR: true},
	{file: npmContracts + "Token.sol", contract: "Token", viaIR: true},
	{file: npmContracts + "Council.sol", contract: "Council", viaIR: true},
}

// profiledSubjects writes the projects that the contracts need.
func profiledSubjects(o *options) (list []subject, err error) {
	for _, c := range profiledContracts {
		s := subject{file: c.file, contract: c.contract}
		switch {
		case c.maze != "":
			s, err = mazeSubject(o, c.maze, 1, c.viaIR)
		case c.viaIR:
			s, err = irSubject(o, s)
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// irSubject copies the folder of a contract of the npm packages to a project
// that compiles through the IR.
func irSubject(o *options, s subject) (subject, error) {
	root := filepath.Join(o.built, "via-ir")
	if err := writeProject(root, viaIR, fmt.Sprintf("src = \"contracts\"\nlibs = [\"node_modules\"]\nremappings = [\"@openzeppelin/contracts/=%s/@openzeppelin/contracts/\"]\nallow_paths = [%q]\n",
		absolute(filepath.Join(o.tools, "node_modules")), absolute(o.tools))); err != nil {
		return s, err
	}
	sources, err := filepath.Glob(filepath.Join(filepath.Dir(s.file), "*.sol"))
	if err != nil {
		return s, err
	}
	for _, source := range sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return s, err
		}
		if err := writeFile(filepath.Join(root, "contracts", filepath.Base(source)), string(text)); err != nil {
			return s, err
		}
	}
	s.label = s.contract + " via IR"
	s.file = filepath.Join(root, "contracts", filepath.Base(s.file))
	return s, nil
}

// profileTables prints a table for each revision.
func profileTables(o *options, all *records) (list []table) {
	for _, name := range all.configNames() {
		t := table{
			title: fmt.Sprintf("Where the CPU time goes at %s: medians of %d seeds, one worker, %g CPU seconds each", name, o.seeds, o.seconds),
			notes: all.notes(o, "Triage includes what it executes; execution is of inputs alone; solving makes inputs of taint runs and costs; selection is sources, mutation, learning, corpus and digests. Rates are per CPU second."),
		}
		t.header = append([]string{"contract", "findings", "inputs/s", "distinct/s", "tx/s"}, parts...)
		for _, contract := range all.contracts() {
			if runs := all.measuredOf(contract, name); len(runs) > 0 {
				t.rows = append(t.rows, profileRow(contract, runs))
			}
		}
		list = append(list, t)
	}
	return list
}

func profileRow(contract string, runs []record) []string {
	r := ratesOf(runs)
	found := median(figures(runs, func(r record) float64 { return float64(len(r.Findings)) }))
	row := []string{contract, number(found)}
	for _, rate := range []float64{r.inputs, r.distinct, r.transactions} {
		row = append(row, number(math.Round(rate)))
	}
	for _, part := range parts {
		share := median(figures(runs, func(r record) float64 { return r.Cost.Shares[part] }))
		row = append(row, fmt.Sprintf("%.1f %%", 100*share))
	}
	return row
}
