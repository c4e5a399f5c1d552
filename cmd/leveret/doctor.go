package main

import (
	"github.com/spf13/cobra"

	"leveret/solc/compiler"
	"leveret/solc/doctor"
)

func doctorCommand(c console) *cobra.Command {
	ask := explainFlags{}
	cmd := &cobra.Command{
		Use:   "doctor [PATH]",
		Short: "Show compilers, project, settings, and which contracts are not fuzzed and why",
		Long: `Show what Leveret finds at PATH (default: the current folder): compilers, the kind of project, its
settings and remappings, and for each contract whether it will be fuzzed, or why not.

With --explain-targets, explain lines as targets of a campaign instead: the instructions of each
contract that they compile to, the functions that can reach them, and how close a short campaign
gets. PATH is then compiled (default: the file with the lines).

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
			env := environment(ask.compilerFlags)
			env.Watch = newCompileProgress(c.err, false).follow
			tools := compiler.NewToolchain(env)
			defer tools.Close()
			failures := doctor.Write(cmd.Context(), c.out, tools, toolVersion, path)
			if missing := missingCompilers(failures); missing != nil {
				failures = append(failures, missing)
			}
			return lastOf(c, failures)
		},
	}
	ask.add(cmd.Flags())
	cmd.Flags().StringVar(&ask.lines, "explain-targets", "", "explain why lines are reached or not, `FILE:LINE` or FILE:A-B[,C-D]")
	cmd.Flags().IntVar(&ask.inputs, "max-inputs", 3000, "with --explain-targets: execute `N` inputs")
	cmd.Flags().StringVar(&ask.corpus, "corpus", "", "with --explain-targets: start with the inputs in `DIR`, without changing it")
	return cmd
}

// lastOf prints all failures but the last, and returns that.
func lastOf(c console, failures []error) error {
	if len(failures) == 0 {
		return nil
	}
	failures = joined(failures)
	last := len(failures) - 1
	c.failed(failures[:last])
	return failures[last]
}
