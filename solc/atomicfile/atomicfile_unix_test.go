//go:build unix

package atomicfile

import (
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

// limitFiles limits the size of files until restore is called.
func limitFiles(t *testing.T, size uint64) (restore func()) {
	t.Helper()
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		t.Skip(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	limited := old
	limited.Cur = size
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited); err != nil {
		t.Skip(err)
	}
	return func() {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
	}
}

// WriteFile writes to a pipe and does not replace it.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Check(path); err != nil {
		t.Fatal(err)
	}
	got := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(path)
		got <- string(text)
	}()
	if err := WriteFile(path, []byte("through"), 0o666); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("%q", text)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Error("the path is no longer a pipe")
	}
}
