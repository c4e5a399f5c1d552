package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"leveret/engine/bench/forge"
	"leveret/engine/bench/maze"
)

// Only assertions of the maze count, each once.
func TestAssertionsAt(t *testing.T) {
	list := []finding{{Oracle: "assertion", Line: 30}, {Oracle: "assertion", Line: 10}, {Oracle: "assertion", Line: 30}, {Oracle: "overflow", Line: 20}, {Oracle: "assertion", Line: 11}}
	if got := assertionsAt([]int{10, 20, 30}, list); !slices.Equal(got, []int{0, 2}) {
		t.Errorf("%v", got)
	}
}

func TestMazesTables(t *testing.T) {
	found := func(n int) cost { return cost{CPU: 1, Assertions: make([]int, n)} }
	all := &records{list: []record{
		drivenRecord("maze-small-1", "old", 1, 0, 0, found(10)), drivenRecord("maze-small-1", "new", 1, 0, 0, found(40)),
		drivenRecord("maze-small-1", "forge", 1, 0, 0, found(8)),
		drivenRecord("maze-large-2", "old", 1, 0, 0, found(20)), drivenRecord("maze-large-2", "new", 1, 0, 0, found(20)),
		drivenRecord("maze-large-2", "forge", 1, 0, 0, found(7)),
	}}
	list := mazesTables(&options{}, all)
	for _, want := range [][]string{{"all", "", "30", "60", "15"}, {"new / it", "", "2", "1", "4"}} {
		if got := cells(t, list, want[0]); !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
	if got := cells(t, list, "maze-small-1"); !slices.Equal(got[2:], []string{"10", "40", "8"}) || got[1] == "0" {
		t.Errorf("%v", got)
	}
}

func TestForgeCalls(t *testing.T) {
	calls, err := forgeCalls([]byte(`{"a":{"test_results":{"invariant_none()":{"status":"Success","kind":{"Invariant":{"runs":2,"calls":1000}}}}}}`))
	if err != nil || calls != 1000 {
		t.Errorf("%d calls, %v", calls, err)
	}
	if _, err := forgeCalls([]byte(`{"a":{"test_results":{"invariant_none()":{"status":"Failure","reason":"panic","kind":{"Invariant":{"calls":3}}}}}}`)); err == nil {
		t.Error("a failed test has calls")
	}
	if _, err := forgeCalls([]byte("Error: no")); err == nil {
		t.Error("an error has calls")
	}
}

// Campaigns and forge find assertions of the smallest maze in a second, and only
// ones that it has.
func TestMazesAreSearched(t *testing.T) {
	o := driverOptions(t)
	s, err := mazeSubject(o, maze.SizeNames()[0], 1, false)
	if err != nil {
		t.Fatal(err)
	}
	r := run{key: key{s.name(), "", 1}, subject: s}
	searches := map[string]func() record{
		"leveret": func() record { return runMaze(t.Context(), o, r, o.programs[0]) },
	}
	if _, err := os.Stat(forge.Path(o.tools)); err == nil {
		searches["forge"] = func() record { return forgeConfigs[1].run(context.Background(), o, r) }
	} else if os.Getenv("LEVERET_REQUIRE_ALL") == "1" {
		t.Error("forge is not installed; run make tools")
	}
	assertions := len(s.maze.generate().Witnesses)
	for name, search := range searches {
		rec := search()
		if rec.Failed != "" {
			t.Errorf("%s: %s", name, rec.Failed)
			continue
		}
		ids := rec.Cost.Assertions
		if len(ids) == 0 || ids[0] < 0 || ids[len(ids)-1] >= assertions || !slices.IsSorted(ids) {
			t.Errorf("%s finds %v of %d assertions", name, ids, assertions)
		}
		t.Logf("%s: %d of %d assertions in %.2f CPU seconds", name, len(ids), assertions, rec.Cost.CPU)
	}
}

// What surely fails is confirmed although other oracles have as many suspects.
func TestAssertionsOfLargeMaze(t *testing.T) {
	o := driverOptions(t)
	s, err := mazeSubject(o, "large", 1, false)
	if err != nil {
		t.Fatal(err)
	}
	rec := o.programs[0].drive(t.Context(), o, run{key: key{s.name(), "", 1}, subject: s}, 1, "-inputs", "30000")
	_, lines := s.maze.generate().Source(maze.Style{Contract: mazeContract})
	found, assertions := len(assertionsAt(lines, rec.Findings)), len(s.maze.generate().Witnesses)
	t.Logf("%d of %d assertions", found, assertions)
	if rec.Failed != "" || found < assertions*7/10 {
		t.Errorf("%d of %d assertions, %s", found, assertions, rec.Failed)
	}
}

// A project that is written twice is the same: a maze depends on its seed alone.
func TestMazeSubject(t *testing.T) {
	read := func(seed uint64) string {
		o := &options{driven: driven{built: t.TempDir()}}
		s, err := mazeSubject(o, "small", seed, true)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(s.file)
		if err != nil {
			t.Fatal(err)
		}
		config, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(s.file)), "foundry.toml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + string(config)
	}
	first, again, other := read(1), read(1), read(2)
	if first != again || first == other {
		t.Error("the source does not depend on the seed alone")
	}
}
