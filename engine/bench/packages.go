package main

import (
	"bufio"
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
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// packagesRun measures leveret without configuration on published packages:
// which compile and deploy, and the coverage and findings of a short run.
type packagesRun struct {
	leveret, tools, dir, results string
	only                         []string
	time                         time.Duration
	inputs                       int
	print                        bool
}

// A packageRecord is the result for one package: a line of the results.
type packageRecord struct {
	Name       string           `json:"name"`
	Command    string           `json:"command"`
	Date       string           `json:"date"`
	Revision   string           `json:"revision"`
	Files      int              `json:"files"`
	Compiled   int              `json:"compiled"`
	Failures   []string         `json:"failures,omitempty"`
	Concrete   int              `json:"concrete"`
	Deployed   int              `json:"deployed"`
	Undeployed []string         `json:"undeployed,omitempty"` // with the reason shown to users
	Tests      int              `json:"tests"`                // skipped: for forge
	Covered    int              `json:"covered"`
	Total      int              `json:"total"`
	Seconds    float64          `json:"seconds"`
	Findings   []string         `json:"findings,omitempty"` // warnings and errors
	Inputs     int              `json:"inputs,omitempty"`
	Contracts  []deployedRecord `json:"contracts,omitempty"` // deployed
}

// A deployedRecord is the result for one deployed contract.
type deployedRecord struct {
	Name    string `json:"name"`
	File    string `json:"file"`
	Inputs  int    `json:"inputs"`
	Covered int    `json:"covered"`
	Total   int    `json:"total"`
}

func packagesCommand() *cobra.Command {
	r := &packagesRun{}
	cmd := &cobra.Command{
		Use: "packages", Short: "well-known packages without configuration: what compiles, deploys and is covered", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return r.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&r.leveret, "leveret", "./leveret", "the command that is measured")
	f.StringVar(&r.tools, "tools", "solc/testdata/npm", "folder with the compilers")
	f.StringVar(&r.dir, "dir", "engine/bench/packages", "folder with list.txt and package.json, into which the packages are installed")
	f.StringVar(&r.results, "results", "engine/bench/results/packages.jsonl", "file of raw results; what is in it is not measured again")
	f.StringSliceVar(&r.only, "only", nil, "measure only these packages")
	f.DurationVar(&r.time, "time", 10*time.Second, "limit for each contract")
	f.IntVar(&r.inputs, "inputs", 0, "limit for each contract; 0: none")
	f.BoolVar(&r.print, "print", false, "print the table of the results that are there; run nothing")
	return cmd
}

func (r *packagesRun) run(ctx context.Context) error {
	have, err := r.load()
	if err != nil {
		return err
	}
	list, err := r.list()
	if err != nil {
		return err
	}
	if !r.print {
		if err := r.install(ctx); err != nil {
			return err
		}
	}
	for _, p := range list {
		measured := slices.ContainsFunc(have, func(rec packageRecord) bool { return rec.Name == p[0] })
		if r.print || measured || len(r.only) > 0 && !slices.Contains(r.only, p[0]) {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", p[0])
		rec, err := r.measure(ctx, p[0], p[1])
		if err != nil {
			return fmt.Errorf("%s: %w", p[0], err)
		}
		have = append(have, rec)
		if err := r.keep(rec); err != nil {
			return err
		}
	}
	for _, t := range packageTables(list, have) {
		t.write(os.Stdout)
	}
	return nil
}

// list reads the names and folders of the packages.
func (r *packagesRun) list() ([][2]string, error) {
	text, err := os.ReadFile(filepath.Join(r.dir, "list.txt"))
	if err != nil {
		return nil, err
	}
	var list [][2]string
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) == 2 && f[0] != "#" {
			list = append(list, [2]string{f[0], f[1]})
		}
	}
	return list, nil
}

// install installs the pinned packages unless they are present.
func (r *packagesRun) install(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(r.dir, "node_modules")); err == nil {
		return nil
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.dir, os.Stderr, os.Stderr
	return cmd.Run()
}

