package compiler

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
	"leveret/solc/version"
)

// typed has types whose identifiers contain ids, lengths and both.
const typed = `contract Typed is W {
    struct Pair { uint256 a; uint256[500] many; }
    enum Kind { First, Second }
    mapping(address => Pair) pairs;
    Pair[700] all;
    W[] others;
    function kinds(Kind k, uint256 at) public returns (uint256 sum) {
        Pair storage one = all[at];
        uint256[600] memory sums;
        function (uint256, address) internal returns (uint256) f = fW1;
        assembly { sum := add(k, sload(pairs_slot)) }
        return one.many[at] + sums[at] + uint256(uint160(address(others[0]))) + f(1, msg.sender);
    }
}
`

// sourcesFor returns sources that import each other, for a language version. The
// text of M.sol depends on number.
func sourcesFor(version string, number int) map[string][]byte {
	head := "pragma solidity " + version + ";\n"
	contract := func(name, bases string) string {
		var b strings.Builder
		fmt.Fprintf(&b, "contract %s%s {\n    mapping(address => uint256) held%s;\n", name, bases, name)
		for i := range 10 {
			fmt.Fprintf(&b, "    function f%s%d(uint256 x, address who) public returns (uint256) { require(x > %d); held%s[who] += x; return held%s[who]; }\n", name, i, i, name, name)
		}
		b.WriteString("}\n")
		return b.String()
	}
	typed := typed
	if slot := "pairs.slot"; version >= "0.7" {
		typed = strings.Replace(typed, "pairs_slot", slot, 1)
	}
	if version < "0.6" {
		typed = "" // the tree is not reused
	}
	texts := map[string]string{
		"A.sol": head + contract("A", ""),
		"B.sol": head + "import \"./W.sol\";\n" + contract("B", " is W"),
		"D.sol": head + "import \"./A.sol\";\n" + contract("D", " is A"),
		"K.sol": head + "import \"./M.sol\";\n" + contract("K", " is M"),
		"M.sol": head + "import \"./D.sol\";\n" + contract("M", " is D") + strings.Repeat(fmt.Sprintf("contract N%d { uint256 n; function f() public { n = %d; } }\n", number, number), min(number, 1)),
		"W.sol": head + "import \"./Z.sol\";\n" + contract("W", " is Z") + typed,
		"Z.sol": head + contract("Z", ""),
	}
	sources := map[string][]byte{}
	for name, text := range texts {
		sources[name] = []byte(text)
	}
	return sources
}

// releases has a compiler of every release line.
var releases = []string{"0.4.11", "0.4.26", "0.5.16", "0.5.17", "0.6.6", "0.6.12", "0.7.6", "0.8.0", "0.8.19", "0.8.30", "0.8.37"}

