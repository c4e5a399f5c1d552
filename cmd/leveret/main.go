// Leveret fuzzes Solidity while it is written. This is its command: each
// subcommand has a file, parses its flags, calls one package and prints.
//
// It decides nothing about compiling, fuzzing or presenting: those are solc,
// engine and engine/report, and lsp/server for editors.
package main

import (
	"errors"
	"fmt"
	"io"
	"leveret/engine/report/printable"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// The exit codes of every subcommand.
const (
	exitClean  = 0 // done, and nothing to report
	exitFound  = 1 // findings
	exitFailed = 2 // the run could not be done
)

// errFound ends a subcommand with exitFound: what it means was printed.
var errFound = errors.New("findings")

// A console is where a subcommand reads and writes. What out and err are given
// is escaped, because it names files and quotes compilers and contracts, which
// must not control a terminal; see raw.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// raw is w without escaping, for what escapes by itself or is not for people.
func raw(w io.Writer) io.Writer {
	if p, ok := w.(*printable.Writer); ok {
		return p.W
	}
	return w
}

func main() {
	os.Exit(run(os.Args[1:], console{os.Stdin, &printable.Writer{W: os.Stdout}, &printable.Writer{W: os.Stderr}}))
}

// run executes the command line and returns the exit code. What could not be
// done is one sentence on the error output, without usage or stack.
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
		Long:          "Leveret compiles Solidity with the compiler it finds, fuzzes the contracts, and shows what\nfails where it fails, with the transactions that cause it.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetIn(c.in)
	root.SetOut(c.out)
	root.SetErr(c.err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())
	})
	for _, subcommand := range []func(console) *cobra.Command{
		serveCommand, fuzzCommand, replayCommand, doctorCommand, solcCommand, versionCommand,
	} {
		root.AddCommand(subcommand(c))
	}
	return root
}

// oneLine joins the lines of a message, which may quote a compiler.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
