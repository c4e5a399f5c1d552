package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterrupt sends the interrupt of Ctrl-C as soon as something is found:
// the run ends, with its findings and the exit code for them.
func TestInterrupt(t *testing.T) {
	needCompilers(t)
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("leveret", "fuzz", "--time", "1h", "--workers", "1", "--seed", "1", "testdata/examples/Auction.sol")
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+tools, "XDG_CACHE_HOME="+t.TempDir())
	var out bytes.Buffer
	cmd.Stdout = &out
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(progress)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "error at ") && strings.Contains(lines.Text(), "Auction.sol:49:9") {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitFound {
		t.Errorf("it ends with %v", err)
	}
	if !strings.Contains(out.String(), "Auction.sol:49:9: error:") || !strings.Contains(out.String(), "Auction: 1 error") {
		t.Errorf("it prints\n%s", out.String())
	}
}