// TestReuseOfASTs checks, for compilers of every release line, that an output
// with reused trees equals that of a full compilation.
func TestReuseOfASTs(t *testing.T) {
	for _, release := range releases {
		t.Run(release, func(t *testing.T) {
			env := installed(t)
			path := filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+release)
			solctest.Need(t, solctest.Exists(filepath.Join(path, "soljson.js")), "no solc "+release+": run make tools")
			v, _ := version.Parse(release)
			with := Installation{Path: path, Node: true, Version: v}
			tools := NewToolchain(env)
			t.Cleanup(func() { tools.Close() })
			ask := func(number int) standardInput { return newInput(v, sourcesFor(release, number), nil, solc.Settings{}) }
			whole := func(in standardInput) []byte {
				input, err := json.Marshal(in)
				if err != nil {
					t.Fatal(err)
				}
				output, err := tools.execute(t.Context(), with, input)
				if err != nil {
					t.Fatal(err)
				}
				return output
			}
			before := &cachedASTs{texts: ask(0).Sources, trees: readTrees(whole(ask(0)))}
			if before.trees == nil {
				if v.AtLeast(0, 6, 0) {
					t.Fatal("no usable trees")
				}
				return // ids of builtins follow those of the sources
			}
			reused := before.reusable(ask(7).Sources)
			if got := slices.Sorted(maps.Keys(reused)); !slices.Equal(got, []string{"A.sol", "B.sol", "D.sol", "W.sol"}) {
				t.Fatalf("reused %q", got)
			}
			quick, err := tools.compileReusing(t.Context(), with, ask(7), before)
			if err != nil || quick == nil {
				t.Fatalf("%d bytes, %v", len(quick), err)
			}
			var got, want map[string]any
			if err := json.Unmarshal(quick, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(whole(ask(7)), &want); err != nil {
				t.Fatal(err)
			}
			for part := range want {
				if !reflect.DeepEqual(got[part], want[part]) {
					t.Errorf("%s differ", part)
				}
			}
			if len(got) != len(want) {
				t.Errorf("has %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
			}
		})
	}
}

// TestStaleASTs checks that trees that may have changed are not reused.
func TestStaleASTs(t *testing.T) {
	tree := func(low, high int, imports ...string) string {
		var nodes []string
		for _, i := range imports {
			nodes = append(nodes, fmt.Sprintf(`{"id":%d,"nodeType":"ImportDirective","absolutePath":%q}`, low, i))
		}
		return fmt.Sprintf(`{"ast":{"id":%d,"nodes":[{"id":%d},%s{"pad":%q}]}}`, high, low, strings.Join(append(nodes, ""), ","), strings.Repeat("x", minReused))
	}
	answer := func(trees ...string) []byte {
		var list []string
		for i, tree := range trees {
			list = append(list, fmt.Sprintf(`"%c.sol":%s`, 'A'+i, tree))
		}
		return []byte(`{"contracts":{},"sources":{` + strings.Join(list, ",") + `}}`)
	}
	texts := func(changed string) map[string]inputSource {
		m := map[string]inputSource{"A.sol": {"a"}, "B.sol": {"b"}, "C.sol": {"c"}}
		if changed != "" {
			m[changed] = inputSource{"other"}
		}
		return m
	}
	cached := func(output []byte) *cachedASTs { return &cachedASTs{texts: texts(""), trees: readTrees(output)} }

	for name, output := range map[string][]byte{
		"nodes in another order": answer(tree(10, 19), tree(1, 9), tree(20, 29)),
		"a tree is missing":      answer(tree(1, 9), `{}`, tree(20, 29)),
		"built-in reference":     answer(tree(1, 9), strings.Replace(tree(10, 19), `"pad"`, `"referencedDeclaration":30,"pad"`, 1), tree(20, 29)),
		"no answer":              []byte("oops"),
	} {
		if got := readTrees(output); got != nil {
			t.Errorf("%s: read %d trees", name, len(got))
		}
	}
	plain := cached(answer(tree(1, 9), tree(10, 19), tree(20, 29)))
	for _, test := range []struct {
		cache   *cachedASTs
		changed string
		want    []string
	}{
		{plain, "", nil},
		{plain, "A.sol", []string{"C.sol"}}, // B.sol shows how far the ids moved
		{plain, "B.sol", []string{"A.sol"}},
		{plain, "C.sol", []string{"A.sol", "B.sol"}},
		{cached(answer(tree(1, 9), tree(10, 19, "C.sol"), tree(20, 29))), "C.sol", []string{"A.sol"}},
		{cached(answer(tree(1, 9, "B.sol"), tree(10, 19, "C.sol"), tree(20, 29))), "C.sol", nil},
	} {
		reused := test.cache.reusable(texts(test.changed))
		if got := slices.Sorted(maps.Keys(reused)); !slices.Equal(got, test.want) {
			t.Errorf("change of %q: reused %q, want %q", test.changed, got, test.want)
		}
	}
	reused := plain.reusable(texts("B.sol"))
	for name, test := range map[string]struct {
		output []byte
		ok     bool
	}{
		"more nodes":              {answer(`{}`, tree(10, 25), tree(26, 35)), true},
		"other numbers":           {answer(`{}`, tree(11, 25), tree(26, 35)), false},
		"another order":           {answer(`{}`, tree(10, 25), tree(5, 8)), false},
		"one tree has more ids":   {answer(`{}`, tree(10, 25), tree(26, 36)), false},
		"a tree is missing":       {answer(`{}`, tree(10, 25), `{}`), false},
		"a source is missing":     {answer(`{}`, tree(10, 25)), false},
		"rejected, without trees": {[]byte(`{"errors":[{"severity":"error"}]}`), true},
		"warned, without trees":   {[]byte(`{"errors":[{"severity":"warning"}]}`), false},
	} {
		if got := plain.splice(test.output, reused, texts("B.sol")); (got != nil) != test.ok {
			t.Errorf("%s: %.80s", name, got)
		}
	}
	stray := cached(answer(strings.Replace(tree(1, 9), `"pad"`, `"scope":12,"pad"`, 1), tree(10, 19), tree(20, 29)))
	if got := stray.splice(answer(`{}`, tree(10, 25), tree(26, 35)), stray.reusable(texts("B.sol")), texts("B.sol")); got != nil {
		t.Errorf("a tree with the id of a changed node was reused: %.80s", got)
	}
}
