package oracle

import (
	"math/big"
	"os"
	"strings"
	"testing"
)

// Every oracle has a page, and every page an oracle.
func TestPages(t *testing.T) {
	names := map[string]bool{}
	for _, o := range All {
		names[o.Name] = true
		text := o.Doc()
		for _, heading := range []string{"# " + o.Name + ": ", "\n## What it means\n", "\n## Example\n", "\n## How to fix\n", "\n## How to silence\n"} {
			if !strings.Contains(text, heading) {
				t.Errorf("the page of %s has no %q", o.Name, strings.TrimSpace(heading))
			}
		}
		if o.SWC != "" && !strings.Contains(text, o.SWC) {
			t.Errorf("the page of %s does not name %s", o.Name, o.SWC)
		}
	}
	files, err := os.ReadDir("../../docs/oracles")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if name, page := strings.CutSuffix(f.Name(), ".md"); page && !names[name] && name != "README" {
			t.Errorf("no oracle for the page %s", f.Name())
		}
	}
}

func TestNumber(t *testing.T) {
	two := func(n uint, plus int64) *big.Int {
		x := new(big.Int).Lsh(big.NewInt(1), n)
		return x.Add(x, big.NewInt(plus))
	}
	for _, row := range []struct {
		n    *big.Int
		want string
	}{
		{big.NewInt(0), "0"}, {big.NewInt(-7), "-7"}, {big.NewInt(1e18), "1000000000000000000"},
		{two(256, -1), "2^256 - 1"}, {two(255, 0), "2^255"}, {two(128, 5), "2^128 + 5"},
		{new(big.Int).Neg(two(255, 0)), "-2^255"},
		{new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil), "about 1e+30"},
	} {
		if got := Number(row.n); got != row.want {
			t.Errorf("%s is written %q, should be %q", row.n, got, row.want)
		}
	}
}
