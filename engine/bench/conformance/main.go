// Conformance runs the tests of public Foundry projects with forge and with
// leveret, and compares the verdict of every test. It knows only what both
// commands print.
//
//	go run ./engine/bench/conformance -mirrors DIR -projects DIR   # lay out the work trees
//	go run ./engine/bench/conformance -leveret ./leveret -projects DIR -only solmate,permit2
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/engine/bench/forge"
)

type options struct {
	leveret, tools, further, mirrors, projects, only, results string
	timeout                                                   time.Duration
	print                                                     bool
}

func main() {
	var o options
	flag.StringVar(&o.leveret, "leveret", "leveret", "the built command")
	flag.StringVar(&o.tools, "tools", "solc/testdata/npm", "folder where make tools installed forge and compilers")
	flag.StringVar(&o.further, "compilers", "", "further folder with node_modules/solc-* of compilers")
	flag.StringVar(&o.mirrors, "mirrors", "", "lay out missing work trees from this folder of clones, named OWNER+NAME; then stop")
	flag.StringVar(&o.projects, "projects", "", "folder of the work trees and of forge's results")
	flag.StringVar(&o.only, "only", "", "names of projects, separated by commas; all if empty")
	flag.StringVar(&o.results, "results", "", "file that the raw results are appended to")
	flag.BoolVar(&o.print, "print", false, "print the tables of the file of results")
	flag.DurationVar(&o.timeout, "timeout", time.Hour, "time for one run of one program on one project")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(2)
	}
}

func (o options) run(ctx context.Context) error {
	if o.print {
		results, err := readResults(o.results)
		if err != nil {
			return err
		}
		writeTables(os.Stdout, results)
		return nil
	}
	if o.projects == "" {
		return errors.New("missing -projects: a folder for work trees, outside of this repository")
	}
	list, aliases, err := parseProjects(projectList)
	if err != nil {
		return fmt.Errorf("projects.txt: %w", err)
	}
	if list, err = choose(list, o.only); err != nil {
		return err
	}
	if o.mirrors != "" {
		return o.layOut(list, &mirrors{dir: o.mirrors, aliases: aliases})
	}
	return o.compare(ctx, list)
}

// choose returns the projects with the given names.
func choose(list []project, names string) ([]project, error) {
	if names == "" {
		return list, nil
	}
	var chosen []project
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(list, func(p project) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no project %q in projects.txt", name)
		}
		chosen = append(chosen, list[i])
	}
	return chosen, nil
}

// layOut makes the work trees that are not there yet.
func (o options) layOut(list []project, m *mirrors) error {
	for _, p := range list {
		dir := filepath.Join(o.projects, p.name)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		if err := m.layOut(p, dir); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		fmt.Println(p.name, p.origin.repository, p.origin.commit)
		for _, what := range m.missing {
			fmt.Println("  missing:", what)
		}
	}
	return nil
}

// compare runs both programs on each project, one after the other. A project that
// does not run is reported, and the others go on.
func (o options) compare(ctx context.Context, list []project) error {
	home := filepath.Join(o.projects, ".home")
	var further []string
	if o.further != "" {
		further = append(further, o.further)
	}
	if err := forge.InstallCompilers(home, o.tools, further...); err != nil {
		return err
	}
	command, err := exec.LookPath(o.leveret)
	if err != nil {
		return err
	}
	if command, err = filepath.Abs(command); err != nil {
		return err
	}
	r := runner{leveret: command, tools: o.tools, home: home, timeout: o.timeout}
	var results []result
	var failed error
	for _, p := range list {
		tests, err := r.compare(ctx, p, o.projects)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
			continue
		}
		results = append(results, result{
			Date: time.Now().UTC().Format(time.RFC3339), Revision: revision(), Project: p.name,
			Repository: p.origin.repository, Commit: p.origin.commit, Tests: tests,
		})
		if err := appendResult(o.results, results[len(results)-1]); err != nil {
			return err
		}
	}
	writeTables(os.Stdout, results)
	return failed
}

// compare runs both programs on a project.
func (r runner) compare(ctx context.Context, p project, projects string) ([]comparison, error) {
	dir := filepath.Join(projects, p.name)
	text, err := r.forgeResults(ctx, p, dir, filepath.Join(projects, p.name+".json"))
	if err != nil {
		return nil, err
	}
	theirs, err := readForge(text)
	if err != nil {
		return nil, fmt.Errorf("forge's results: %w", err)
	}
	if text, err = r.test(ctx, p, dir); err != nil {
		return nil, err
	}
	ours, err := readLeveret(text)
	if err != nil {
		return nil, fmt.Errorf("leveret's results: %w", err)
	}
	return compare(theirs, ours), nil
}

// revision returns the commit of the working copy, "" outside of one.
func revision() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty=+").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func appendResult(file string, r result) error {
	if file == "" {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}

// readResults reads the last result of each project, in the order of the list.
func readResults(file string) ([]result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var results []result
	for line := range strings.Lines(string(text)) {
		var r result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if i := slices.IndexFunc(results, func(old result) bool { return old.Project == r.Project }); i >= 0 {
			results[i] = r
		} else {
			results = append(results, r)
		}
	}
	return results, nil
}
