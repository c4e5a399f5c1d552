package triage

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"

	"leveret/engine/search/searchtest"
)

// mazeOf compiles a maze: functions move over a board, and on each field nested
// conditions over arguments and state guard a failing assertion. Arithmetic in
// them wraps.
func mazeOf(t testing.TB, seed uint64, fields, depth int) *solc.Build {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	fmt.Fprint(&b, "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.19;\ncontract Maze {\n    uint64 private at;\n    uint64[4] private kept;\n")
	const arguments = "uint64 a, uint64 b, uint64 c, uint64 d"
	fmt.Fprintf(&b, "    function up(%s) public { require(at < %d); at += 1; enter(a, b, c, d); }\n", arguments, fields-1)
	fmt.Fprintf(&b, "    function down(%s) public { require(at > 0); at -= 1; enter(a, b, c, d); }\n", arguments)
	fmt.Fprintf(&b, "    function enter(%s) internal { unchecked {\n", arguments)
	for field := range fields {
		fmt.Fprintf(&b, "        if (at == %d) {\n", field)
		nest(&b, r, 1+r.IntN(depth))
		fmt.Fprint(&b, "        }\n")
	}
	fmt.Fprint(&b, "    } }\n}\n")
	file := filepath.Join(t.TempDir(), "Maze.sol")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return searchtest.Compile(t, file)
}

// nest writes nested conditions around an assertion that fails.
func nest(b *strings.Builder, r *rand.Rand, depth int) {
	if depth == 0 {
		fmt.Fprintln(b, "assert(false);")
		return
	}
	any := func() string { return string("abcd"[r.IntN(4)]) }
	conditions := []string{
		fmt.Sprintf("%s < %d", any(), 1<<16),
		fmt.Sprintf("%s == %d", any(), r.IntN(100)),
		fmt.Sprintf("%s + %s > %d", any(), any(), r.IntN(1<<20)),
		fmt.Sprintf("%s - kept[%d] < %d", any(), r.IntN(4), 1<<20),
	}
	fmt.Fprintf(b, "if (%s) {\n", conditions[r.IntN(len(conditions))])
	nest(b, r, depth-1)
	fmt.Fprintf(b, "} else { kept[%d] = %s * %d + %s; }\n", r.IntN(4), any(), 2+r.IntN(90), any())
}
