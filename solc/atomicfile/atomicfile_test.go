package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// files lists a folder.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	for _, text := range []string{"first, and longer", "second", ""} {
		if err := Check(path); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	if names := files(t, dir); len(names) != 1 {
		t.Errorf("files left: %q", names)
	}
}

// A new file gets default permissions; an existing one keeps its own.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := t.TempDir()
	usual, fresh := filepath.Join(dir, "usual"), filepath.Join(dir, "fresh")
	if err := os.WriteFile(usual, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(fresh, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	want, _ := os.Stat(usual)
	if got, _ := os.Stat(fresh); got.Mode() != want.Mode() {
		t.Errorf("a new file has %v, want %v", got.Mode(), want.Mode())
	}
	for _, perm := range []fs.FileMode{0o600, 0o640, 0o755, 0o777} {
		if err := os.Chmod(usual, perm); err != nil {
			t.Fatal(err)
		}
		if err := WriteFile(usual, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.Stat(usual); got.Mode() != perm {
			t.Errorf("permissions %v become %v", perm, got.Mode())
		}
	}
}

// A symbolic link remains a link, also if its target does not exist yet.
func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	link, middle := filepath.Join(dir, "link"), filepath.Join(dir, "deep", "middle")
	if err := os.Symlink(filepath.Join("deep", "middle"), link); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("file", middle); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"made", "replaced"} {
		if err := WriteFile(link, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Join(dir, "deep", "file")); got != text {
			t.Errorf("%q, want %q", got, text)
		}
	}
	for _, path := range []string{link, middle} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no longer a link", path)
		}
	}
	round := filepath.Join(dir, "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	if Check(round) == nil || WriteFile(round, nil, 0o666) == nil {
		t.Error("a circular link is accepted")
	}
}

// WriteFile and Check return errors that name the path, and change nothing.
func TestErrors(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, filepath.Join(dir, "missing", "file"), filepath.Join(file, "below")} {
		for what, err := range map[string]error{"Check": Check(path), "WriteFile": WriteFile(path, []byte("new"), 0o666)} {
			var p *fs.PathError
			if !errors.As(err, &p) || p.Path != path || strings.Contains(err.Error(), TempPrefix) {
				t.Errorf("%s of %s: %v", what, path, err)
			}
		}
	}
	if names := files(t, dir); len(names) != 1 || read(t, file) != "old" {
		t.Errorf("%q", names)
	}
}

// A partial write does not replace the file. A limit on file sizes simulates a
// full disk.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if err := WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	restore := limitFiles(t, 4096)
	err := WriteFile(path, bytes.Repeat([]byte("new"), 4096), 0o666)
	restore()
	if !errors.Is(err, syscall.EFBIG) {
		t.Errorf("got %v, want file too large", err)
	}
	if names := files(t, dir); len(names) != 1 || read(t, path) != "old" {
		t.Errorf("%q, %q", names, read(t, path))
	}
}

// A concurrent reader sees either the old or the new file.
func TestReadersSeeWholeFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	content := func(i int) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d", i%10), 10_000*(1+i%3)) }
	if err := WriteFile(path, content(0), 0o666); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 30 && err == nil; i++ {
			err = WriteFile(path, content(i), 0o666)
		}
		done <- err
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
