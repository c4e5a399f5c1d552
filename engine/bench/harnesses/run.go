package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A result is a harness and what leveret finds, a line of the file of results.
type result struct {
	Date     string `json:"date"`
	Revision string `json:"revision"` // of leveret
	harness
	Compiler string    `json:"compiler"` // that compiled it
	Inputs   int       `json:"inputs"`
	Seed     uint64    `json:"seed"`
	Tests    []outcome `json:"tests"`
	Error    string    `json:"error,omitempty"` // why there are no tests
}

// A solc is an installed compiler.
type solc struct{ version, path string }

// compilersIn lists the compilers that make tools installed, the newest first.
func compilersIn(tools string) (list []solc, err error) {
	found, err := filepath.Glob(filepath.Join(tools, "node_modules/solc-*"))
	if err != nil || len(found) == 0 {
		return nil, fmt.Errorf("no compilers in %s: run make tools", tools)
	}
	for _, path := range found {
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		list = append(list, solc{strings.TrimPrefix(filepath.Base(path), "solc-"), path})
	}
	slices.SortFunc(list, func(a, b solc) int {
		return versionNumber(strings.Split(b.version, ".")) - versionNumber(strings.Split(a.version, "."))
	})
	return list, nil
}

// judge runs a harness with the newest compiler that the test allows and that compiles
// it.
func (o options) judge(ctx context.Context, r *result, compilers []solc) {
	r.Error = "no installed compiler has a version that the test runs with"
	for _, c := range compilers {
		if !r.between.contain(c.version) {
			continue
		}
		tests, err := o.fuzz(ctx, r, c)
		if err == nil {
			r.Compiler, r.Tests, r.Error = c.version, tests, ""
			return
		}
		if ctx.Err() != nil {
			return
		}
		if r.Error = err.Error(); !errors.Is(err, errCompile) {
			r.Compiler = c.version
			return
		}
	}
}

// errCompile is an error of the compiler.
var errCompile = errors.New("does not compile")

// fuzz runs leveret on a copy of the harness's folder.
func (o options) fuzz(ctx context.Context, r *result, c solc) ([]outcome, error) {
	dir, err := os.MkdirTemp("", "harness-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := r.copyTo(dir); err != nil {
		return nil, err
	}
	name := filepath.Base(r.File)
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	contract := r.Contract
	if contract == "" {
		contract = firstContract(text)
	}
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	args := []string{"test", "--format", "json", "--ffi", "--solc", c.path, "--seed", fmt.Sprint(o.seed), "--max-inputs", fmt.Sprint(o.inputs)}
	if config, err := os.ReadFile(filepath.Join(dir, "echidna.yaml")); err == nil && foundryMode.Match(config) {
		args = append(args, "--match-contract", "^"+contract+"$")
	} else {
		args = append(args, "--harness", contract)
	}
	cmd := exec.CommandContext(ctx, o.leveret, append(args, name)...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		if strings.Contains(errs.String(), "could not compile") {
			return nil, fmt.Errorf("%w: %s", errCompile, errs.String())
		}
		return nil, fmt.Errorf("%w: %s", err, strings.TrimSpace(errs.String()))
	}
	return readReport(out)
}

// foundryMode matches a configuration of Echidna whose tests are those of Foundry.
var foundryMode = regexp.MustCompile(`(?m)^testMode:\s*"?(foundry|dapptest)`)

// copyTo copies the harness's folder, with its configuration under the name that the
// tool looks for.
func (h *harness) copyTo(dir string) error {
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(h.folder, filepath.Dir(h.File)))); err != nil {
		return err
	}
	name, text := "medusa.json", []byte(h.Config)
	if h.Tool == "echidna" {
		name = "echidna.yaml"
		if h.Config != "" {
			var err error
			if text, err = os.ReadFile(filepath.Join(h.folder, h.Config)); err != nil {
				return err
			}
		}
	}
	// Without a project file, the folder of the sources is the project.
	return os.WriteFile(filepath.Join(dir, name), text, 0o644)
}

// firstContract is the contract that Echidna takes if none is named.
func firstContract(text []byte) string {
	if found := regexp.MustCompile(`(?m)^\s*contract\s+([A-Za-z0-9_$]+)`).FindSubmatch(text); found != nil {
		return string(found[1])
	}
	return ""
}

// readReport reads what leveret test --format json prints about a harness.
func readReport(text []byte) ([]outcome, error) {
	var report struct {
		Suites []struct {
			Error string
			Tests []struct {
				Name, Status, Best string
				Counterexample     []string
			}
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, err
	}
	tests := []outcome{}
	for _, s := range report.Suites {
		if s.Error != "" {
			return nil, errors.New(s.Error)
		}
		for _, t := range s.Tests {
			tests = append(tests, outcome{t.Name, t.Status, t.Best, t.Counterexample})
		}
	}
	return tests, nil
}
