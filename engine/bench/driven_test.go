package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// needTools skips a test where `make tools` has not run.
func needTools(t *testing.T) {
	t.Helper()
	_, err := os.Stat(filepath.Join(testTools, "node_modules", ".package-lock.json"))
	solctest.Need(t, err == nil, "the compilers and the real contracts are not installed; run make tools")
}

// driverOptions builds the driver, in the root of the module.
func driverOptions(t *testing.T) *options {
	t.Helper()
	needTools(t)
	t.Chdir("../..")
	o := &options{flags: flags{tools: "solc/testdata/npm", list: "solc/testdata/npm/real.txt", seeds: 1, jobs: 1}, driven: driven{seconds: 1, built: t.TempDir()}}
	if err := o.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	return o
}

// The driver runs as many inputs as it is told to, repeats them to count those
// that differ, and writes a profile whose time is attributed.
func TestDriver(t *testing.T) {
	o := driverOptions(t)
	r := run{key: key{Seed: 3}, subject: subject{file: "engine/testdata/Planted.sol", contract: "Stateful"}}
	first := o.programs[0].drive(t.Context(), o, r, 1, "-inputs", "6000", "-distinct")
	if first.Failed != "" || first.Stats.Inputs != 6000 || first.Cost.CPU <= 0 {
		t.Fatalf("%+v %+v", first, first.Cost)
	}
	if d := first.Cost.Distinct; d < 10 || d > 6000 {
		t.Errorf("%d distinct inputs", d)
	}
	if !slices.ContainsFunc(first.Findings, func(f finding) bool { return f.Oracle == "assertion" && f.File == "Planted.sol" && f.Line > 0 }) {
		t.Errorf("the assertion is not found: %+v", first.Findings)
	}
	second := o.programs[0].drive(t.Context(), o, r, 1, "-inputs", "6000", "-distinct")
	if second.Cost == nil || second.Cost.Distinct != first.Cost.Distinct || second.Stats.Transactions != first.Stats.Transactions {
		t.Errorf("one seed gives %+v and %+v", first, second)
	}
	file := filepath.Join(t.TempDir(), "cpu.prof")
	if long := o.programs[0].drive(t.Context(), o, r, 1, "-cpu", "1s", "-profile", file); long.Failed != "" { // a hundred samples
		t.Fatal(long.Failed)
	}
	shares, err := attributeFile(file)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, share := range shares {
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 || shares[partExecution] == 0 {
		t.Errorf("shares %v", shares)
	}
}

// A budget of CPU time ends a campaign, and inputs until then are the beginning
// of what a budget of inputs gives.
func TestDriverCPUBudget(t *testing.T) {
	o := driverOptions(t)
	r := run{key: key{Seed: 1}, subject: subject{file: "engine/testdata/Planted.sol", contract: "Stateful"}}
	limited := o.programs[0].drive(t.Context(), o, r, 1, "-cpu", "300ms", "-distinct")
	if limited.Failed != "" || limited.Stats.Inputs == 0 || limited.Cost.CPU < 0.3 {
		t.Fatalf("%+v %+v", limited, limited.Cost)
	}
	again := o.programs[0].drive(t.Context(), o, r, 1, "-inputs", fmt.Sprint(limited.Stats.Inputs))
	if again.Failed != "" || again.Stats.Transactions != limited.Stats.Transactions || again.Stats.Paths != limited.Stats.Paths {
		t.Errorf("%+v, then %+v", limited.Stats, again.Stats)
	}
	for _, args := range [][]string{nil, {"-inputs", "9", "-workers", "2", "-distinct"}} {
		if rec := o.programs[0].drive(t.Context(), o, r, 1, args...); rec.Failed == "" {
			t.Errorf("the driver accepts %v", args)
		}
	}
}

// A tree without a driver gets every source of ours, and no test.
func TestOverlay(t *testing.T) {
	t.Chdir("../..")
	tree := t.TempDir()
	file, err := writeOverlay(tree)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var overlay struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &overlay); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"engine/bench/driver/main.go", "engine/bench/subject/subject.go"} {
		if got := overlay.Replace[filepath.Join(tree, source)]; got != absolute(source) {
			t.Errorf("%s is replaced by %q", source, got)
		}
	}
	for to := range overlay.Replace {
		if strings.HasSuffix(to, "_test.go") {
			t.Errorf("the overlay has %s", to)
		}
	}
}

