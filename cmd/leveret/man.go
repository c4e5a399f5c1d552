package main

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"
)

// manCommand writes what packages of Leveret contain; users have no need of it.
func manCommand(console) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write a man page for each subcommand to a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			prepareManual(root)
			header := &doc.GenManHeader{Section: "1", Source: "Leveret " + toolVersion, Manual: "Leveret"}
			if err := doc.GenManTree(root, header, args[0]); err != nil {
				return fmt.Errorf("cannot write man pages to %s: %w; name a folder that exists and can be written", args[0], cause(err))
			}
			return nil
		},
	}
}

// prepareManual makes the pages show flags as --help does, with the names of their
// values. The pages are the same on every machine.
func prepareManual(cmd *cobra.Command) {
	cmd.DisableAutoGenTag = true
	if workers := cmd.Flags().Lookup("workers"); workers != nil {
		workers.Usage += " (default the number of processors)"
		workers.DefValue = "0"
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.NoOptDefVal != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		if !slices.Contains([]string{"", "0", "0s", "[]"}, f.DefValue) {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		f.DefValue, f.Usage = value, usage
	})
	for _, below := range cmd.Commands() {
		prepareManual(below)
	}
}
