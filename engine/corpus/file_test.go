package corpus

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// texts makes inputs of strings.
func texts(list ...string) (inputs [][]byte) {
	for _, s := range list {
		inputs = append(inputs, []byte(s))
	}
	return inputs
}

// written are lists of inputs, and what is read of the file made of them.
var written = []struct {
	inputs, read []string
}{
	{nil, nil},
	{[]string{"a"}, []string{"a"}},
	{[]string{"a\n", "b\n"}, []string{"a", "b"}},
	{[]string{"a\nb\n", "c"}, []string{"a\nb", "c"}},
	{[]string{"a", "b", "a"}, []string{"a", "b"}},
	{[]string{"a\n", "a"}, []string{"a"}},
	{[]string{"a\n\nb\n", "--\n", "----"}, []string{"a\n\nb", "--", "----"}},
	{[]string{"a ---\n", "--- b"}, []string{"a ---", "--- b"}},
}

func TestSplitIsTheInverseOfJoin(t *testing.T) {
	for _, row := range written {
		file := Join(texts(row.inputs...))
		var read []string
		for _, in := range Split(file) {
			read = append(read, string(in))
		}
		if !slices.Equal(read, row.read) {
			t.Errorf("%q is read as %q, want %q", row.inputs, read, row.read)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	for _, file := range []string{"", "leveret corpus v1", "leveret corpus v2\n---\na\n", "---\na\n", "\nleveret corpus v1\n---\na\n"} {
		if got := Split([]byte(file)); got != nil {
			t.Errorf("%q is read as %q", file, got)
		}
	}
}

// Wherever a file is cut short, the inputs before the last are whole.
func TestSplitOfAFileCutShort(t *testing.T) {
	whole := texts("first\nof two lines", "second", "third")
	file := Join(whole)
	for n := range file {
		got := Split(file[:n])
		for i, in := range got[:max(0, len(got)-1)] {
			if !bytes.Equal(in, whole[i]) {
				t.Errorf("cut at %d, input %d is %q", n, i, in)
			}
		}
		if entered := bytes.Count(file[:n], []byte("\n"+separator)); len(got) < entered-1 || len(got) > entered+1 {
			t.Errorf("cut at %d, within input %d, there are %d inputs", n, entered, len(got))
		}
	}
}

// FuzzSplit reads arbitrary files: what is read, written and read again stays
// as it is.
func FuzzSplit(f *testing.F) {
	for _, row := range written {
		f.Add(Join(texts(row.inputs...)))
	}
	for _, body := range []string{"a", "---\n", "---\n---\na", "---\na\n\n---\na\n---\nb", "---\nx\n---", "\n\n---\n\n---\n"} {
		f.Add([]byte(fileHeader + body))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		given := bytes.Clone(file)
		once := Join(Split(file))
		if !bytes.Equal(file, given) {
			t.Fatalf("Split changed %q to %q", given, file)
		}
		if again := Join(Split(once)); !bytes.Equal(once, again) {
			t.Fatalf("%q becomes %q, then %q", file, once, again)
		}
	})
}

// A file is replaced as a whole, in folders that are made if need be, and
// nothing else is left beside it.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "corpus")
	for _, data := range []string{"first, and longer", "second", ""} {
		if err := Save(path, []byte(data)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != data {
			t.Fatalf("%q, %v; want %q", got, err, data)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

// Where the file cannot be put in its place, an error says so, and neither
// what stood there changes nor anything is left beside it.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := Save(file, []byte("old")); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{taken, filepath.Join(file, "below")} {
		if err := Save(path, []byte("new")); err == nil {
			t.Errorf("%s was saved", filepath.Base(path))
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Errorf("%v, %v", files, err)
	}
}

// A reader who looks while files are replaced sees one or the other.
func TestSaveIsAtomic(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus")
	content := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d", i%10), 10_000*(1+i%3)) }
	if err := Save(path, content(0)); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		for i := range 30 {
			if err := Save(path, content(i)); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		got, err := os.ReadFile(path)
		if err != nil || len(got) == 0 || len(got)%10_000 != 0 || bytes.Count(got, got[:1]) != len(got) {
			t.Errorf("%d bytes, %v", len(got), err)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
			return
		default:
		}
	}
}
