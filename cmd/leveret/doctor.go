package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"leveret/solc/compiler"
	"leveret/solc/doctor"
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
			tools := compiler.NewToolchain(environment(ask.compilerFlags))
			defer tools.Close()
			return lastOf(c, doctor.Write(cmd.Context(), c.out, tools, toolVersion, path))
		},
	}
	ask.add(cmd.Flags())
	cmd.Flags().StringVar(&ask.lines, "explain-targets", "", "tell why lines are reached or not, `FILE:LINE` or FILE:A-B[,C-D]")
	cmd.Flags().IntVar(&ask.inputs, "max-inputs", 3000, "with --explain-targets: try `N` inputs")
	cmd.Flags().StringVar(&ask.corpus, "corpus", "", "with --explain-targets: begin with the inputs saved in `DIR`, and leave them as they are")
	return cmd
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
