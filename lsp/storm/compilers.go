package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"leveret/lsp/lsptest"
)

// A sickness is the fault of a compiler for sources named Sick.
type sickness struct {
	name       string
	script     string // of a shell, instead of compiling
	javaScript string // of node, the body of compile(input), instead
	version    string // of a shell, instead of printing the version; then no source compiles
	slow       bool   // ends by the time limit of two minutes
	works      bool   // Leveret may accept it as working
}

const (
	// maxCompilerPeak is the memory limit in MB: a compiler's output at its limit
	// of 256 MB, and the copies made while it is read.
	maxCompilerPeak = 1500
	// maxCompilerTime is twice the time limit of compilers, with a margin.
	maxCompilerTime = 6 * time.Minute
)

var sicknesses = []sickness{
	{name: "endless lines", script: `yes`},
	{name: "endless line", script: `tr '\0' x < /dev/zero`},
	{name: "endless complaint", script: `yes >&2`},
	{name: "endless output, ignores SIGTERM", script: `trap '' TERM HUP INT PIPE; yes & wait`},
	{name: "an empty object", script: `echo '{}'`},
	{name: "random bytes", script: `head -c 100000 /dev/urandom`},
	{name: "nothing", script: `exit 0`},
	{name: "exit code", script: `echo out of luck >&2; exit 3`},
	{name: "segmentation fault", script: `kill -SEGV $$`},
	{name: "killed", script: `kill -KILL $$`},
	{name: "dies midway", script: `printf '{"contracts":{"Sick.sol":{'; kill -KILL $$`},
	{name: "a child keeps the output", script: `sleep 1000 & exit 0`},
	{name: "many children", script: `for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & done; exit 1`},
	{name: "closes its output", script: `exec >&- 2>&-; sleep 1000`},
	{name: "a huge message", script: `printf '{"errors":[{"severity":"error","message":"'; head -c 50000000 /dev/zero | tr '\0' x; echo '"}]}'`},
	{name: "deep JSON", script: `printf '{"errors":'; head -c 1000000 /dev/zero | tr '\0' '['; echo '}'`},
	{name: "truncated JSON", script: `echo '{"contracts":{"Sick.sol":{"Sick":{"evm":{}}'`},
	{name: "invalid UTF-8", script: `printf '{"errors":[{"severity":"error","message":"\377\376"}]}'`},
	{name: "escape characters", script: `printf '{"errors":[{"severity":"error","message":"\\u001b[31mred\\u0000\\n\\nlines"}]}'`},
	{name: "wrong types", script: `echo '{"contracts":[],"sources":7,"errors":"x"}'`},
	{name: "an array", script: `echo '[]'`},
	{name: "null", script: `echo 'null'`},
	{name: "a source nobody gave", script: `echo '{"sources":{"Other.sol":{"id":7}},"contracts":{}}'`},
	{name: "an id out of range", script: `echo '{"sources":{"Sick.sol":{"id":2000000000}},"contracts":{}}'`},
	{name: "code that is no code", script: `echo '{"sources":{"Sick.sol":{"id":0}},"contracts":{"Sick.sol":{"Sick":{"evm":{"bytecode":{"object":"zz"}}}}}}'`},
	{name: "places out of range", script: `echo '{"errors":[{"severity":"error","message":"x","sourceLocation":{"file":"Sick.sol","start":-5,"end":999999999}}]}'`},
	{name: "never ends", script: `sleep 1000`, slow: true},
	{name: "drips", script: `while :; do printf x; sleep 1; done`, slow: true},

	{name: "no version", version: `exit 0`},
	{name: "a version of garbage", version: `head -c 1000 /dev/urandom`},
	{name: "an endless version", version: `yes`},
	{name: "a version that never comes", version: `sleep 1000`},
	{name: "a version that fails", version: `echo broken >&2; exit 1`},
	{name: "another version", version: `echo Version: 7.7.7`},
	{name: "a version that changes", version: `echo x >> $0.calls; echo Version: 0.8.$(wc -l < $0.calls)`, works: true},

	{name: "JavaScript that throws", javaScript: `throw new Error("out of luck")`},
	{name: "JavaScript without an answer", javaScript: `return undefined`},
	{name: "JavaScript that exits", javaScript: `process.exit(3)`},
	{name: "JavaScript that is killed", javaScript: `process.kill(process.pid, "SIGKILL"); while (true) {}`},
	{name: "JavaScript with an empty object", javaScript: `return "{}"`},
	{name: "JavaScript with garbage", javaScript: `return "garbage"`},
	{name: "JavaScript that prints without end", javaScript: `for (;;) require("fs").writeSync(1, "x".repeat(1 << 16))`},
	{name: "JavaScript that complains without end", javaScript: `for (;;) require("fs").writeSync(2, "x".repeat(1 << 16) + "\n")`},
	{name: "JavaScript with a huge answer", javaScript: `return JSON.stringify({ errors: [{ severity: "error", message: "x".repeat(300 << 20) }] })`},
	{name: "JavaScript that never ends", javaScript: `for (;;);`, slow: true},
}

