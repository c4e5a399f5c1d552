package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// driven are the flags and programs of experiments that run the driver.
type driven struct {
	seconds  float64 // CPU time of a run
	base     string  // working tree of the revision to compare with; empty: none
	built    string  // folder for programs and generated contracts
	programs []program
}

// A program is the driver, built in the working tree of a revision.
type program struct {
	revision, path string
	paces          bool // the revision's product has engine/pacer
}

func (d *driven) addFlags(f *pflag.FlagSet, defaults flags) {
	f.Float64Var(&d.seconds, "seconds", defaults.time.Seconds(), "CPU time of a run")
	f.StringVar(&d.base, "base", "", "working tree of another revision, which is measured too")
	f.StringVar(&d.built, "built", "bin/bench", "folder for programs and generated contracts")
}

// trees lists the measured working trees, that of the other revision first.
func (d *driven) trees() []string {
	if d.base == "" {
		return []string{"."}
	}
	return []string{d.base, "."}
}

// build builds the driver in each working tree.
func (d *driven) build(ctx context.Context) error {
	d.programs = nil
	for _, tree := range d.trees() {
		p := program{revision: revisionOf(tree)}
		_, err := os.Stat(filepath.Join(tree, pacerPackage))
		p.paces = err == nil
		p.path = absolute(filepath.Join(d.built, "driver-"+strings.TrimSuffix(p.revision, "+")))
		if err := buildDriver(ctx, tree, p.path); err != nil {
			return err
		}
		d.programs = append(d.programs, p)
	}
	return nil
}

// driverPackages are what a revision without the driver lacks, below the root
// of the module.
var driverPackages = []string{"engine/bench/driver", "engine/bench/subject", "engine/bench/usage", pacerPackage}

const pacerPackage = "engine/pacer"

// buildDriver builds the driver of a working tree. One without a driver gets
// ours as an overlay, so that no file is written to it.
func buildDriver(ctx context.Context, tree, to string) error {
	args := []string{"build", "-o", to}
	if _, err := os.Stat(filepath.Join(tree, driverPackages[0])); errors.Is(err, fs.ErrNotExist) {
		overlay, err := writeOverlay(tree)
		if err != nil {
			return err
		}
		defer os.Remove(overlay)
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+driverPackages[0])...)
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build the driver in %s: %w\n%s", tree, err, out)
	}
	return nil
}

// writeOverlay writes a file for go's -overlay that adds the driver to a tree.
func writeOverlay(tree string) (file string, err error) {
	replace := map[string]string{}
	for _, pkg := range driverPackages {
		sources, err := filepath.Glob(filepath.Join(pkg, "*.go"))
		if err != nil || len(sources) == 0 {
			return "", fmt.Errorf("%s has no sources; run the command in the root of the module", pkg)
		}
		for _, source := range sources {
			if !strings.HasSuffix(source, "_test.go") {
				replace[absolute(filepath.Join(tree, source))] = absolute(source)
			}
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	to, err := os.CreateTemp("", "leveret-overlay-*.json")
	if err != nil {
		return "", err
	}
	_, err = to.Write(text)
	return to.Name(), errors.Join(err, to.Close())
}

// drive runs a program with arguments and decodes what it did. procs is the
// number of cores that it may use; 0 means all.
func (p program) drive(ctx context.Context, o *options, r run, procs int, args ...string) record {
	if p.paces {
		args = append(args, "-pace")
	}
	all := append([]string{"-file", r.subject.file, "-contract", r.subject.contract, "-tools", o.tools, "-seed", strconv.Itoa(r.Seed)}, args...)
	cmd := exec.CommandContext(ctx, p.path, append(all, r.subject.args...)...)
	if procs > 0 {
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs))
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	load := machineLoad()
	if err := cmd.Run(); err != nil {
		return record{Failed: fmt.Sprintf("%v: %s", err, complaint(errs.String()))}
	}
	rec, err := decodeDriven(out.Bytes())
	if err != nil {
		return record{Failed: err.Error()}
	}
	rec.Cost.Load = load
	return rec
}

// decodeDriven reads what the driver writes.
func decodeDriven(text []byte) (record, error) {
	var doc struct {
		Note     string
		Stats    stats
		CPU      float64
		Distinct int
		Findings []finding
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return record{}, fmt.Errorf("decode the driver's outcome: %w", err)
	}
	return record{Note: doc.Note, Stats: doc.Stats, Findings: doc.Findings, Cost: &cost{CPU: doc.CPU, Distinct: doc.Distinct}}, nil
}

// cpu is the CPU time of a run, as the driver takes it.
func (d *driven) cpu() string { return fmt.Sprintf("%gs", d.seconds) }

// perRevision makes a configuration of each program, named by its revision. To
// print, the revisions are those of the records.
func (o *options) perRevision(execute func(context.Context, *options, run, program) record) (names []string, own map[string]config, err error) {
	own = map[string]config{}
	if o.print {
		names, err = recordedConfigs(o.results)
		return names, own, err
	}
	for _, p := range o.programs {
		names = append(names, p.revision)
		own[p.revision] = config{name: p.revision, execute: func(ctx context.Context, o *options, r run) record { return execute(ctx, o, r, p) }}
	}
	return slices.Compact(names), own, nil
}

// recordedConfigs lists the configurations of a file of results, in the order
// of their first record.
func recordedConfigs(file string) (names []string, err error) {
	all, err := loadRecords(file)
	if err != nil {
		return nil, err
	}
	return all.configNames(), nil
}

// machineLoad is the load of the machine over the last minute; 0 if unknown.
func machineLoad() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}
