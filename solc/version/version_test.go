package version

import (
	"encoding/json"
	"testing"

	"leveret/solc/solctest"
)

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{
		"0.8.30":                  "0.8.30",
		"v0.8.30+commit.73712a01": "0.8.30",
		"Version: 0.8.4+commit.c7e474f2.Linux.g++": "0.8.4",
		"solc-linux-amd64-v0.8.20+commit.a1b79de6": "0.8.20",
		"soljson-v0.5.16+commit.9c3226ce.js":       "0.5.16",
		"0.8.31-nightly.2025.8.1+commit.00000000":  "0.8.31-nightly.2025.8.1",
		"solc-0.4.26":                            "0.4.26",
		"solc-windows-amd64-v0.7.6+commit.x.exe": "0.7.6",
		"no version":                             "",
		"1.2":                                    "",
		"99999999999999999999.1.2":               "",
		"solc, the solidity compiler\nVersion: 1.0": "",
	} {
		v, ok := Parse(text)
		if ok != (want != "") || ok && v.String() != want {
			t.Errorf("ParseVersion(%q) = %v, %t, want %q", text, v, ok, want)
		}
	}
}

func TestVersionOrder(t *testing.T) {
	sorted := []string{"0.4.11", "0.4.26", "0.8.2", "0.8.10", "0.8.31-ci.1", "0.8.31-nightly.2", "0.8.31", "1.0.0"}
	for i, a := range sorted {
		for j, b := range sorted {
			v, _ := Parse(a)
			w, _ := Parse(b)
			if got := v.Compare(w); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%s compared with %s: %d", a, b, got)
			}
		}
	}
}

// ranges have npm's syntax; ranges in pragmas also have blanks and quotes.
var ranges = []string{
	"^0.8.0", "^0.8.20", "^0.5", "^0", "^0.0.3", "^0.0", "^1.2.3", "^1", "~0.8.4", "~0.8", "~0", "~1.2.3", "0.8.15", "=0.5.16", "v0.6.6", "0.8", "0", "*", "x", "0.x", "0.8.x", "0.8.*",
	">=0.6.0 <0.8.0", ">=0.4.22 <0.6", ">0.5", ">0.5.2", "<=0.8", "<=0.8.4", "<0.7", ">=0.8.4", "0.5.0 - 0.7.0", "0.5 - 0.7", "0.5.3 - 0.8", "0.4.11 || ^0.6.2 || >=0.8.4 <0.8.9",
	">=0.8.0 <0.8.0", ">1 <0.5", "^0.8.0 || ^0.7.0", ">=0.7.0 <0.9.0", "<0.0.0", ">*", "^0.8.0 ^0.8.4", "~0.8.4 || 0.5.17", ">=0.4.24 <0.8.0 ^0.6.0", "=0.8", "<=0.x", ">=0", "<x",
}

// TestRangesAgreeWithNPM compares with npm's implementation.
func TestRangesAgreeWithNPM(t *testing.T) {
	var versions []string
	for _, line := range [][2]int{{4, 26}, {5, 17}, {6, 12}, {7, 6}, {8, 40}, {9, 2}} {
		for patch := range line[1] + 1 {
			versions = append(versions, Version{Minor: line[0], Patch: patch}.String())
		}
	}
	versions = append(versions, "0.0.0", "0.0.3", "0.0.4", "0.1.0", "1.0.0", "1.2.2", "1.2.3", "1.3.0", "2.0.0")
	question, err := json.Marshal([][]string{ranges, versions})
	if err != nil {
		t.Fatal(err)
	}
	const script = `const s = require(process.argv[1] + '/node_modules/semver');
		const [ranges, versions] = JSON.parse(process.argv[2]);
		console.log(JSON.stringify(ranges.map((r) => versions.map((v) => s.satisfies(v, r)))));`
	out := solctest.Node(t, []string{"-e", script, "--", solctest.Tools(t), string(question)}, nil)
	var answers [][]bool
	if err := json.Unmarshal(out, &answers); err != nil {
		t.Fatal(err)
	}
	for i, text := range ranges {
		r, err := ParseRange(text)
		if err != nil {
			t.Errorf("ParseRange(%q): %v", text, err)
			continue
		}
		any := false
		for j, version := range versions {
			v, _ := Parse(version)
			any = any || answers[i][j]
			if got := r.Contains(v); got != answers[i][j] {
				t.Errorf("%s in %s: %t, npm says %t", version, text, got, answers[i][j])
			}
		}
		if r.Empty() && any {
			t.Errorf("%s is empty", text)
		}
	}
}

func TestRangeSpelling(t *testing.T) {
	for text, same := range map[string]string{
		">= 0.6.0 < 0.8.0": ">=0.6.0 <0.8.0",
		">=0.6.0<0.8.0":    ">=0.6.0 <0.8.0",
		"0.5.0-0.7.0":      "0.5.0 - 0.7.0",
		"^0.8.0||^0.7.0":   "^0.8.0 || ^0.7.0",
		"^ 0.8.0":          "^0.8.0",
	} {
		a, err := ParseRange(text)
		if err != nil {
			t.Error(err)
			continue
		}
		b, _ := ParseRange(same)
		if len(a.alternatives) != len(b.alternatives) {
			t.Errorf("%s is %v, want %v", text, a, b)
			continue
		}
		for i := range a.alternatives {
			if a.alternatives[i] != b.alternatives[i] {
				t.Errorf("%s is %v, want %v", text, a, b)
			}
		}
	}
}

func TestRangeErrors(t *testing.T) {
	for _, text := range []string{"", "^", "latest", "^0.8.0 ||", "0.8.0.1", "!=0.8.0", ">>0.8.0", "0.5.0 -", "- 0.5.0", "^0.8.99999999", "0..8", "=>0.8.0"} {
		if r, err := ParseRange(text); err == nil {
			t.Errorf("ParseRange(%q) = %v", text, r)
		}
	}
}

func TestRangeExample(t *testing.T) {
	for text, want := range map[string]string{
		"^0.8.0": "0.8.30", "^0.7.0": "0.7.6", "=0.6.6": "0.6.6", "0.6 .12": "0.6.12", "^ 0. 5\n.1": "0.5.17", ">=0.6.0 <0.8.0": "0.7.6", "^0.8.31": "0.8.31", ">=0.4.0": "0.8.30", "<0.5.0": "0.4.26",
	} {
		r, _ := ParseRange(text)
		if v, ok := r.Example(); !ok || v.String() != want {
			t.Errorf("example of %s: %v, want %s", text, v, want)
		}
	}
}

func FuzzRange(f *testing.F) {
	for _, text := range ranges {
		f.Add(text, ">=0.6.0 <0.8.0")
	}
	versions := []Version{{}, {Minor: 4, Patch: 11}, {Minor: 5}, {Minor: 6, Patch: 12}, {Minor: 7, Patch: 6}, {Minor: 8}, {Minor: 8, Patch: 30}, {Major: 1}}
	f.Fuzz(func(t *testing.T, a, b string) {
		r, err := ParseRange(a)
		s, err2 := ParseRange(b)
		if err != nil || err2 != nil {
			return
		}
		both := r.Intersect(s)
		for _, v := range versions {
			if both.Contains(v) != (r.Contains(v) && s.Contains(v)) {
				t.Errorf("%v in both %q and %q: %t", v, a, b, both.Contains(v))
			}
			if both.Empty() && both.Contains(v) {
				t.Errorf("the empty range contains %v", v)
			}
		}
	})
}
