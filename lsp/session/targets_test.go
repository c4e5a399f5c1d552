package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// compileText compiles a source with the pinned compilers.
func compileText(t *testing.T, text string) *solc.Source {
	t.Helper()
	tools, err := filepath.Abs("../../solc/testdata/npm")
	if err != nil {
		t.Fatal(err)
	}
	_, err = os.Stat(filepath.Join(tools, "node_modules", "solc-0.8.30"))
	solctest.Need(t, err == nil, "the compilers are not installed; run make tools")
	file := filepath.Join(t.TempDir(), "A.sol")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	chains := &toolchains{env: compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{tools}}}
	defer chains.close()
	b, err := chains.compile(t.Context(), SourceFile{File: file})
	if err != nil {
		t.Fatal(err)
	}
	return b.PathSource(file)
}

const targetSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract A {
    uint256 private limit = 10;
    uint256 private total;

    function add(uint256 x) external returns (uint256) {
        require(x < limit);
        if (x > 5) {
            total += x;
        } else {
            total += 1;
        }
        return total;
    }

    function reset() external {
        total = 0;
        limit = 3;
    }
}
`

func TestChangedSpans(t *testing.T) {
	source := compileText(t, targetSource)
	for _, test := range []struct {
		name, old, text string // the text before and after the edit
		want            []string
	}{
		{"nothing", "", "", nil},
		{"statement", "total += 2;", "total += 1;", []string{"total += 1"}},
		{"two statements", "total = 1;\n        limit = 4;", "total = 0;\n        limit = 3;", []string{"total = 0", "limit = 3"}},
		{"condition", "if (x > 6)", "if (x > 5)", []string{"if (x > 5)"}},
		{"head of a function", "function reset() public {", "function reset() external {", []string{"function reset() external {"}},
		{"state variable", "limit = 11;", "limit = 10;", []string{"uint256 private limit = 10", "require(x < limit)", "limit = 3"}},
		{"statement deleted", "        total = 0;\n", "        uint256 gone = 1;\n        total = 0;\n", []string{"total = 0", "limit = 3"}},
		{"return deleted before", "        return total;\n", "        x = 2;\n        return total;\n", []string{"return total"}},
		{"comment", "contract A {", "// why\ncontract A {", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := strings.Replace(targetSource, test.text, test.old, 1)
			if strings.Contains(test.name, "deleted") || test.name == "comment" {
				before = strings.Replace(targetSource, test.old, test.text, 1)
			}
			var got []string
			for _, span := range change.Code([]byte(before), source) {
				got = append(got, string(source.Text[span.Start:span.End()]))
			}
			if !slices.EqualFunc(got, test.want, func(got, want string) bool { return strings.HasPrefix(got, want) }) {
				t.Errorf("targets %q, want %q", got, test.want)
			}
		})
	}
}
