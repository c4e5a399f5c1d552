package server

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A process is the built command with its standard input and output.
type process struct {
	io.WriteCloser
	io.Reader
	cmd  *exec.Cmd
	once sync.Once
}

func (p *process) Close() error {
	err := p.WriteCloser.Close()
	p.wait()
	return err
}

// wait returns when the process has ended. The test and the connection, which
// closes at the end of input, both wait, but exec allows one call of Wait.
func (p *process) wait() { p.once.Do(func() { _ = p.cmd.Wait() }) }

// launch starts the command as an editor does, with an empty cache.
func launch(t testing.TB, leveret, tools string) (*editor, *process) {
	t.Helper()
	return launchAt(t, leveret, tools, t.TempDir(), t.TempDir(), `{"idle":false,"trusted":true}`)
}

// launchAt starts the command with a home, a workspace and settings.
func launchAt(t testing.TB, leveret, tools, home, workspace, settings string) (*editor, *process) {
	t.Helper()
	cmd := exec.Command(leveret, "lsp")
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+tools, "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	if log := os.Getenv("LEVERET_STDERR"); log != "" {
		f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		cmd.Stderr = f
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{WriteCloser: in, Reader: out, cmd: cmd}
	e := attach(t, p)
	e.dir = workspace
	e.settings(settings)
	e.start(allCapabilities, strings.Replace(settings, "{", `{"notifications":true,`, 1))
	return e, p
}

// leave sends shutdown and exit and waits for the process.
func (e *editor) leave(p *process) {
	if err := e.server.Shutdown(e.ctx()); err == nil {
		_ = e.server.Exit(e.ctx())
	}
	_ = p.WriteCloser.Close()
	_ = e.conn.Close()
	p.wait()
}

// kill sends SIGKILL to the process.
func (e *editor) kill(p *process) {
	_ = p.cmd.Process.Kill()
	p.wait()
	_ = e.conn.Close()
}

// children lists the processes that a process started.
func children(t testing.TB, pid int) []int {
	t.Helper()
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(tasks) == 0 {
		need(t, "a /proc that tells the children of processes")
	}
	var list []int
	for _, task := range tasks {
		raw, _ := os.ReadFile(task) // fails for a thread that has ended
		for _, field := range strings.Fields(string(raw)) {
			if n, err := strconv.Atoi(field); err == nil && !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	return list
}

// gone waits until a process has ended.
func gone(t testing.TB, pid int) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if _, rest, ok := strings.Cut(string(raw), ") "); err != nil || ok && strings.HasPrefix(rest, "Z") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still running", pid)
}