// compilers runs the server and the command with sick compilers.
func compilers(ctx context.Context, o options) (out outcome, err error) {
	out.unit = "sick compilers"
	if _, err := exec.LookPath("node"); err != nil {
		return out, fmt.Errorf("node is needed: %w", err)
	}
	s := &compilerStorm{options: o, outcome: &out}
	list := s.choose()
	places := make(chan struct{}, 2)
	var all sync.WaitGroup
	for i, t := range list {
		if !t.slow {
			places <- struct{}{} // slow ones only wait and need none
		}
		all.Go(func() {
			if !t.slow {
				defer func() { <-places }()
			}
			s.try(ctx, fmt.Sprint(i), t)
		})
	}
	all.Wait()
	out.detail = fmt.Sprintf("%d kinds, at most %d MB", min(len(list), 2*len(sicknesses)), s.peak)
	return out, ctx.Err()
}

type compilerStorm struct {
	options
	mu sync.Mutex
	*outcome
	peak int
}

// A treatment is a sick compiler in an editor or on the command line.
type treatment struct {
	sickness
	editor bool
}

// choose lists the treatments to run: some quick ones if few are requested.
func (s *compilerStorm) choose() (list []treatment) {
	for _, ill := range sicknesses {
		list = append(list, treatment{ill, true}, treatment{ill, false})
	}
	if s.options.trials >= len(sicknesses) {
		slices.SortStableFunc(list, func(a, b treatment) int { // slow ones first
			if a.slow == b.slow {
				return 0
			} else if a.slow {
				return -1
			}
			return 1
		})
		return list
	}
	list = slices.DeleteFunc(list, func(t treatment) bool {
		return t.slow || strings.Contains(t.name, "huge") || strings.Contains(t.name, "never")
	})
	step := max(1, len(list)/s.options.trials)
	var some []treatment
	for i := 0; i < len(list) && len(some) < s.options.trials; i += step {
		some = append(some, list[min(i+len(some)%2, len(list)-1)]) // in the editor and on the command line in turn
	}
	return some
}

func (s *compilerStorm) broke(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail(format, args...)
}

func (s *compilerStorm) saw(peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peak = max(s.peak, peak)
	s.outcome.trials++
}

// try runs one treatment in a separate folder.
func (s *compilerStorm) try(ctx context.Context, folder string, t treatment) {
	ctx, cancel := context.WithTimeout(ctx, maxCompilerTime)
	defer cancel()
	dir := filepath.Join(s.dir, folder, "project")
	env, err := s.install(dir, t.sickness)
	if err != nil {
		s.broke("%s: %v", t.name, err)
		return
	}
	name, run := t.name+", command line", s.command
	if t.editor {
		name, run = t.name+", editor", s.editor
	}
	start := time.Now()
	peak, err := run(ctx, dir, env, t.sickness)
	s.saw(peak)
	if err != nil {
		s.broke("%s: %v", name, err)
	}
	if peak > maxCompilerPeak {
		s.broke("%s: Leveret took %d MB", name, peak)
	}
	fmt.Fprintf(s.log, "%s: %d MB, %.1f s\n", name, peak, time.Since(start).Seconds())
	_ = os.RemoveAll(filepath.Dir(dir))
}

// install writes a project and its compiler and returns the environment.
func (s *compilerStorm) install(dir string, ill sickness) ([]string, error) {
	sound := filepath.Join(s.tools, "node_modules", "solc-0.8.30")
	files := map[string]string{
		filepath.Join(dir, "Sick.sol"): "pragma solidity ^0.8.0;\ncontract Sick { function f() public {} }\n",
		filepath.Join(dir, "Good.sol"): "pragma solidity ^0.8.0;\ncontract Good { function }\n", // the compiler refuses it
	}
	bin := filepath.Join(filepath.Dir(dir), "bin")
	if ill.javaScript != "" {
		files[filepath.Join(dir, "node_modules", "solc", "package.json")] = `{"name":"solc","version":"0.8.30","main":"index.js"}`
		files[filepath.Join(dir, "node_modules", "solc", "soljson.js")] = ""
		files[filepath.Join(dir, "node_modules", "solc", "index.js")] = fmt.Sprintf(
			"const sound = require(%q);\nmodule.exports = { ...sound, compile(input) { if (input.includes('Sick')) { %s }\nreturn sound.compile(input); } };\n", sound, ill.javaScript)
	} else {
		version := ill.version
		if version == "" {
			version = "echo Version: 0.8.30+commit.73712a01"
		}
		files[filepath.Join(bin, "solc")] = fmt.Sprintf("#!/bin/sh\nif test \"$1\" = --version; then %s; exit; fi\ninput=$(cat)\ncase $input in *Sick*) %s; exit;; esac\nprintf %%s \"$input\" | node %s/solc.js --standard-json\n",
			version, cmp.Or(ill.script, "exit 1"), sound)
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			return nil, err
		}
	}
	env := environ(filepath.Dir(dir))
	for i, v := range env {
		if path, ok := strings.CutPrefix(v, "PATH="); ok {
			env[i] = "PATH=" + bin + string(os.PathListSeparator) + path
		}
	}
	return env, nil
}

