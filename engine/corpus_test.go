package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leveret/engine/corpus"
	"leveret/engine/finding"
)

// lineOf returns the 1-based number of the first line that contains a text.
func lineOf(t *testing.T, text []byte, part string) int {
	t.Helper()
	for i, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, part) {
			return i + 1
		}
	}
	t.Fatalf("no line has %q", part)
	return 0
}

func TestCoverage(t *testing.T) {
	b := compile(t, "testdata/Coverage.sol")
	told := 0
	r := run(t, b, "Explored", Options{MaxInputs: 1000, Seed: 1, Observe: func(e Event) {
		if e.Kind == EventDone && e.Explored != nil {
			told++
		}
	}})
	if told != 1 || r.Coverage == nil || len(r.Coverage.Files) != 1 {
		t.Fatalf("%d final events: %+v", told, r.Coverage)
	}
	file := r.Coverage.Files[0]
	text := b.Contracts[0].Build.Source(file.File).Text
	for _, row := range []struct {
		part string
		ran  bool
	}{
		{"require(x < 1000", true}, {"total += x", true}, {"if (keccak256", true}, {"total = 0", false},
	} {
		line := lineOf(t, text, row.part)
		covered, found := finding.LineCoverage{}, false
		for _, l := range file.Lines {
			if l.Line == line {
				covered, found = l, true
			}
		}
		if !found || covered.Total == 0 || (covered.Hits > 0) != row.ran || (covered.Covered > 0) != row.ran || covered.Covered > covered.Total || covered.Hits > 1000 {
			t.Errorf("%q: %+v, ran %v", row.part, covered, row.ran)
		}
	}
	arms := map[int]*finding.BranchCoverage{}
	for i := range file.Branches {
		arms[file.Branches[i].Line] = &file.Branches[i]
	}
	if b := arms[lineOf(t, text, "require(x < 1000")]; b == nil || b.Taken() != 2 {
		t.Errorf("the modifier's branch: %+v", b)
	}
	missed := arms[lineOf(t, text, "if (keccak256")]
	if missed == nil || missed.Taken() != 1 {
		t.Fatalf("the uncovered branch: %+v", missed)
	}
	for _, arm := range missed.Outcomes {
		if arm.Taken == arm.Near || arm.Near && arm.Distance.IsZero() {
			t.Errorf("arm %+v", arm)
		}
	}
	if len(arms) != 2 {
		t.Errorf("branches on %d lines, want the author's 2: %+v", len(arms), file.Branches)
	}
	inputs := 0
	for _, f := range r.Coverage.Functions {
		if f.Paths == 0 || f.Inputs < f.Paths {
			t.Errorf("%s: %d paths of %d inputs", f.Function.Signature, f.Paths, f.Inputs)
		}
		inputs += f.Inputs
	}
	if len(r.Coverage.Functions) != 3 || inputs > r.Stats.Inputs {
		t.Errorf("%d functions, %d of %d inputs", len(r.Coverage.Functions), inputs, r.Stats.Inputs)
	}
}

// The corpus is saved while the campaign runs: killing it loses a second.
func TestCorpusIsSavedMeanwhile(t *testing.T) {
	b := compile(t, "testdata/Coverage.sol")
	dir := t.TempDir()
	now := time.Unix(0, 0)
	meanwhile := 0
	_ = run(t, b, "Explored", Options{MaxInputs: 3000, Seed: 1, Corpus: dir,
		Now: func() time.Time { now = now.Add(10 * time.Millisecond); return now },
		Observe: func(e Event) {
			if e.Kind != EventProgress || meanwhile > 0 {
				return
			}
			// A save is due each second, and writes beside the campaign.
			for range 1000 {
				if meanwhile = inCorpus(t, filepath.Join(dir, "Explored.corpus")); meanwhile > 0 || now.Before(time.Unix(2, 0)) {
					return
				}
				time.Sleep(time.Millisecond)
			}
		}})
	if meanwhile == 0 {
		t.Error("nothing was saved before the end")
	}
	names, err := filepath.Glob(filepath.Join(dir, "[^.]*"))
	if err != nil || len(names) != 1 {
		t.Errorf("left behind: %v, %v", names, err)
	}
}

// A campaign that ends before it executed the saved corpus keeps all of it.
func TestCorpusOutlivesShortCampaigns(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	dir := t.TempDir()
	count := func() int { return inCorpus(t, filepath.Join(dir, "Stateful.corpus")) }
	run(t, b, "Stateful", Options{MaxInputs: 3000, Seed: 1, Corpus: dir})
	long := count()
	run(t, b, "Stateful", Options{MaxInputs: 1, Seed: 2, Corpus: dir})
	if short := count(); long < 3 || short < long {
		t.Errorf("%d inputs after a long campaign, %d after a short one", long, short)
	}
}

// A corpus that cannot be saved does not affect the findings.
func TestUnsavableCorpus(t *testing.T) {
	b := compile(t, "testdata/Coverage.sol")
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := contract(t, b, "Explored")
	r, err := Run(t.Context(), c, b.Contracts, Options{MaxInputs: 300, Seed: 1, Corpus: filepath.Join(blocked, "corpus")})
	if err == nil || r == nil || r.Stats.Inputs < 300 {
		t.Errorf("result %+v, error %v", r, err)
	}
}

// inCorpus counts the inputs in a corpus file.
func inCorpus(t *testing.T, path string) int {
	t.Helper()
	inputs, err := corpus.Open(path, func([]byte) bool { return true }).Load()
	if err != nil {
		t.Fatal(err)
	}
	return len(inputs)
}
