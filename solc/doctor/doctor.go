// Package doctor reports what Leveret finds at a path: the project, its settings
// and remappings, the compilers, and for each contract whether it will be
// fuzzed or why not. The command and the language server print this report.
package doctor

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"text/tabwriter"

	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// Write writes the report on path to w, a project at a time. Version is that of
// Leveret. The failures are those of files and folders that cannot be read or
// compiled; the report covers the others.
func Write(ctx context.Context, w io.Writer, tools *compiler.Toolchain, version, path string) (failures []error) {
	p, err := project.Open(tools, path)
	if err != nil {
		return []error{err}
	}
	all, failures, err := selection.Open(tools, []string{path})
	if tests := testsUnder(p, path); len(tests) > 0 {
		all, err = selection.Add(all, p, tests), nil
	}
	if err != nil || len(all) == 0 {
		all = []selection.Batch{{Project: p}} // describe the project nevertheless
	}
	r := &report{tools: tools, out: w, tab: newTable(w)}
	fmt.Fprintf(r.tab, "Leveret\t%s\n", version)
	for i, b := range all {
		if i > 0 {
			fmt.Fprintln(w)
		}
		failures = append(failures, r.batch(ctx, b)...)
	}
	if err != nil {
		failures = append(failures, err)
	}
	return failures
}

func newTable(w io.Writer) *tabwriter.Writer { return tabwriter.NewWriter(w, 0, 0, 2, ' ', 0) }

// A report is one that is being written.
type report struct {
	tools     *compiler.Toolchain
	out       io.Writer
	tab       *tabwriter.Writer // of the project
	compilers string            // as last written: most projects have the same
}

// batch describes one project and its contracts.
func (r *report) batch(ctx context.Context, b selection.Batch) []error {
	r.project(b.Project)
	compilers, err := r.tools.Installations(ctx, b.Project.Root)
	if list := fmt.Sprint(compilers); err == nil && list != r.compilers {
		r.installations(compilers)
		r.compilers = list
	}
	if flushed := r.tab.Flush(); flushed != nil {
		return []error{flushed}
	}
	if err != nil {
		return []error{err}
	}
	if len(b.Files) == 0 {
		return nil
	}
	fmt.Fprintln(r.out)
	return r.contracts(ctx, b)
}

func (r *report) project(p *project.Project) {
	kind := string(p.Kind) + " project"
	if p.Kind == project.Plain {
		kind = "no project file, a folder with sources"
	}
	if p.Config != "" {
		kind += " (" + filepath.Base(p.Config) + ")"
	}
	r.rows("Project", p.Root+": "+kind)
	r.rows("Settings", p.Compilers()...)
	r.list("Remappings", p.Remappings())
	r.tests(p)
	for _, n := range p.Notes {
		r.rows("Note", n)
	}
}

func (r *report) installations(list []compiler.Installation) {
	var lines []string
	node := false
	for _, i := range list {
		lines = append(lines, i.String())
		node = node || i.Node
	}
	r.list("Compilers", lines)
	if node {
		path := r.tools.Node()
		if path == "" {
			path = "not on the PATH, but some of the compilers need it: install Node.js"
		}
		r.rows("Node.js", path)
	}
}

// list writes rows, "none" if there are none.
func (r *report) list(title string, lines []string) {
	if len(lines) == 0 {
		lines = []string{"none"}
	}
	r.rows(title, lines...)
}

// rows writes lines in the second column, with a title before the first one.
func (r *report) rows(title string, lines ...string) {
	for _, l := range lines {
		fmt.Fprintf(r.tab, "%s\t%s\n", title, l)
		title = ""
	}
}

// contracts compiles a project and lists its contracts.
func (r *report) contracts(ctx context.Context, b selection.Batch) []error {
	units, failures := b.Compile(ctx)
	list, err := selection.Choose(units, nil)
	if err != nil {
		return []error{err}
	}
	tab := newTable(r.out)
	for _, c := range list {
		fmt.Fprintf(tab, "%s\t%s\t%s\n", c.Contract.File, c.Contract.Name, state(c))
	}
	if err := tab.Flush(); err != nil {
		return []error{err}
	}
	for _, note := range selection.Notes(units) {
		fmt.Fprintf(r.out, "Note: %s.\n", note)
	}
	if len(failures) == 0 && len(list) == 0 {
		failures = append(failures, fmt.Errorf("%s: no contract is defined here", b.Project.Root))
	}
	return failures
}
