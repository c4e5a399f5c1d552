package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"leveret/solc"
)

func doctorCommand(c console) *cobra.Command {
	ask := explainFlags{}
	cmd := &cobra.Command{
		Use:   "doctor [PATH]",
		Short: "Tell what was found: compilers, project, settings, and why something is not checked",
		Long: `Tell what was found at PATH (default: here): compilers, the kind of project, its settings and
remappings, and for each contract whether it will be fuzzed, or why not.

With --explain-targets, tell instead what lines are as targets of a campaign: which instructions
they became in which contracts, which functions can reach them, and how near a short campaign
comes. PATH is what is compiled then (default: the file that has the lines).

Exit code: 0 all sources compile, 2 some do not.`,
		Example: "  leveret doctor\n  leveret doctor src/Vault.sol\n  leveret doctor --explain-targets src/Vault.sol:42",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := "."
			if len(args) == 1 {
				path = args[0]
			}
			if ask.lines != "" {
				return ask.run(cmd.Context(), c, args, environment(ask.compilerFlags))
			}
			return doctor(cmd.Context(), c, path, environment(ask.compilerFlags))
		},
	}
	ask.add(cmd.Flags())
	cmd.Flags().StringVar(&ask.lines, "explain-targets", "", "tell why lines are reached or not, `FILE:LINE` or FILE:A-B[,C-D]")
	cmd.Flags().IntVar(&ask.inputs, "max-inputs", 3000, "with --explain-targets: try `N` inputs")
	cmd.Flags().StringVar(&ask.corpus, "corpus", "", "with --explain-targets: begin with the inputs saved in `DIR`, and leave them as they are")
	return cmd
}

func doctor(ctx context.Context, c console, path string, env solc.Env) error {
	tools := solc.NewToolchain(env)
	defer tools.Close()
	project, err := tools.OpenProject(path)
	if err != nil {
		return err
	}
	all, failures, err := batches(tools, []string{path})
	if err != nil || len(all) == 0 {
		all = []batch{{project: project}} // which is told before what is wrong with it
	}
	tab := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(tab, "Leveret\t%s\n", version)
	told := "" // the compilers, which are mostly the same for all projects
	for i, b := range all {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		if failed := describeBatch(ctx, c, tab, tools, b, &told); failed != nil {
			failures = append(failures, failed)
		}
	}
	if err != nil {
		return err
	}
	return lastOf(c, failures)
}

// lastOf prints all failures but the last, which it returns.
func lastOf(c console, failures []error) error {
	for i, failure := range failures {
		if i == len(failures)-1 {
			return failure
		}
		fmt.Fprintln(c.err, "leveret:", oneLine(failure.Error()))
	}
	return nil
}

// describeBatch tells about one project and the contracts that are asked for.
func describeBatch(ctx context.Context, c console, tab *tabwriter.Writer, tools *solc.Toolchain, b batch, told *string) error {
	describeProject(tab, b.project)
	compilers, err := tools.Installations(ctx, b.project.Root)
	if list := fmt.Sprint(compilers); err == nil && list != *told {
		describeCompilers(tab, tools, compilers)
		*told = list
	}
	if flushed := tab.Flush(); err != nil || flushed != nil || len(b.files) == 0 {
		return errors.Join(err, flushed)
	}
	fmt.Fprintln(c.out)
	return describeContracts(ctx, c, b)
}

func describeProject(w io.Writer, p *solc.Project) {
	kind := string(p.Kind) + " project"
	if p.Kind == solc.Plain {
		kind = "no project file, a folder with sources"
	}
	if p.Config != "" {
		kind += " (" + filepath.Base(p.Config) + ")"
	}
	fmt.Fprintf(w, "Project\t%s: %s\n", p.Root, kind)
	for i, s := range p.Compilers() {
		title := ""
		if i == 0 {
			title = "Settings"
		}
		fmt.Fprintf(w, "%s\t%s\n", title, s)
	}
	describeList(w, "Remappings", p.Remappings(), "none")
	for _, n := range p.Notes {
		fmt.Fprintf(w, "Note\t%s\n", n)
	}
}

func describeCompilers(w io.Writer, tools *solc.Toolchain, list []solc.Installation) {
	var lines []string
	node := false
	for _, i := range list {
		lines = append(lines, i.String())
		node = node || i.Node
	}
	describeList(w, "Compilers", lines, "none")
	if node {
		path := tools.Node()
		if path == "" {
			path = "not on the PATH, but some of the compilers need it: install Node.js"
		}
		fmt.Fprintf(w, "Node.js\t%s\n", path)
	}
}

func describeList(w io.Writer, title string, lines []string, none string) {
	if len(lines) == 0 {
		lines = []string{none}
	}
	for _, l := range lines {
		fmt.Fprintf(w, "%s\t%s\n", title, l)
		title = ""
	}
}

// describeContracts compiles and tells about each contract.
func describeContracts(ctx context.Context, c console, b batch) error {
	units, failures := b.compile(ctx)
	list, err := choose(units, nil)
	if err != nil {
		return err
	}
	tab := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	for _, l := range list {
		fate := "will be fuzzed, solc " + l.unit.build.Version
		if l.note != "" {
			fate = strings.TrimPrefix(l.note, l.contract.Name+" ")
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\n", l.contract.File, l.contract.Name, fate)
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, u := range units {
		for _, m := range u.build.Messages {
			if m.Severity == "info" {
				fmt.Fprintf(c.out, "Note: %s.\n", strings.TrimSuffix(m.Text, "."))
			}
		}
	}
	if failed := lastOf(c, failures); failed != nil {
		return failed
	}
	if len(list) == 0 {
		return fmt.Errorf("%s: no contract is defined here", b.project.Root)
	}
	return nil
}
