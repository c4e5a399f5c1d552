package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// stacks are the ends of stacks in campaigns, outermost frame first.
var stacks = []struct {
	part   string
	frames []string
}{
	{partExecution, []string{"leveret/engine.(*campaign).execute", "leveret/engine/search.Execute", "leveret/engine/exec.(*Executor).Run", "runtime.mallocgc"}},
	{partExecution, []string{"leveret/engine/search.(*Corpus).replay", "leveret/engine/exec.(*Executor).Transact"}},
	{partTaint, []string{"leveret/engine/solve.(*Solver).Learn", "leveret/engine/solve.(*Taint).run", "leveret/engine/exec.(*Executor).Transact", "leveret/engine/evm.(*Machine).Execute"}},
	{partTriage, []string{"leveret/engine.(*campaign).learn", "leveret/engine/triage.(*Triage).Learn", "leveret/engine/exec.(*Executor).Transact", "leveret/engine/shadow.(*Observer).step"}},
	{partTriage, []string{"leveret/engine/replay.Shrink", "leveret/engine/oracle.(*Monitor).Finish"}},
	{partLookahead, []string{"leveret/engine.(*strategy).learn", "leveret/engine/direct.(*Lookahead).Learn", "leveret/engine/exec.(*Executor).Transact"}},
	{partSelection, []string{"leveret/engine.(*campaign).loop", "leveret/engine/search.(*Generator).Vary", "leveret/engine/mutate.Mutate"}},
	{partSelection, []string{"leveret/engine/solve.(*Solver).Next", "leveret/engine/cover.(*Map).BranchSite"}},
	{partSelection, []string{"leveret/engine/direct.(*Guide).Guides"}},
	{partSelection, []string{"leveret/engine.(*worker).execute", "leveret/engine/exec.(*Executor).Prepare", "leveret/engine/exec.(*Executor).skipKnown", "leveret/engine/input.DigestTx"}},
	{partSolving, []string{"leveret/engine.(*worker).execute", "leveret/engine/solve.(*Jointly).Next", "leveret/engine/joint.(*Problem).Solve"}},
	{partSolving, []string{"leveret/engine.(*strategy).learn", "leveret/engine/solve.(*Solver).solve", "leveret/engine/solve.(*proposals).flip", "leveret/engine/input.Set"}},
	{partGC, []string{"runtime.gcBgMarkWorker", "runtime.gcDrain"}},
	{partGC, []string{"leveret/engine/exec.(*Executor).Run", "runtime.mallocgc", "runtime.gcAssistAlloc", "runtime.gcDrainN"}},
	{partOther, []string{"leveret/engine.newCampaign", "leveret/engine/deploy.New", "leveret/engine/evm.(*Machine).Execute"}},
	{partOther, []string{"leveret/engine.(*campaign).notifyProgress", "leveret/engine/coverage.(*Counter).Exploration"}},
	{partOther, []string{"runtime.mcall", "runtime.schedule"}},
	{partOther, nil},
}

func TestPartOf(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range stacks {
		seen[s.part] = true
		if got := partOf(s.frames); got != s.part {
			t.Errorf("%v is %s, want %s", s.frames, got, s.part)
		}
	}
	for _, part := range parts {
		if !seen[part] {
			t.Errorf("no stack is %s", part)
		}
	}
}

// synthetic makes a profile of one sample of each stack, the nth with a weight
// of n. Each stack has two frames in one location, as inlined calls have.
func synthetic() *profile.Profile {
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}}
	for n, s := range stacks {
		sample := &profile.Sample{Value: []int64{1, int64(n + 1)}}
		for i := len(s.frames) - 1; i >= 0; i -= 2 {
			location := &profile.Location{Line: []profile.Line{{Function: &profile.Function{Name: s.frames[i]}}}}
			if i > 0 {
				location.Line = append(location.Line, profile.Line{Function: &profile.Function{Name: s.frames[i-1]}})
			}
			sample.Location = append(sample.Location, location)
		}
		p.Sample = append(p.Sample, sample)
	}
	return p
}

func TestAttribute(t *testing.T) {
	want, total := map[string]float64{}, 0.0
	for n, s := range stacks {
		want[s.part] += float64(n + 1)
		total += float64(n + 1)
	}
	got, err := attribute(synthetic())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if math.Abs(got[part]-want[part]/total) > 1e-9 {
			t.Errorf("%s: %v, want %v", part, got[part], want[part]/total)
		}
	}
	for _, bad := range []*profile.Profile{
		{SampleType: []*profile.ValueType{{Type: "alloc_space"}}},
		{SampleType: []*profile.ValueType{{Type: "cpu"}}},
	} {
		if _, err := attribute(bad); err == nil {
			t.Error("a profile without CPU time is attributed")
		}
	}
}

// earlier are the rules for code that only earlier revisions may have.
var earlier = []string{"leveret/engine.(*campaign).notify"}

// Each other rule for the engine names a package, and the type or the beginning of a
// function, that exists: renaming one without its rule would move its time.
func TestAttributionNamesCode(t *testing.T) {
	for _, group := range attribution {
		for _, r := range group {
			rest, ours := strings.CutPrefix(r.prefix, "leveret/")
			if !ours || slices.Contains(earlier, r.prefix) {
				continue
			}
			dir, name := rest, ""
			if i := strings.IndexByte(rest, '.'); i >= 0 {
				dir, name = rest[:i], rest[i+1:]
			}
			if !declares(t, filepath.Join("../..", dir), name) {
				t.Errorf("nothing is named %s", r.prefix)
			}
		}
	}
}

// declares reports whether a package has a function whose name in profiles
// begins with a prefix.
func declares(t *testing.T, dir, prefix string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(profileName(f), prefix) {
				return true
			}
		}
	}
	return false
}

// profileName is the name of a function in profiles, without its package.
func profileName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	switch receiver := f.Recv.List[0].Type.(type) {
	case *ast.StarExpr:
		if name, ok := receiver.X.(*ast.Ident); ok {
			return "(*" + name.Name + ")." + f.Name.Name
		}
	case *ast.Ident:
		return receiver.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// Each package of the engine that a campaign uses is in the table.
func TestAttributionIsComplete(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "leveret/engine").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	known := 0
	for _, name := range packages {
		if name != "leveret/engine" && !strings.HasPrefix(name, "leveret/engine/") {
			continue
		}
		known++
		if part := partOf([]string{name + ".f"}); part == partOther && name != "leveret/engine/deploy" {
			t.Errorf("%s is in no rule", name)
		}
	}
	if known < 10 {
		t.Errorf("the engine has %d packages", known)
	}
}
