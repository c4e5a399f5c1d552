package cheat

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"leveret/engine/input"
)

var update = flag.Bool("update", false, "rewrite docs/cheatcodes.md")

const document = "../../docs/cheatcodes.md"

const intro = `# Cheatcodes

Generated from the table of engine/cheat by ` + "`go test ./engine/cheat -run Documented -update`" + `. The reference is forge %s. Cheatcodes
that reach files, the environment, programs or other chains work in trusted projects, within the limits of foundry.toml.

| cheatcode | what it does |
|---|---|
`

const refusals = `
## Not implemented

A test that calls one of these fails with a reason that names it.

| cheatcode | why |
|---|---|
`

// documentation returns docs/cheatcodes.md: one line for the forms of a cheatcode
// that do the same.
func documentation() string {
	type line struct {
		name, docs string
		forms      []string
	}
	var lines []*line
	for _, r := range rows {
		name, _, _ := strings.Cut(r.signature, "(")
		at := slices.IndexFunc(lines, func(l *line) bool { return l.name == name && l.docs == r.docs })
		if at < 0 {
			lines = append(lines, &line{name: name, docs: r.docs})
			at = len(lines) - 1
		}
		lines[at].forms = append(lines[at].forms, "`"+r.signature+"`")
	}
	slices.SortStableFunc(lines, func(a, b *line) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	fmt.Fprintf(&b, intro, foundry)
	for _, l := range lines {
		fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(l.forms, "<br>"), strings.ReplaceAll(l.docs, "|", "\\|"))
	}
	b.WriteString(refusals)
	for _, r := range refused {
		fmt.Fprintf(&b, "| `%s` | %s |\n", r.signature, r.why)
	}
	return b.String()
}

func TestCheatcodesAreDocumented(t *testing.T) {
	want := documentation()
	if *update {
		if err := os.WriteFile(document, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Error(document + " differs from the table; run go test ./engine/cheat -run Documented -update")
	}
	for _, r := range rows {
		if r.docs == "" {
			t.Errorf("%s is not described", r.signature)
		}
	}
}

func TestRefusedCheatcodesAreNotInTheTable(t *testing.T) {
	for _, r := range refused {
		f, err := input.ParseSignature(r.signature)
		if err != nil {
			t.Fatal(err)
		}
		if cheatcodes()[f.Selector] != nil {
			t.Errorf("%s is implemented", r.signature)
		}
	}
}

func TestRefusedCheatcodesAreNamed(t *testing.T) {
	f := newFixture(t)
	got := reason(f.cheat("getStorageSlots(address,string)", "0x0000000000000000000000000000000000000001", `"a"`))
	if want := "Leveret has no cheatcode getStorageSlots(address,string): " + noLayout; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestVersions(t *testing.T) {
	f := newFixture(t)
	for version, want := range map[string][2]string{"1.7.1": {"0", "1"}, "1.7.0": {"1", "1"}, "2.0.0": {"-1", "0"}, "1.10.0": {"-1", "0"}} {
		for i, name := range []string{"foundryVersionCmp(string)", "foundryVersionAtLeast(string)"} {
			out := f.cheat(name, `"`+version+`"`)
			values, err := input.Decode([]input.Field{{Type: intType}}, out.Return)
			if err != nil || shown(&values[0]) != want[i] {
				t.Errorf("%s of %s: %v, want %s", name, version, values, want[i])
			}
		}
	}
	if got := reason(f.cheat("foundryVersionCmp(string)", `"1.7"`)); got != "vm.foundryVersionCmp: invalid version `1.7`: it must have the form 1.2.3" {
		t.Errorf("got %q", got)
	}
}
