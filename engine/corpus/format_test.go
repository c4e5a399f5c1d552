package corpus

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// texts makes inputs of strings.
func texts(list ...string) (inputs [][]byte) {
	for _, s := range list {
		inputs = append(inputs, []byte(s))
	}
	return inputs
}

func strs(inputs [][]byte) (list []string) {
	for _, in := range inputs {
		list = append(list, string(in))
	}
	return list
}

// readable is what the tests take for an input that can be read.
func readable(in []byte) bool { return bytes.HasPrefix(in, []byte("in")) }

// written are lists of inputs, and what is read of the file made of them.
var written = []struct {
	inputs, read []string
}{
	{nil, nil},
	{[]string{"in a"}, []string{"in a"}},
	{[]string{"in a\n", "in b\n"}, []string{"in a", "in b"}},
	{[]string{"in a\nb\n", "in c"}, []string{"in a\nb", "in c"}},
	{[]string{"in a", "in b", "in a"}, []string{"in a", "in b"}},
	{[]string{"in a\n", "in a"}, []string{"in a"}},
	{[]string{"in a\n\nb\n", "in --\n", "in ----"}, []string{"in a\n\nb", "in --", "in ----"}},
	{[]string{"in a ---\n", "in \n--- b", "in\n---\n---"}, []string{"in a ---", "in \n--- b", "in\n---\n---"}},
	{[]string{"in\n" + string(encode(texts("in in")))}, []string{strings.TrimSpace("in\n" + string(encode(texts("in in"))))}},
}

func TestDecodeIsTheInverseOfEncode(t *testing.T) {
	for _, row := range written {
		c := decode(encode(texts(row.inputs...)), readable)
		if c.damaged || c.lost > 0 || !slices.Equal(strs(c.inputs), row.read) {
			t.Errorf("%q is read as %q, damaged %v", row.inputs, c.inputs, c.damaged)
		}
	}
}

// Files of version 1 are read.
func TestDecodeVersion1(t *testing.T) {
	for file, want := range map[string][]string{
		headerV1:                               nil,
		headerV1 + "---\nin a\n":               {"in a"},
		headerV1 + "---\nin a\nb\n---\nin c\n": {"in a\nb", "in c"},
	} {
		if c := decode([]byte(file), readable); c.damaged || !slices.Equal(strs(c.inputs), want) {
			t.Errorf("%q is read as %q, damaged %v", file, c.inputs, c.damaged)
		}
	}
	for file, want := range map[string]int{
		headerV1 + "---\nin a\n---\nxn b\n":             1,
		headerV1 + "---\nin a\n---\nin b\n---\nout c\n": 2,
		"lfveret corpus v1\n---\nin a\n---\nin b\n":     2,
		"leveret corpus v1\r---\nin a\n---\nin b\n":     1,
	} {
		if c := decode([]byte(file), readable); !c.damaged || len(c.inputs) != want {
			t.Errorf("%q is read as %q, damaged %v, want %d inputs", file, c.inputs, c.damaged, want)
		}
	}
}

func TestDecodeOfWhatIsNoCorpus(t *testing.T) {
	for _, file := range []string{"", "garbage\n", "leveret corpus v2 3\n", "leveret corpus v9\n---\nsomething\n", "--- ", "--- 00000000 99999999999\n"} {
		if c := decode([]byte(file), readable); !c.damaged || len(c.inputs) > 0 {
			t.Errorf("%q is read as %q, damaged %v", file, c.inputs, c.damaged)
		}
	}
}

// sample is a file, its inputs, and where the record of each is.
func sample() (file []byte, whole []string, at [][2]int) {
	for i := range 12 {
		whole = append(whole, fmt.Sprintf("in %d\n%s--- \nend %d", i, strings.Repeat("user1 A.f(uint256)(7)\n", i%4), i))
	}
	file = encode(texts(whole...))
	for _, in := range whole {
		end := bytes.Index(file, []byte(in)) + len(in)
		start := bytes.LastIndex(file[:end-len(in)-1], []byte("\n")) + 1
		at = append(at, [2]int{start, end})
	}
	return file, whole, at
}

// A flipped bit anywhere in a file loses only the input it belongs to, and the
// loss is counted.
func TestDecodeWithAFlippedBit(t *testing.T) {
	file, whole, at := sample()
	for i := range file {
		hit := slices.IndexFunc(at, func(r [2]int) bool { return r[0] <= i && i < r[1] })
		want := slices.Clone(whole)
		if hit >= 0 {
			want = slices.Delete(want, hit, hit+1)
		}
		for bit := range 8 {
			damaged := bytes.Clone(file)
			damaged[i] ^= 1 << bit
			c := decode(damaged, readable)
			if !slices.Equal(strs(c.inputs), want) || c.lost != len(whole)-len(want) || c.damaged != (hit >= 0 || i < at[0][0]) {
				t.Fatalf("bit %d of byte %d (input %d): %d inputs, %d lost, damaged %v", bit, i, hit, len(c.inputs), c.lost, c.damaged)
			}
		}
	}
}

// A truncated file keeps the inputs before the cut and counts the others as
// long as the first line is intact.
func TestDecodeOfAFileCutShort(t *testing.T) {
	file, whole, at := sample()
	for n := range file[:len(file)-1] {
		kept := 0
		for kept < len(at) && at[kept][1] <= n {
			kept++
		}
		c := decode(file[:n], readable)
		lost := 0
		if n >= at[0][0] {
			lost = len(whole) - kept
		}
		if !slices.Equal(strs(c.inputs), whole[:kept]) || c.lost != lost || c.damaged != (kept < len(whole)) {
			t.Fatalf("cut at %d: %d inputs, %d lost, damaged %v; want %d and %d", n, len(c.inputs), c.lost, c.damaged, kept, lost)
		}
	}
}

// FuzzDecode reads arbitrary files: reading, writing and reading again changes
// nothing.
func FuzzDecode(f *testing.F) {
	for _, row := range written {
		f.Add(encode(texts(row.inputs...)))
	}
	for _, body := range []string{"in a", "---\n", "---\n---\nin a", "---\nin a\n\n---\nin a\n---\nb", "---\nx\n---", "\n\n---\n\n---\n"} {
		f.Add([]byte(headerV1 + body))
		f.Add([]byte(header(2) + body))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		given := bytes.Clone(file)
		c := decode(file, readable)
		if !bytes.Equal(file, given) {
			t.Fatalf("decode changed %q to %q", given, file)
		}
		once := encode(c.inputs)
		if again := decode(once, readable); again.damaged || !bytes.Equal(once, encode(again.inputs)) {
			t.Fatalf("%q becomes %q, then %q, damaged %v", file, once, encode(again.inputs), again.damaged)
		}
	})
}

// Decoding a file with only wrong lengths takes bounded time.
func TestDecodeBoundsItsWork(t *testing.T) {
	const size = 4 << 20
	line := fmt.Sprintf("--- 00000000 %d\n", size/2)
	c := decode([]byte(strings.Repeat(line, size/len(line))), readable)
	if !c.damaged || len(c.inputs) > 0 {
		t.Errorf("%d inputs, damaged %v", len(c.inputs), c.damaged)
	}
}
