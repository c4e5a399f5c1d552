// Leveret fuzzes Solidity while you write it. This is its command: each
// subcommand has a file, parses its flags, calls one package and prints.
//
// Packages solc, engine, engine/report and lsp/server compile, fuzz, present
// results and serve editors.
package main

import (
	"errors"
	"fmt"
	"io"
	"leveret/engine/pacer"
	"leveret/engine/report/printable"
	"leveret/solc/project"
	"leveret/solc/selection"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes of every subcommand.
const (
	exitClean  = 0 // success, without findings
	exitFound  = 1 // findings
	exitFailed = 2 // the run failed
)

// errFound ends a subcommand with exitFound. The subcommand has printed why.
var errFound = errors.New("findings")

// A console has the streams of a subcommand. The writers escape what could
// control a terminal, because output names files and quotes compilers and
// contracts; see raw.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// notes prints what the user should know about a project's configuration and builds.
func (c console) notes(p *project.Project, units []selection.Unit) {
	for _, note := range append(slices.Clone(p.Notes), selection.Notes(units)...) {
		fmt.Fprintf(c.err, "Note: %s.\n", note)
	}
}

// failed prints failures of single files.
func (c console) failed(failures []error) {
	for _, failure := range joined(failures) {
		fmt.Fprintln(c.err, "leveret:", oneLine(failure.Error()))
	}
}

// closing prints, after the results, what would help with several failures.
func (c console) closing(failures []error) {
	if missing := missingCompilers(failures); missing != nil {
		fmt.Fprintln(c.err, "leveret:", missing)
	}
}

// raw returns w without escaping, for output that is escaped already or binary.
func raw(w io.Writer) io.Writer {
	if p, ok := w.(*printable.Writer); ok {
		return p.W
	}
	return w
}

func main() {
	pacer.Start()
	os.Exit(run(os.Args[1:], console{os.Stdin, &printable.Writer{W: os.Stdout}, &printable.Writer{W: os.Stderr}}))
}

// run executes the command line and returns the exit code. It prints an error as
// one sentence, without usage or stack.
func run(args []string, c console) int {
	root := rootCommand(c)
	root.SetArgs(args)
	switch err := root.Execute(); {
	case err == nil:
		return exitClean
	case errors.Is(err, errFound):
		return exitFound
	default:
		fmt.Fprintln(c.err, "leveret:", oneLine(withStack(err)))
		return exitFailed
	}
}

func rootCommand(c console) *cobra.Command {
	root := &cobra.Command{
		Use:           "leveret",
		Short:         "Fuzz Solidity while you write it",
		Long:          "Leveret compiles Solidity with the compiler it finds, fuzzes the contracts, and reports each\nfailure on its source line, with the transactions that cause it.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	for _, subcommand := range []func(console) *cobra.Command{
		serveCommand, fuzzCommand, campaignCommand, testCommand, replayCommand, debugCommand, corpusCommand, doctorCommand, solcCommand, versionCommand, manCommand,
	} {
		root.AddCommand(subcommand(c))
	}
	addCompletions(root)
	return root
}

// oneLine joins the lines of a message, such as those of a compiler.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
