package main

import (
	"slices"
	"strings"
	"testing"
)

func TestReadPackage(t *testing.T) {
	rec, err := readPackage([]byte(`{"sources":{"total":4,"compiled":3,"failures":["A.sol:1: broken"]},"contracts":[
		{"name":"I","note":"I is an interface and has no code; fuzz a contract that implements it"},
		{"name":"T","note":"T needs Foundry's cheatcodes; run the tests that use it with leveret test"},
		{"name":"R","note":"the constructor of R reverts at R.sol:3: require(false)"},
		{"name":"E","note":"E has no function that can be called from outside"},
		{"name":"C","file":"src/C.sol","stats":{"inputs":5,"instructions":{"covered":3,"total":10}},"findings":[
			{"oracle":"assertion","severity":"error","file":"src/C.sol","start":{"line":7}},
			{"oracle":"panic","severity":"information","file":"src/C.sol","start":{"line":8}}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if rec.Files != 4 || rec.Compiled != 3 || rec.Concrete != 3 || rec.Deployed != 2 || rec.Tests != 1 || rec.Covered != 3 || rec.Total != 10 || rec.Inputs != 5 {
		t.Errorf("%+v", rec)
	}
	if !slices.Equal(rec.Findings, []string{"C: error assertion at C.sol:7"}) || len(rec.Undeployed) != 1 || len(rec.Failures) != 1 {
		t.Errorf("%+v", rec)
	}
	rec.Command = "leveret fuzz --time 7s p"
	rec.Name, rec.Date = "p", "2026-01-01T00:00:00Z"
	var out strings.Builder
	for _, table := range packageTables([][2]string{{"p", "p"}, {"q", "q"}}, []packageRecord{rec}) {
		table.write(&out)
	}
	for _, part := range []string{"75 %", "67 %", "30 %", " 7s |", "| all ", "the constructor of R reverts"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("no %q in\n%s", part, out.String())
		}
	}
}
