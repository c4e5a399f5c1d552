package solc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// answerMark starts each answer of the worker script; what precedes it on the
// line, and lines without it, is noise.
const answerMark = `{"leveret":1,`

var (
	errWorkerDied    = errors.New("the compiler's process died")
	errWorkerStopped = errors.New("the compiler was stopped")
	errBrokeDown     = errors.New("the compiler broke down")
)

// A workerProcess is one run of the worker script.
type workerProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan workerAnswer // closed when the output ends
	ended   chan struct{}     // closed when the process is gone
	stderr  tail
	startup time.Duration
	killed  atomic.Bool
	last    int // request id
}

// startWorker starts node and waits until the compiler is loaded.
func startWorker(node, where string, timeout <-chan time.Time) (*workerProcess, error) {
	began := time.Now()
	p := &workerProcess{answers: make(chan workerAnswer, 1), ended: make(chan struct{})}
	p.cmd = groupCommand(context.Background(), node, "--no-warnings", "-e", workerScript, "--", where)
	p.cmd.Stderr = &p.stderr
	dieWithParent(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go p.live(out, started)
	if err := <-started; err != nil {
		return nil, err
	}
	if _, err := p.answer(0, timeout); err != nil {
		p.kill()
		return nil, err
	}
	p.startup = time.Since(began)
	return p, nil
}

// live starts the process, reads its answers and waits for its end. It keeps
// the thread that starts the process, see dieWithParent.
func (p *workerProcess) live(out io.Reader, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(p.ended)
	defer close(p.answers)
	err := p.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	p.read(out)
	killGroup(p.cmd) // it has nothing more to say; helpers it started go with it
	p.cmd.Wait()
}

// read passes answers on until the output ends.
func (p *workerProcess) read(out io.Reader) {
	lines := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := lines.ReadBytes('\n')
		if start := bytes.Index(line, []byte(answerMark)); start >= 0 {
			if a, ok := parseAnswer(line[start:]); ok {
				p.answers <- a
			}
		}
		if err != nil {
			return
		}
	}
}

// parseAnswer reads one answer. The output, which can have many megabytes, is cut
// out and not parsed here.
func parseAnswer(line []byte) (workerAnswer, bool) {
	var a workerAnswer
	line = bytes.TrimSpace(line)
	head, output, found := bytes.Cut(line, []byte(`,"output":`))
	if found && bytes.HasSuffix(output, []byte("}")) {
		a.Output = output[:len(output)-1]
		line = append(bytes.Clone(head), '}')
	}
	return a, json.Unmarshal(line, &a) == nil
}

// ask sends a request and waits for its answer.
func (p *workerProcess) ask(input []byte, timeout <-chan time.Time) (workerAnswer, error) {
	p.last++
	request, err := json.Marshal(struct {
		ID    int    `json:"id"`
		Input string `json:"input"`
	}{p.last, string(input)})
	if err != nil {
		return workerAnswer{}, err
	}
	go p.in.Write(append(request, '\n')) // a process that does not read is ended by the time-out
	return p.answer(p.last, timeout)
}

// answer waits for the answer to a request; id 0 is the greeting.
func (p *workerProcess) answer(id int, timeout <-chan time.Time) (workerAnswer, error) {
	for {
		select {
		case a, ok := <-p.answers:
			if !ok {
				<-p.ended
				if p.killed.Load() {
					return a, errWorkerStopped
				}
				return a, fmt.Errorf("%w%s", errWorkerDied, lastLine(p.stderr.String()))
			}
			if a.ID == id && a.Ready == (id == 0) {
				return a, nil
			}
		case <-timeout:
			return workerAnswer{}, errTimeout
		}
	}
}

// kill ends the process and its group, and waits until it is gone.
func (p *workerProcess) kill() {
	select {
	case <-p.ended:
		return // its id may belong to another process by now
	default:
	}
	p.killed.Store(true)
	killGroup(p.cmd)
	p.in.Close()
	for range p.answers {
	}
	<-p.ended
}

// A tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - 4096; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
