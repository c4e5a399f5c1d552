package triage

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"leveret/engine/attack"
	"leveret/engine/oracle"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/engine/solve"
	"leveret/solc"
	"leveret/solc/compiler"
)

// hintedInputs is how many inputs of each contract are checked, with or without a
// hint.
const hintedInputs = 400

// Whatever an oracle reports about the last transaction of an input, its Hint
// tells from the run without oracles.
func TestHints(t *testing.T) {
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	shown := map[*oracle.Oracle]int{}
	for _, o := range oracle.All {
		files, err := filepath.Glob("../oracle/testdata/" + o.Name + "/hit_*.sol")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b := searchtest.CompileWith(t, tools, file)
			for _, c := range b.Contracts {
				if c.Unfuzzable() == "" {
					checkHints(t, b, c.Name, shown)
				}
			}
		}
	}
	for _, o := range oracle.All {
		t.Logf("%s: %d times", o.Name, shown[o])
	}
	if len(shown) < len(oracle.All)/2 {
		t.Errorf("only %d oracles reported anything", len(shown))
	}
}

// checkHints searches a contract and has the oracles check every input. It counts
// the reports in shown.
func checkHints(t *testing.T, b *solc.Build, name string, shown map[*oracle.Oracle]int) {
	d := searchtest.New(t, b, name, 1)
	checker, err := NewChecker(d.Subject, d.Replayer, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	check := func(r *search.Result) {
		if !r.Real() {
			return
		}
		for _, v := range checker.Check(r.Sequence) {
			if _, properties := checker.of(v.key); len(properties) > 0 || v.tx != len(r.Sequence.Txs)-1 {
				continue
			}
			shown[v.Oracle()]++
			if !slices.Contains(checker.hints.of(r), v.Oracle()) {
				t.Errorf("%s, input %d: no hint at %s: %s", name, d.Progress.Inputs, v.Oracle().Name, v.report.Message)
			}
		}
	}
	solving := solve.New(d.Search, nil, d.Replayer, time.Now, solve.Options{})
	scripts, deposits := attack.New(d.Search, nil, solving.Solver, search.Privileged(d.Subject.Deployment.Record), false)
	sources := []func() *search.Candidate{solving.Solver.Next, solving.Overwrite.Next, scripts.Next, deposits.Next}
	next := func() *search.Candidate {
		if c := solving.Predictions.Next(); c != nil {
			return c
		}
		if c := scripts.Planned(); c != nil {
			return c
		}
		if i := d.Generator.Random.IntN(2 * len(sources)); i < len(sources) && d.Queue.Len() == 0 {
			if c := sources[i](); c != nil {
				return c
			}
		}
		return d.Next()
	}
	d.Seed()
	d.Run(hintedInputs, next, check, solving.Solver.Learn, solving.Overwrite.Learn, scripts.Learn, solving.Predictions.Learn)
}