// editor opens both files in an editor: each must get its own diagnostics.
func (s *compilerStorm) editor(ctx context.Context, dir string, env []string, ill sickness) (peak int, err error) {
	c, err := startClient(ctx, s.options, env, `{"idle":false,"trusted":true}`)
	if err != nil {
		return 0, err
	}
	defer c.Kill()
	if err := c.initialize(ctx, dir); err != nil {
		return 0, err
	}
	for _, name := range []string{"Sick.sol", "Good.sol"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return 0, err
		}
		if err := c.Open(filepath.Join(dir, name), 1, string(text)); err != nil {
			return 0, err
		}
	}
	err = s.reportedBoth(ctx, c, dir, ill)
	peak = c.peak()
	if err == nil {
		var code int
		if code, err = c.Quit(ctx); err == nil && code != 0 {
			err = fmt.Errorf("exit code %d", code)
		}
	}
	c.Kill()
	if left := c.remaining(); err == nil && len(left) > 0 {
		killAll(left)
		err = fmt.Errorf("processes are left: %q", left)
	}
	return peak, err
}

// reportedBoth waits for the diagnostics of both files.
func (s *compilerStorm) reportedBoth(ctx context.Context, c *client, dir string, ill sickness) error {
	for _, name := range []string{"Good.sol", "Sick.sol"} {
		uri := lsptest.URI(filepath.Join(dir, name))
		for {
			reported := false
			err := c.Wait(ctx, func() bool {
				reported = len(c.diagnose[uri]) > len("[]") || ill.works && name == "Sick.sol"
				return reported
			})
			if errors.Is(err, lsptest.ErrTimeout) && ill.slow {
				continue // until the context ends
			}
			if err != nil {
				return fmt.Errorf("no message names %s: %w\n%s", name, err, lastLines(c))
			}
			break
		}
		var text string
		c.Do(func() { text = string(c.diagnose[uri]) })
		if len(text) > 100_000 || strings.Contains(text, "goroutine ") {
			return fmt.Errorf("the message has %d bytes for %s: %.300s", len(text), name, text)
		}
	}
	return nil
}

// command runs doctor on the files, which must report the errors of each.
func (s *compilerStorm) command(ctx context.Context, dir string, env []string, ill sickness) (peak int, err error) {
	cmd := exec.CommandContext(ctx, s.leveret, "doctor", dir)
	mark := fmt.Sprintf("%d.%d", os.Getpid(), time.Now().UnixNano())
	cmd.Env = append(slices.Clone(env), marker+"="+mark)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(20 * time.Millisecond):
			peak = max(peak, memoryOf(cmd.Process.Pid)>>20)
		}
	}
	if left := remaining(cmd.Process.Pid, mark); len(left) > 0 {
		killAll(left)
		return peak, fmt.Errorf("processes are left: %q", left)
	}
	return peak, complained(cmd.ProcessState.ExitCode(), out.String(), complaint.String(), ill)
}

// complained checks the output of a command with a sick compiler.
func complained(code int, out, complaint string, ill sickness) error {
	lines := strings.Count(complaint, "\n")
	switch {
	case code != 2:
		return fmt.Errorf("exit code %d\n%.500s", code, complaint)
	case strings.Contains(complaint, "goroutine ") || strings.Contains(complaint, "panic"):
		return fmt.Errorf("it panicked: %.1000s", complaint)
	case lines == 0 || lines > 4 || len(complaint) > 5000:
		return fmt.Errorf("output of %d lines and %d bytes: %.500q", lines, len(complaint), complaint)
	case !ill.works && ill.version == "" && !strings.Contains(complaint, "Good.sol"):
		return fmt.Errorf("it did not continue with Good.sol: %.500s", complaint)
	}
	return nil
}
