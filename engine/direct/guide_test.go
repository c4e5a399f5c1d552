package direct

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/deploy"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// names lists the names of functions.
func names(list []deploy.Callee) string {
	var names []string
	for _, callee := range list {
		names = append(names, callee.Function.Name)
	}
	return strings.Join(names, " ")
}

// A guide knows the functions that can reach the target, those that may help,
// and the branches on the way to the target.
func TestGuide(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	if got := names(d.guide.callees); got != "direct through" {
		t.Errorf("%s can reach the target", got)
	}
	if got := names(d.guide.helpful); got != "direct elsewhere through" {
		t.Errorf("%s may help", got)
	}
	for _, callee := range d.Subject.Callees {
		tx := input.Tx{From: input.Deployer, To: callee.Address, Function: callee.Function}
		if got := d.guide.Irrelevant(&tx); got != (callee.Function.Name == "looks") {
			t.Errorf("%s is irrelevant: %v", callee.Function.Name, got)
		}
	}
	for _, row := range []struct {
		text            string
		leads, relevant bool
	}{
		{"x == 1", true, true}, {"x == 2", true, true}, {"x == 3", false, false}, {"x == 4", false, false},
		{"x == 5", false, true}, // comes after the target
	} {
		_, span := searchtest.Find(t, b, row.text)
		found, leads, relevant := false, false, false
		first, end := d.Subject.Cover.Branches(d.Subject.Code)
		for branch := first; branch < end; branch++ {
			site := d.Subject.Cover.BranchSite(branch)
			e, ok := d.Subject.Program.InfoOf(site.Code).PCs.PCEntry(int(site.PC))
			if ok && e.Start == span.Start-len("if (") {
				found, leads, relevant = true, leads || d.guide.Leads(branch), relevant || d.guide.Relevant(branch)
			}
		}
		if !found || leads != row.leads || relevant != row.relevant {
			t.Errorf("%s: has branches: %v; they lead to the target: %v; they are relevant: %v", row.text, found, leads, relevant)
		}
	}
}

// Targets may be in inherited functions, modifiers, libraries and free
// functions.
func TestTargetsOfEveryKind(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Aimed.sol")
	for _, row := range []struct{ text, callees string }{
		{"kept = x;", "keep"},
		{"kept++;", "twice"},
		{"return 2 * x;", "twice"},
		{"return x / 2;", "twice"},
		{"done += much;", "run"},
		{"shared = x;", "busy lone"},
	} {
		d := beginGuided(t, b, "Aimed", lines(t, b, row.text))
		got := strings.Fields(names(d.guide.callees))
		slices.Sort(got)
		if got := strings.Join(got, " "); got != row.callees {
			t.Errorf("%s can reach %q, want %s", got, row.text, row.callees)
		}
	}
}

// refusals returns where the functions of a contract revert because they refuse
// wei.
func refusals(t *testing.T, d *directedSearch) (pcs []uint64) {
	t.Helper()
	all := d.Subject.Cover.Bytecode(d.Subject.Code).Instructions
	for i := range all[:len(all)-5] {
		if all[i].Op == bytecode.CALLVALUE && all[i+1].Op == bytecode.DUP1 && all[i+2].Op == bytecode.ISZERO && all[i+4].Op == bytecode.JUMPI {
			pcs = append(pcs, uint64(all[i+5].PC))
		}
	}
	if len(pcs) == 0 {
		t.Fatal("no function refuses wei")
	}
	return pcs
}

// A target that no encoded call reaches is reached by the raw data of a
// fallback. In a large contract the analysis cannot follow all that such data
// may lead to.
func TestTargetsOfRawCalls(t *testing.T) {
	for _, row := range []struct{ file, contract string }{
		{"../testdata/Aimed.sol", "Aimed"},
		{"../../solc/testdata/npm/contracts/SoladyTimelock.sol", "SoladyTimelock"},
	} {
		file, err := filepath.Abs(row.file)
		if err != nil {
			t.Fatal(err)
		}
		b := searchtest.Compile(t, file)
		for _, pc := range refusals(t, begin(t, b, row.contract, Request{})) {
			d := beginGuided(t, b, row.contract, Request{PCs: []uint64{pc}})
			if got := names(d.guide.callees); got != "fallback" {
				t.Errorf("%s: %s can reach %#x", row.contract, got, pc)
			}
		}
	}
}

// A target that only a function pointer in storage leads to lies behind the jump
// to that pointer.
func TestTargetBehindPointer(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Pointer.sol")
	d := beginGuided(t, b, "Pointer", lines(t, b, "hits += 1;"))
	if got := names(d.guide.callees); got != "go" {
		t.Errorf("%s can reach the target", got)
	}
}