func TestDriverOutcomesAreDecoded(t *testing.T) {
	rec, err := decodeDriven([]byte(`{"stats":{"inputs":7,"transactions":9,"firsts":[{"pc":5,"seconds":0.5}]},"cpu":1.5,"distinct":4,
		"findings":[{"id":"x","oracle":"assertion","severity":"error","file":"A.sol","line":3,"function":"f()","inputs":2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := finding{ID: "x", Oracle: "assertion", Severity: "error", File: "A.sol", Line: 3, Function: "f()", Inputs: 2}
	if rec.Stats.Transactions != 9 || rec.Stats.Firsts[0].PC != 5 || rec.Cost.CPU != 1.5 || rec.Cost.Distinct != 4 || !slices.Equal(rec.Findings, []finding{want}) {
		t.Errorf("%+v %+v", rec, rec.Cost)
	}
	if _, err := decodeDriven([]byte("driver: no")); err == nil {
		t.Error("a message is an outcome")
	}
}

// drivenRecord is a record with a cost.
func drivenRecord(contract, config string, seed, inputs, transactions int, c cost) record {
	r := record{key: key{contract, config, seed}, Cost: &c}
	r.Stats.Inputs, r.Stats.Transactions = inputs, transactions
	return r
}

// cells returns the cells of the row of a table that begins with a name.
func cells(t *testing.T, list []table, name string) []string {
	t.Helper()
	for _, table := range list {
		for _, row := range table.rows {
			if row[0] == name {
				if len(row) != len(table.header) {
					t.Errorf("row %v has not the columns %v", row, table.header)
				}
				return row
			}
		}
	}
	t.Fatalf("no row %s", name)
	return nil
}

// The ratios of campaigns are of the last revision to the first; a run that
// failed is in no summary.
func TestCampaignsTables(t *testing.T) {
	all := &records{list: []record{
		drivenRecord("X", "old", 1, 100, 400, cost{CPU: 2, Distinct: 50}),
		drivenRecord("X", "new", 1, 300, 900, cost{CPU: 1, Distinct: 100}),
		drivenRecord("Y", "old", 1, 100, 100, cost{CPU: 1, Distinct: 100}),
		drivenRecord("Y", "new", 1, 150, 120, cost{CPU: 1, Distinct: 150}),
		drivenRecord("Z", "old", 1, 100, 100, cost{CPU: 1, Distinct: 100}),
		{key: key{"Z", "new", 1}, Failed: "panic: no"},
	}}
	list := campaignsTables(&options{flags: flags{seeds: 1}}, all)
	for name, want := range map[string][]string{
		"X":      {"X", "25", "50 %", "200", "100", "67 %", "900", "4", "4.50"},
		"median": {"median", "", "", "", "", "", "", "2.75", "2.85"},
		"worst":  {"worst", "", "", "", "", "", "", "1.50", "1.20"},
	} {
		if got := cells(t, list, name); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestProfileTables(t *testing.T) {
	all := &records{list: []record{
		drivenRecord("X", "r", 1, 100, 400, cost{CPU: 2, Distinct: 50, Shares: map[string]float64{partExecution: 0.5, partTriage: 0.25, partGC: 0.25}}),
		drivenRecord("X", "r", 2, 200, 400, cost{CPU: 2, Distinct: 50, Shares: map[string]float64{partExecution: 0.7, partTriage: 0.05, partGC: 0.25}}),
	}}
	want := []string{"X", "0", "75", "25", "200", "60.0 %", "0.0 %", "0.0 %", "15.0 %", "0.0 %", "0.0 %", "25.0 %", "0.0 %"}
	if got := cells(t, profileTables(&options{}, all), "X"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// The last block of a comparison is the last that all runs covered.
func TestWorkersTables(t *testing.T) {
	one := drivenRecord("X", "r/1", 1, 1000, 1000, cost{CPU: 2, Load: 0.5})
	one.Stats.Seconds, one.Stats.Firsts = 2, []first{{PC: 1, Seconds: 0.1}, {PC: 2, Seconds: 0.8}, {PC: 3, Seconds: 1.9}}
	two := drivenRecord("X", "r/2", 1, 1800, 1700, cost{CPU: 4, Load: 1.5})
	two.Stats.Seconds, two.Stats.Firsts = 2, []first{{PC: 2, Seconds: 0.4}, {PC: 1, Seconds: 0.3}, {PC: 4, Seconds: 2}}
	apart := drivenRecord("X", "r/1+1", 1, 1900, 1600, cost{CPU: 4, Load: 1})
	apart.Stats.Seconds = 2
	long := drivenRecord("X", "r/1 twice", 1, 1500, 1500, cost{CPU: 4, Load: 1})
	long.Stats.Seconds = 4
	one.Stats.Work, two.Stats.Work, apart.Stats.Work = 1000, 1750, 1850
	list := workersTables(&options{}, &records{list: []record{one, two, long, apart}})
	want := []string{"X", "500", "900", "1.80", "2.40", "1.90", "1.70", "1.60", "1.75", "1.85", "2", "0.80", "0.40", "2"}
	if got := cells(t, list, "X"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if !strings.Contains(list[0].notes[0], "0.50 to 1.50") {
		t.Errorf("the notes lack the load: %v", list[0].notes)
	}
}

// Contracts have names of their own in results, and those of the list exist.
func TestProfiledContracts(t *testing.T) {
	o := driverOptionsWithoutDriver(t)
	list, err := profiledSubjects(o)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, s := range list {
		if names[s.name()] {
			t.Errorf("two contracts are %s", s.name())
		}
		names[s.name()] = true
		if _, err := os.Stat(s.file); err != nil {
			t.Error(err)
		}
	}
}

func driverOptionsWithoutDriver(t *testing.T) *options {
	t.Helper()
	needTools(t)
	t.Chdir("../..")
	return &options{flags: flags{tools: "solc/testdata/npm"}, driven: driven{built: t.TempDir()}}
}
