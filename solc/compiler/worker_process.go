package compiler

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// answerMark starts each answer of the worker script. Text before it and lines
// without it are ignored.
const answerMark = `{"leveret":1,`

var (
	errWorkerDied    = errors.New("the compiler's process died")
	errWorkerStopped = errors.New("the compiler was stopped")
	errBrokeDown     = errors.New("internal compiler error")
	errMemory        = errors.New("it ran out of memory")
)

// shortages are what Emscripten, node and C++ print, in lower case, if the memory of
// the compiler, of node or of the machine does not suffice.
var shortages = []string{"out of memory", "(oom)", "cannot enlarge memory", "allocation failed", "bad_alloc"}

// isShortage reports whether a complaint is about memory.
func isShortage(complaint string) bool {
	complaint = strings.ToLower(complaint)
	return slices.ContainsFunc(shortages, func(s string) bool { return strings.Contains(complaint, s) })
}

// A workerProcess is one run of the worker script.
type workerProcess struct {
	child   *child
	in      io.WriteCloser
	answers chan workerAnswer // closed when the output ends
	ended   chan struct{}     // closed when the process is gone
	stderr  tail
	loaded  bool // the compiler greeted
	killed  atomic.Bool
	over    atomic.Bool // it printed too much
	end     error       // of the process, once ended is closed
	last    int         // request id
}

// startWorker starts node. The compiler is not loaded yet, see load.
func startWorker(node, where string) (*workerProcess, error) {
	p := &workerProcess{answers: make(chan workerAnswer, 1), ended: make(chan struct{})}
	p.child = compilerChild(context.Background(), where, node, "--no-warnings", "-e", workerScript, "--", where)
	p.stderr.limit, p.stderr.full = maxOutput, p.overflow
	p.child.Stderr = &p.stderr
	in, err := p.child.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.in = in
	out, err := p.child.StdoutPipe()
	if err != nil {
		return nil, err
	}
	started := make(chan error)
	go onThread(func() { p.live(out, started) })
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// load waits until the compiler is loaded.
func (p *workerProcess) load(timeout <-chan time.Time) error {
	if p.loaded {
		return nil
	}
	_, err := p.answer(0, timeout)
	p.loaded = err == nil
	return err
}

// live starts the process, reads its answers and waits for its end.
func (p *workerProcess) live(out io.Reader, started chan<- error) {
	defer close(p.ended)
	defer close(p.answers)
	err := p.child.start()
	started <- err
	if err != nil {
		return
	}
	p.read(out)
	_ = p.child.kill() // its output has ended
	p.end = p.child.wait()
}

// read forwards answers until the output ends or an answer is too long.
func (p *workerProcess) read(out io.Reader) {
	lines := bufio.NewReaderSize(out, outputPiece)
	var pieces [][]byte // of a line
	for spent := 0; ; {
		part, err := lines.ReadSlice('\n')
		if spent += len(part); spent > maxOutput {
			p.overflow()
			return
		}
		pieces = append(pieces, bytes.Clone(part))
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if a, ok := findAnswer(bytes.Join(pieces, nil)); ok {
			p.answers <- a
			spent = 0
			p.stderr.reset()
		}
		if err != nil {
			return
		}
		pieces = nil
	}
}

// findAnswer reads the answer in a line, if there is one.
func findAnswer(line []byte) (workerAnswer, bool) {
	start := bytes.Index(line, []byte(answerMark))
	if start < 0 {
		return workerAnswer{}, false
	}
	return parseAnswer(line[start:])
}

// overflow ends a process that printed more than maxOutput bytes.
func (p *workerProcess) overflow() {
	p.over.Store(true)
	_ = p.child.kill()
}

// parseAnswer parses one answer, except for the compiler's output, which can
// have many megabytes.
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
	go p.in.Write(append(request, '\n')) // the time-out ends a process that does not read
	return p.answer(p.last, timeout)
}

// answer waits for the answer to a request; id 0 is the greeting.
func (p *workerProcess) answer(id int, timeout <-chan time.Time) (workerAnswer, error) {
	for {
		select {
		case a, ok := <-p.answers:
			if !ok {
				<-p.ended
				if p.over.Load() {
					return a, overflowError(maxOutput)
				}
				if p.killed.Load() {
					return a, errWorkerStopped
				}
				return a, p.death()
			}
			if a.ID == id && a.Ready == (id == 0) {
				return a, nil
			}
		case <-timeout:
			return workerAnswer{}, errTimeout
		}
	}
}

// death returns why a process died that nothing here ended. A system that is short
// of memory kills without a word.
func (p *workerProcess) death() error {
	complaint := p.stderr.String()
	silent := strings.TrimSpace(complaint) == "" && p.end != nil && p.end.Error() == "signal: killed"
	if silent || isShortage(complaint) {
		return fmt.Errorf("%w: %w", errWorkerDied, errMemory)
	}
	return fmt.Errorf("%w%s", errWorkerDied, lastLine(complaint))
}

// kill ends the process and its group, and waits until it is gone.
func (p *workerProcess) kill() {
	p.killed.Store(true)
	_ = p.child.kill()
	p.in.Close()
	for range p.answers {
	}
	<-p.ended
}
