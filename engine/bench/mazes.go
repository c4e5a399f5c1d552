package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/bench/maze"
)

// The mazes experiment counts the assertions that are found in generated
// contracts, by campaigns and by forge's invariant tests, in equal CPU time.
var mazesExperiment = experiment{
	name: "mazes", short: "distinct assertions found in generated mazes, beside forge, in equal CPU time",
	defaults: flags{seeds: 1, time: 10 * time.Second, jobs: 1},
	driven:   true,
	matrix: func(o *options) (m matrix, err error) {
		for _, size := range maze.SizeNames() {
			for seed := range uint64(mazesOfSize) {
				s, err := mazeSubject(o, size, seed+1, false)
				if err != nil {
					return m, err
				}
				m.subjects = append(m.subjects, s)
			}
		}
		if m.configs, m.own, err = o.perRevision(runMaze); err != nil {
			return m, err
		}
		for _, c := range forgeConfigs {
			if !slices.Contains(m.configs, c.name) {
				m.configs = append(m.configs, c.name)
			}
			m.own[c.name] = config{name: c.name, execute: c.run}
		}
		return m, nil
	},
	tables: mazesTables,
}

// mazesOfSize is how many mazes of a size there are.
const mazesOfSize = 2

// mazeContract is the name of generated contracts.
const mazeContract = "Maze"

// mazeSubject generates a maze and writes it to a project of its own.
func mazeSubject(o *options, size string, seed uint64, ir bool) (subject, error) {
	name, s := fmt.Sprintf("maze-%s-%d", size, seed), plainSettings
	if ir {
		name, s = name+"-via-ir", viaIR
	}
	root := filepath.Join(o.built, name)
	if err := writeProject(root, s, ""); err != nil {
		return subject{}, err
	}
	text, _ := maze.New(seed, maze.Sizes[size]).Source(maze.Style{Contract: mazeContract})
	file := filepath.Join(root, "src", mazeContract+".sol")
	return subject{file: file, contract: mazeContract, label: name, maze: &mazeKey{size, seed}}, writeFile(file, text)
}

// A mazeKey is what a maze is generated from.
type mazeKey struct {
	size string
	seed uint64
}

func (k mazeKey) generate() *maze.Maze { return maze.New(k.seed, maze.Sizes[k.size]) }

// runMaze runs a campaign with all oracles and lists the assertions among its
// findings.
func runMaze(ctx context.Context, o *options, r run, p program) record {
	rec := p.drive(ctx, o, r, 1, "-cpu", o.cpu())
	if rec.Failed != "" {
		return rec
	}
	_, lines := r.subject.maze.generate().Source(maze.Style{Contract: mazeContract})
	rec.Cost.Assertions = assertionsAt(lines, rec.Findings)
	return rec
}

// assertionsAt lists the assertions that are found, by the lines that they are
// on.
func assertionsAt(lines []int, list []finding) (ids []int) {
	for _, f := range list {
		if id := slices.Index(lines, f.Line); f.Oracle == "assertion" && id >= 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// mazesTables has a row for each maze and their sum. Ratios are of the last
// revision.
func mazesTables(o *options, all *records) []table {
	names := all.configNames()
	measured := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return isForge(name) })
	t := table{
		title:  fmt.Sprintf("Distinct assertions found in mazes: medians of %d seeds, %g CPU seconds each", o.seeds, o.seconds),
		notes:  all.notes(o, "All assertions can fail. What forge is told to do is in engine/bench/forge.go."),
		header: append([]string{"maze", "assertions"}, names...),
	}
	sums := make([]float64, len(names))
	for _, s := range mazeRows(all) {
		row := []string{s.label, fmt.Sprint(len(s.maze.generate().Witnesses))}
		for i, name := range names {
			found := median(figures(all.measuredOf(s.label, name), func(r record) float64 { return float64(len(r.Cost.Assertions)) }))
			sums[i] += found
			row = append(row, number(found))
		}
		t.rows = append(t.rows, row)
	}
	row := []string{"all", ""}
	for _, sum := range sums {
		row = append(row, number(sum))
	}
	t.rows = append(t.rows, row)
	if len(measured) > 0 {
		last := sums[slices.Index(names, measured[len(measured)-1])]
		row := []string{measured[len(measured)-1] + " / it", ""}
		for _, sum := range sums {
			row = append(row, number(last/sum))
		}
		t.rows = append(t.rows, row)
	}
	return []table{t}
}

// mazeRows are the mazes that have records.
func mazeRows(all *records) (list []subject) {
	contracts := all.contracts()
	for _, size := range maze.SizeNames() {
		for seed := range uint64(mazesOfSize) {
			s := subject{label: fmt.Sprintf("maze-%s-%d", size, seed+1), maze: &mazeKey{size, seed + 1}}
			if slices.Contains(contracts, s.label) {
				list = append(list, s)
			}
		}
	}
	return list
}
