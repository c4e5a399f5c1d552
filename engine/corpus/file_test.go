package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// load reads the corpus at path and wants no error.
func load(t *testing.T, path string) []string {
	t.Helper()
	inputs, err := Open(path, readable).Load()
	if err != nil {
		t.Fatal(err)
	}
	return strs(inputs)
}

func save(t *testing.T, f *File, inputs ...string) {
	t.Helper()
	if err := f.Save(texts(inputs...)); err != nil {
		t.Fatal(err)
	}
}

// A File removes what it loaded or saved, and makes folders if need be.
func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "A.corpus")
	f := Open(path, readable)
	if inputs, err := f.Load(); err != nil || len(inputs) > 0 {
		t.Fatalf("%q, %v", inputs, err)
	}
	for _, want := range [][]string{{"in 1", "in 2"}, {"in 2", "in 3"}, {"in 4"}, nil} {
		save(t, f, want...)
		if got := load(t, path); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	save(t, f, "in 5")
	g := Open(path, readable)
	if _, err := g.Load(); err != nil {
		t.Fatal(err)
	}
	save(t, g, "in 6")
	if got := load(t, path); !slices.Equal(got, []string{"in 6"}) {
		t.Errorf("%q", got)
	}
}

// Inputs that another File adds stay, however often this one saves.
func TestSaveKeepsWhatOthersAdd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "A.corpus")
	first, second := Open(path, readable), Open(path, readable)
	save(t, first, "in 1")
	save(t, second, "in a")
	save(t, first, "in 1", "in 2")
	save(t, first, "in 2", "in 3")
	save(t, second, "in a", "in b")
	save(t, second, "in b")
	got := load(t, path)
	slices.Sort(got)
	if want := []string{"in 2", "in 3", "in b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// After very many inputs, a File still knows its own from those of others.
func TestSaveManyInputs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "A.corpus")
	f, other := Open(path, readable), Open(path, readable)
	var many []string
	for i := range maxMine + 1 {
		many = append(many, fmt.Sprint("in ", i))
	}
	save(t, f, many...)
	save(t, other, "in x")
	save(t, f, many[:3]...)
	save(t, f, "in y")
	if got := load(t, path); !slices.Equal(got, []string{"in y", "in x"}) || len(f.mine) > 10 {
		t.Errorf("%q, and %d inputs are remembered", got, len(f.mine))
	}
}

// Concurrent saves lose nothing.
func TestSaveAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "A.corpus")
	const files, each = 8, 12
	var all sync.WaitGroup
	for i := range files {
		all.Go(func() {
			f := Open(path, readable)
			var own []string
			for k := range each {
				own = append(own, fmt.Sprintf("in %d of %d", k, i))
				if err := f.Save(texts(own...)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got := load(t, path); len(got) != files*each {
		t.Errorf("%d inputs, want %d", len(got), files*each)
	}
}

// Saving works without a lock, as on some network file systems.
func TestSaveWithoutLock(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, lockName), 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "A.corpus")
	save(t, Open(path, readable), "in 1")
	save(t, Open(path, readable), "in 2")
	if got := load(t, path); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// A damaged file is reported once, and a copy of it is kept.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"header": func(b []byte) []byte { b[3] ^= 1; return b },
		"input":  func(b []byte) []byte { b[len(b)-3] ^= 4; return b },
		"cut":    func(b []byte) []byte { return b[:len(b)-9] },
		"all":    func([]byte) []byte { return []byte("garbage") },
		"empty":  func([]byte) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "A.corpus")
			save(t, Open(path, readable), "in 1", "in 2", "in 3")
			file, _ := os.ReadFile(path)
			file = damage(file)
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			f := Open(path, readable)
			inputs, err := f.Load()
			var d *Damage
			if !errors.As(err, &d) || d.Kept != len(inputs) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore") {
				t.Fatalf("%d inputs, %v", len(inputs), err)
			}
			save(t, f, append(strs(inputs), "in 4")...)
			if kept, err := os.ReadFile(filepath.Join(dir, d.Copy)); err != nil || !bytes.Equal(kept, file) {
				t.Errorf("%q is kept as %q, %v", file, kept, err)
			}
			if got := load(t, path); len(got) != len(inputs)+1 {
				t.Errorf("%q", got)
			}
		})
	}
}

// Save reports a file that was damaged during use.
func TestDamageMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "A.corpus")
	f := Open(path, readable)
	save(t, f, "in 1")
	if err := os.WriteFile(path, []byte("garbage"), 0o666); err != nil {
		t.Fatal(err)
	}
	var d *Damage
	if err := f.Save(texts("in 1", "in 2")); !errors.As(err, &d) || d.Kept != 0 {
		t.Errorf("%v", err)
	}
	save(t, f, "in 1", "in 2")
	if got := load(t, path); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// A damaged file that cannot be copied is left as it is.
func TestDamageThatCannotBeCopied(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "A.corpus")
	if err := os.WriteFile(path, []byte("garbage"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := Open(path, readable).Load()
	var d *Damage
	if !errors.As(err, &d) {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, d.Copy)), os.Mkdir(filepath.Join(dir, d.Copy), 0o755)); err != nil {
		t.Fatal(err)
	}
	f := Open(path, readable)
	if _, err := f.Load(); err == nil || errors.As(err, &d) {
		t.Errorf("%v", err)
	}
	if err := f.Save(texts("in 1")); err == nil {
		t.Error("it was saved")
	}
	if text, _ := os.ReadFile(path); string(text) != "garbage" {
		t.Errorf("%q", text)
	}
}

// If the file cannot be replaced, the error names it and it stays unchanged.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "inner"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{taken, filepath.Join(file, "below")} {
		if err := Open(path, readable).Save(texts("in 1")); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != "old" {
		t.Errorf("%q, %v", got, err)
	}
}
