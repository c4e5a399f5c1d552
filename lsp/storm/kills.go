package main

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"leveret/lsp/lsptest"
)

// killedSource has a bug that a campaign finds within a second.
const killedSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Bug {
    uint256 public sum;
    function add(uint256 x) external { sum += x % 100; assert(sum != NUMBER); }
    function set(uint256 a, uint256 b) external { require(a > b); assert(a - b != 7); }
}
`

// hangingSolc is a native compiler that forks and never ends.
const hangingSolc = `#!/bin/sh
if test "$1" = --version; then echo Version: 0.8.30; exit; fi
sleep 1000 &
sleep 1000
`

// wrappedSolc is a script around a compiler, as solc-select installs one.
const wrappedSolc = `#!/bin/sh
if test "$1" = --version; then echo Version: 0.8.30; exit; fi
cat | node %s/solc.js --standard-json
`

const (
	maxKillDelay = 2500 * time.Millisecond
	restartEvery = 4  // kills, by kind
	maxTemporary = 20 // files that may be left by all kills together
)

// kills ends servers by SIGKILL at random moments.
func kills(ctx context.Context, o options) (out outcome, err error) {
	out.unit = "kills"
	s := &killStorm{options: o, outcome: &out, random: rand.New(rand.NewPCG(uint64(o.seed), 2))}
	if err := s.prepare(); err != nil {
		return out, err
	}
	for out.trials < o.trials {
		kind := s.kinds[out.trials%len(s.kinds)]
		if err := s.kill(ctx, kind); err != nil {
			return out, err
		}
		if out.trials++; out.trials%restartEvery == 0 {
			if err := s.restart(ctx); err != nil {
				s.fail("after %d kills: %v", out.trials, err)
			}
		}
	}
	if left := s.temporary(); len(left) > maxTemporary {
		s.fail("%d temporary files are left: %q", len(left), left[:maxTemporary])
	}
	out.detail = fmt.Sprintf("%d with compilers or fuzzing under way, %d restarts, %d temporary files", s.busy, s.restarts, len(s.temporary()))
	return out, nil
}

type killStorm struct {
	options
	*outcome
	random         *rand.Rand
	kinds          []killKind
	project        string
	busy, restarts int
}

// A killKind is the environment of a killed server.
type killKind struct {
	name string
	env  []string
}

func (s *killStorm) prepare() error {
	sound := filepath.Join(s.tools, "node_modules", "solc-0.8.30")
	s.project = filepath.Join(s.dir, "project")
	files := map[string]string{
		filepath.Join(s.project, "Bug.sol"):         s.source(),
		filepath.Join(s.dir, "hanging", "solc"):     hangingSolc,
		filepath.Join(s.dir, "wrapped", "solc"):     fmt.Sprintf(wrappedSolc, sound),
		filepath.Join(s.dir, "temporary", "README"): "what is left here is counted",
	}
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			return err
		}
	}
	env := append(environ(s.dir), "LEVERET_TOOLS="+s.tools, "TMPDIR="+filepath.Join(s.dir, "temporary"))
	path := func(dir string) []string {
		return append(environ(s.dir), "TMPDIR="+filepath.Join(s.dir, "temporary"),
			"PATH="+filepath.Join(s.dir, dir)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	s.kinds = []killKind{{"JavaScript", env}, {"hanging compiler", path("hanging")}, {"JavaScript", env}, {"wrapped compiler", path("wrapped")}}
	return nil
}

// source returns a text that was not compiled before.
func (s *killStorm) source() string {
	return strings.ReplaceAll(killedSource, "NUMBER", fmt.Sprint(50+s.random.IntN(40)))
}

// kill starts a server, gives it work, and kills it at a random moment.
func (s *killStorm) kill(ctx context.Context, kind killKind) error {
	c, err := startClient(ctx, s.options, kind.env, `{"idle":true,"trusted":true}`)
	if err != nil {
		return err
	}
	end := time.Now().Add(time.Duration(s.random.Int64N(int64(maxKillDelay))))
	c.Listen()
	working := make(chan error, 1)
	go func() { working <- s.work(ctx, c) }()
	select {
	case <-time.After(time.Until(end)):
	case <-c.Ended():
		s.fail("%s: the server ended by itself: %s", kind.name, lastLines(c))
	}
	if len(c.family()) > 0 {
		s.busy++
	}
	c.Kill()
	<-working
	if left := c.remaining(); len(left) > 0 {
		s.fail("%s: the kill left %q", kind.name, left)
		killAll(left)
	}
	return ctx.Err()
}

// work opens a file and saves it repeatedly until the server has ended.
func (s *killStorm) work(ctx context.Context, c *client) error {
	if err := c.initialize(ctx, s.project); err != nil {
		return err
	}
	path := filepath.Join(s.project, "Bug.sol")
	if err := c.Open(path, 1, s.source()); err != nil {
		return err
	}
	for version := 2; ; version++ {
		select {
		case <-c.Ended():
			return nil
		case <-time.After(700 * time.Millisecond):
		}
		if err := c.Change(path, version, s.source()); err != nil {
			return err
		}
		if err := c.Save(path); err != nil {
			return err
		}
	}
}

// restart starts a server after kills: it reads the corpus and shows the
// finding.
func (s *killStorm) restart(ctx context.Context) error {
	s.restarts++
	c, err := startClient(ctx, s.options, s.kinds[0].env, `{"idle":false,"trusted":true}`)
	if err != nil {
		return err
	}
	defer c.Kill()
	if err := c.initialize(ctx, s.project); err != nil {
		return err
	}
	path := filepath.Join(s.project, "Bug.sol")
	if err := c.Open(path, 1, strings.ReplaceAll(killedSource, "NUMBER", "50")); err != nil {
		return err
	}
	err = c.Wait(ctx, func() bool { return strings.Contains(string(c.diagnose[lsptest.URI(path)]), `"assertion"`) })
	if err != nil {
		return fmt.Errorf("no finding after a restart: %w\n%s", err, lastLines(c))
	}
	if text, _ := c.stderr.read(); strings.Contains(text, "WARN") || strings.Contains(text, "ERROR") {
		return fmt.Errorf("warning after a restart: %s", text)
	}
	if code, err := c.Quit(ctx); err != nil || code != 0 {
		return fmt.Errorf("exit code %d, %w", code, err)
	}
	return nil
}

// temporary lists the files that look temporary.
func (s *killStorm) temporary() []string {
	var list []string
	_ = filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "README" {
			return nil
		}
		if strings.HasPrefix(path, filepath.Join(s.dir, "temporary")) || strings.Contains(d.Name(), "tmp") || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "new-") {
			list = append(list, path)
		}
		return nil
	})
	return list
}
