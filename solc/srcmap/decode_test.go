package srcmap

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A code is one bytecode object of solc's output.
type code struct {
	Object    string
	SourceMap string
}

// goldens runs test with the creation and deployed bytecode of every contract in
// the test data of package ast.
func goldens(t *testing.T, test func(t *testing.T, c code)) {
	paths, err := filepath.Glob("../ast/testdata/*.json.gz")
	if err != nil || len(paths) < 7 {
		t.Fatalf("found %d compiled sources: %v", len(paths), err)
	}
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		var output struct {
			Contracts map[string]map[string]struct {
				EVM struct{ Bytecode, DeployedBytecode code }
			}
		}
		if err := json.NewDecoder(unzipped).Decode(&output); err != nil {
			t.Fatal(err)
		}
		for _, contracts := range output.Contracts {
			for name, c := range contracts {
				t.Run(filepath.Base(path)+"/"+name, func(t *testing.T) { test(t, c.EVM.Bytecode) })
				t.Run(filepath.Base(path)+"/"+name+"/deployed", func(t *testing.T) { test(t, c.EVM.DeployedBytecode) })
			}
		}
	}
}

// slowDecode is a simple implementation of Decode.
func slowDecode(compressed string) []Entry {
	if compressed == "" {
		return nil
	}
	var entries []Entry
	fields := []string{"0", "0", "-1", "-", "0"}
	for _, part := range strings.Split(compressed, ";") {
		for i, f := range strings.Split(part, ":") {
			if f != "" && i < len(fields) {
				fields[i] = f
			}
		}
		number := func(i int) int {
			if strings.HasPrefix(fields[i], "-") {
				return -1
			}
			n, _ := strconv.Atoi(fields[i])
			return n
		}
		entries = append(entries, Entry{Span: Span{Start: number(0), Length: number(1), Source: number(2)}, Jump: Jump(fields[3][0]), ModifierDepth: number(4)})
	}
	return entries
}

// encode compresses entries as solc does.
func encode(entries []Entry) string {
	last := [5]string{"0", "0", "-1", "-", "0"}
	parts := make([]string, len(entries))
	for i, e := range entries {
		now := [5]string{fmt.Sprint(e.Start), fmt.Sprint(e.Length), fmt.Sprint(e.Source), string(rune(e.Jump)), fmt.Sprint(e.ModifierDepth)}
		fields := now
		for j := range fields {
			if now[j] == last[j] {
				fields[j] = ""
			}
		}
		parts[i] = strings.TrimRight(strings.Join(fields[:], ":"), ":")
		last = now
	}
	return strings.Join(parts, ";")
}

func TestDecodeEqualsSlowDecoder(t *testing.T) {
	goldens(t, func(t *testing.T, c code) {
		got, err := Decode(c.SourceMap)
		if err != nil || !slices.Equal(got, slowDecode(c.SourceMap)) {
			t.Errorf("Decode and slowDecode differ: %v", err)
		}
	})
}

func TestDecode(t *testing.T) {
	for _, row := range []struct {
		text string
		want string // as fmt prints them; empty: an error
	}{
		{"", "[]"},
		{"1:2:0:-", "[{{0 1 2} 45 0}]"},
		{"1:2:1;:9;2:1:2;;;::-1:i:3", "[{{1 1 2} 45 0} {{1 1 9} 45 0} {{2 2 1} 45 0} {{2 2 1} 45 0} {{2 2 1} 45 0} {{-1 2 1} 105 3}]"},
		{"1:2:0:o:0:new", "[{{0 1 2} 111 0}]"},
		{"x", ""}, {"1:y", ""}, {"1:2:z", ""}, {"::::-x", ""}, {":::q", ""}, {":::io", ""}, {"99999999999", ""}, {"1-", ""}, {"-", ""},
	} {
		got, err := Decode(row.text)
		if err != nil {
			if row.want != "" {
				t.Errorf("%q: %v", row.text, err)
			}
		} else if s := fmt.Sprint(got); s != row.want {
			t.Errorf("%q: got %s, want %q", row.text, s, row.want)
		}
	}
	if _, err := Decode(strings.Repeat(";", maxEntries)); err == nil {
		t.Error("a map longer than any code is accepted")
	}
}

func TestParseSpan(t *testing.T) {
	if s, err := ParseSpan("12:34:5"); err != nil || s != (Span{Source: 5, Start: 12, Length: 34}) {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err := ParseSpan("-1:-1:-1"); err != nil || s.Source != -1 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, text := range []string{"1:2:0;", "x", "1:2:0;1:2:0"} {
		if s, err := ParseSpan(text); err == nil {
			t.Errorf("%q is accepted as %+v", text, s)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "1:2:0:-", "1:2:1;:9;2:1:2;;;::-1:i:3", ";;", ":::o:7", "::::-0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := Decode(text)
		if err != nil {
			return
		}
		if !slices.Equal(entries, slowDecode(text)) {
			t.Fatalf("%q: got %v, want %v", text, entries, slowDecode(text))
		}
		again, err := Decode(encode(entries))
		// One entry equal to the initial state compresses to "".
		if encode(entries) != "" && (err != nil || !slices.Equal(again, entries)) {
			t.Fatalf("%q: decoded %v, after encoding %v: %v", text, entries, again, err)
		}
	})
}

func bytecode(t testing.TB, object string) []byte {
	t.Helper()
	for {
		at := strings.Index(object, "__")
		if at < 0 {
			break
		}
		object = object[:at] + strings.Repeat("0", 40) + object[at+40:]
	}
	b, err := hex.DecodeString(object)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