func (r *packagesRun) measure(ctx context.Context, name, folder string) (packageRecord, error) {
	if !strings.HasPrefix(folder, ".") {
		folder = filepath.Join("node_modules", folder)
	}
	args := []string{"fuzz", "--format", "json", "--workers", "1", "--seed", "1"}
	if r.time > 0 {
		args = append(args, "--time", r.time.String())
	}
	if r.inputs > 0 {
		args = append(args, "--max-inputs", strconv.Itoa(r.inputs))
	}
	cmd := exec.CommandContext(ctx, absolute(r.leveret), append(args, folder)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+absolute(r.tools), "GOMAXPROCS=1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return packageRecord{}, err
	}
	rec, err := readPackage(bytes.ReplaceAll(out.Bytes(), []byte(absolute(r.dir)+string(filepath.Separator)), nil)) // the same on all machines
	if err != nil {                                                                                                 // nothing was fuzzed: the last line has the reason
		rec = packageRecord{Files: sources(cmd.Dir, folder), Failures: []string{complaint(errs.String())}}
	}
	rec.Name, rec.Command = name, "leveret "+strings.Join(append(args, folder), " ")
	rec.Date, rec.Revision = time.Now().UTC().Format(time.RFC3339), revision(r.leveret)
	return rec, nil
}

// sources counts the Solidity files below a folder.
func sources(dir, folder string) (n int) {
	_ = filepath.WalkDir(filepath.Join(dir, folder), func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Ext(path) == ".sol" {
			n++
		}
		return nil
	})
	return n
}

// notConcrete and forForge match notes about contracts that are not concrete,
// and about skipped tests; callless matches deployed contracts without
// functions to call.
var (
	notConcrete = regexp.MustCompile(` is an interface | is a library| is abstract| has an internal constructor| has no code`)
	forForge    = regexp.MustCompile(` needs Foundry's cheatcodes| is a (test|script): | belongs to a regression test`)
	callless    = regexp.MustCompile(` has no function that (can be called|Leveret can call)`)
)

// readPackage summarises the report of one package.
func readPackage(text []byte) (packageRecord, error) {
	var doc struct {
		Sources struct {
			Total, Compiled int
			Failures        []string
		}
		Contracts []struct {
			Name, File, Note string
			Stats            stats
			Findings         []struct {
				finding
				Message string
				Start   struct{ Line int }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return packageRecord{}, err
	}
	rec := packageRecord{Files: doc.Sources.Total, Compiled: doc.Sources.Compiled, Failures: doc.Sources.Failures}
	for _, c := range doc.Contracts {
		switch {
		case notConcrete.MatchString(c.Note):
			continue
		case forForge.MatchString(c.Note):
			rec.Tests++
			continue
		}
		rec.Concrete++
		rec.Seconds += c.Stats.Seconds
		if c.Note != "" && !callless.MatchString(c.Note) {
			rec.Undeployed = append(rec.Undeployed, c.Note)
			continue
		}
		rec.Deployed++
		rec.Covered += c.Stats.Instructions.Covered
		rec.Total += c.Stats.Instructions.Total
		rec.Inputs += c.Stats.Inputs
		rec.Contracts = append(rec.Contracts, deployedRecord{c.Name, c.File, c.Stats.Inputs, c.Stats.Instructions.Covered, c.Stats.Instructions.Total})
		for _, f := range c.Findings {
			if f.Severity == "warning" || f.Severity == "error" {
				rec.Findings = append(rec.Findings, fmt.Sprintf("%s: %s %s at %s:%d", c.Name, f.Severity, f.Oracle, filepath.Base(f.File), f.Start.Line))
			}
		}
	}
	return rec, nil
}

// load reads the existing results.
func (r *packagesRun) load() (list []packageRecord, err error) {
	file, err := os.Open(r.results)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		var rec packageRecord
		if err := json.Unmarshal(scanner.Bytes(), &rec); err != nil {
			return nil, fmt.Errorf("%s: %w", r.results, err)
		}
		list = append(list, rec)
	}
	return list, scanner.Err()
}

// keep appends a line to the results.
func (r *packagesRun) keep(rec packageRecord) error {
	line, err := json.Marshal(rec)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(r.results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Close())
}
