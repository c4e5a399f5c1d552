package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
)

// mazes are the running example of the lookahead paper [III], its commented
// variant, and that without small values; the last assertion of each fails.
var mazes = []struct{ contract, file string }{
	{"LoopMaze", ""}, {"LoopMazeHard", ""}, {"LoopMazeLarge", "engine/bench/testdata/LoopMazeLarge.sol"},
}

var mazeExperiment = experiment{
	name: "maze", short: "what lookahead brings on its paper's example, with the assertion as the target and without",
	defaults: flags{seeds: 24, time: 20 * time.Second, inputs: 60000},
	extra: func(cmd *cobra.Command, o *options) {
		cmd.Flags().StringVar(&o.cases, "cases", "cases", "folder with LoopMaze.sol")
	},
	matrix: func(o *options) (matrix, error) {
		m := matrix{configs: []string{"off", "B", "aimed"}}
		for _, maze := range mazes {
			file := maze.file
			if file == "" {
				file = filepath.Join(o.cases, "LoopMaze.sol")
			}
			line, err := lastAssertion(file, maze.contract)
			if err != nil {
				return m, err
			}
			m.subjects = append(m.subjects, subject{
				file: file, contract: maze.contract, label: maze.contract,
				args:  []string{"--oracles", "assertion", "--stop-on-first"},
				aimed: []string{"--lines", fmt.Sprintf("%s:%d", file, line)},
			})
		}
		return m, nil
	},
	tables: mazeTables,
}

// lastAssertion returns the line of the last assertion of a contract.
func lastAssertion(file, contract string) (line int, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	inside, number := false, 0
	for l := range bytes.Lines(text) {
		number++
		if bytes.HasPrefix(l, []byte("contract ")) {
			inside = bytes.HasPrefix(l, []byte("contract "+contract+" "))
		}
		if inside && bytes.Contains(l, []byte("assert(")) {
			line = number
		}
	}
	if line == 0 {
		return 0, fmt.Errorf("%s: %s asserts nothing", file, contract)
	}
	return line, nil
}

func mazeTables(o *options, all *records) []table {
	t := table{
		title:  fmt.Sprintf("The paper's example: medians of %d seeds, %s at most", o.seeds, o.budget()),
		notes:  all.notes(o, "p and A12 (chance that the run named needs fewer) are of inputs, against the run without lookahead."),
		header: []string{"case", "run", "found", "inputs", "off / it", "seconds", "off / it", "p", "A12"},
	}
	wants := func(f finding) bool { return f.Oracle == "assertion" }
	for _, maze := range mazes {
		offSeconds, off, _ := searches(all.of(maze.contract, "off"), o.time.Seconds(), wants)
		for _, name := range []string{"off", "B", "aimed"} {
			list := all.of(maze.contract, name)
			if len(list) == 0 {
				continue
			}
			seconds, inputs, found := searches(list, o.time.Seconds(), wants)
			t.rows = append(t.rows, []string{
				maze.contract, configs[name].says, fmt.Sprintf("%d/%d", found, len(list)),
				number(median(inputs)), number(median(off) / median(inputs)),
				number(median(seconds)), number(median(offSeconds) / median(seconds)),
				probability(mannWhitney(off, inputs)), number(smaller(inputs, off)),
			})
		}
	}
	return []table{t}
}
