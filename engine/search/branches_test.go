package search_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
	"leveret/solc/srcmap"
)

// branchTest is a search whose branches are tested.
type branchTest struct {
	*searchtest.Driver
	code *bytecode.Code
}

// check compares whether the branches of a conditional jump are wanted.
func (b *branchTest) check(t *testing.T, pc uint64, what string, want bool) {
	t.Helper()
	for _, taken := range []bool{false, true} {
		branch, ok := b.Subject.Cover.Branch(b.Subject.Code, pc, taken)
		if !ok || b.Branches.Wanted(branch) != want {
			t.Errorf("%s at %#x, taken %v: known: %v; wanted: %v", what, pc, taken, ok, !want)
		}
	}
}

// jumps lists the conditional jumps whose source suits.
func (b *branchTest) jumps(suits func(srcmap.Span) bool) (pcs []uint64) {
	info := b.Subject.Program.InfoOf(b.Subject.Code)
	for _, pc := range b.code.Jumpis {
		if e, ok := info.PCs.PCEntry(int(pc)); ok && suits(e.Span) {
			pcs = append(pcs, uint64(pc))
		}
	}
	return pcs
}

// generated lists the conditional jumps in code of the compiler that has a text.
func (b *branchTest) generated(text string) []uint64 {
	return b.jumps(func(span srcmap.Span) bool {
		for _, g := range b.Subject.Program.InfoOf(b.Subject.Code).Code.Generated {
			if g.ID == span.Source && bytes.Contains(g.Text[span.Start:span.End()], []byte(text)) {
				return true
			}
		}
		return false
	})
}

// The search is after the branches of the user's code and after panics. It is
// after those of the dispatcher and of ABI decoders only if they lead to a
// target.
func TestWantedBranches(t *testing.T) {
	build := searchtest.Compile(t, "../testdata/Aimed.sol")
	b := &branchTest{Driver: searchtest.New(t, build, "Aimed", 1)}
	b.code = b.Subject.Cover.Bytecode(b.Subject.Code)
	for _, text := range []string{`require(pause >= 1 days, "too soon")`, `require(ready[id] == 0, "planned")`} {
		_, span := searchtest.Find(t, build, text)
		found := b.jumps(func(s srcmap.Span) bool { return s == span })
		for _, pc := range found {
			b.check(t, pc, text, true)
		}
		if len(found) == 0 {
			t.Errorf("%s has no branches", text)
		}
	}
	panics, decoders, selectors := b.generated("panic_error"), b.generated("revert_error"), b.code.Selectors()
	if len(panics) == 0 || len(decoders) == 0 || len(selectors) != 6 {
		t.Fatalf("%d jumps to panics, %d in decoders, %d functions", len(panics), len(decoders), len(selectors))
	}
	for _, pc := range panics {
		b.check(t, pc, "a panic", true)
	}
	for _, leads := range []bool{false, true} {
		b.Branches.Leads = func(cover.Branch) bool { return leads }
		for _, pc := range decoders {
			b.check(t, pc, "a decoder", leads)
		}
		for _, s := range selectors {
			b.check(t, uint64(s.Test), "the dispatcher", leads)
		}
	}
}

// A build without the compiler's own sources has the same wanted branches.
func TestWantedWithoutGenerated(t *testing.T) {
	for name, file := range map[string]string{"Aimed": "Aimed", "Pools": "Clones", "Conditions": "Conditions", "Explored": "Coverage"} {
		build := searchtest.Compile(t, "../testdata/"+file+".sol")
		wanted := func() (list []string) {
			d := searchtest.New(t, build, name, 1)
			for _, pc := range d.Subject.Cover.Bytecode(d.Subject.Code).Jumpis {
				if branch, ok := d.Subject.Cover.Branch(d.Subject.Code, uint64(pc), true); ok {
					list = append(list, fmt.Sprintf("%#x: %v", pc, d.Branches.Wanted(branch)))
				}
			}
			return list
		}
		all := wanted()
		if len(searchtest.Contract(t, build, name).Runtime.Generated) == 0 {
			t.Fatal("no sources of the compiler")
		}
		for _, c := range build.Contracts {
			c.Creation.Generated, c.Runtime.Generated = nil, nil
		}
		if without := wanted(); !slices.Equal(all, without) {
			t.Errorf("%s with the compiler's sources:\n%q\nwithout:\n%q", name, all, without)
		}
	}
}

// Via IR, checks may have the source of the whole contract, and those of assertions be in a
// function of the compiler's: the search is after them all the same.
func TestWantedViaIR(t *testing.T) {
	const source = `pragma solidity ^0.8.0;
contract Lists {
    uint256 public stage;
    function put(uint96[] memory list) external {
        if (list.length == 2) {
            stage = 5;
            assert(list[1] != 9);
        }
    }
    function take(uint96[] memory list, uint256 i) external {
        assert(list.length != 3);
        stage = list[i];
    }
}
`
	for _, details := range []string{"", "\n[profile.default.optimizer_details]\nyul = true\n[profile.default.optimizer_details.yulDetails]\noptimizerSteps = 'dhfoDvulcerjuvu'\n"} {
		root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = '.'\noptimizer = true\nvia_ir = true\n"+details, "Lists.sol", source)
		b := &branchTest{Driver: searchtest.New(t, searchtest.Compile(t, filepath.Join(root, "Lists.sol")), "Lists", 1)}
		b.code = b.Subject.Cover.Bytecode(b.Subject.Code)
		wanted := 0
		for _, pc := range b.code.Jumpis {
			branch, ok := b.Subject.Cover.Branch(b.Subject.Code, uint64(pc), true)
			if ok && b.Branches.Wanted(branch) {
				wanted++
			}
		}
		if wanted < 5 { // a condition, two assertions, two bounds
			t.Errorf("%d of %d jumps are wanted; details %q", wanted, len(b.code.Jumpis), details)
		}
		for _, s := range b.code.Selectors() {
			b.check(t, uint64(s.Test), "the dispatcher", false)
		}
	}
}
