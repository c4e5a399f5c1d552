package main

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/oracle"
	"leveret/engine/report"
	"leveret/engine/report/testreport"
	"leveret/solc/compiler"
	"leveret/solc/scan"
	"leveret/solc/selection"
)

// flagCompletions says how shells complete the values of flags, by flag or by
// "SUBCOMMAND --FLAG", which comes first. Other values are files or free text.
func flagCompletions() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"--baseline":    completeFiles("json"),
		"--contract":    completeContracts(selection.Open),
		"--corpus":      completeFolders,
		"--fail-on":     completeWords("error", "warning", "info"),
		"--format":      completeFormats,
		"--from":        completeFolders,
		"--harness":     completeContracts(selection.OpenTests),
		"--id":          completeIDs,
		"--lookahead":   completeWords(string(engine.LookaheadOn), string(engine.LookaheadOff), string(engine.LookaheadBlind), string(engine.LookaheadPlain)),
		"--oracles":     completeOracles,
		"--severity":    completeWords("error", "warning", "info", "hint"),
		"--test":        completeWords(testFormats...),
		"test --format": completeWords(testreport.FormatNames()...),
	}
}

// argumentCompletions says how shells complete arguments, by their names in usage
// lines. Subcommands with other arguments, or with none, complete nothing.
func argumentCompletions() map[string]cobra.CompletionFunc {
	return map[string]cobra.CompletionFunc{
		"PATH":         completeFiles("sol"),
		"FROM":         completeFolders,
		"FINDING.json": completeFiles("json"),
	}
}

// addCompletions adds the completions of flags and arguments to a command and those
// below it.
func addCompletions(cmd *cobra.Command) {
	flags := flagCompletions()
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		complete := flags[cmd.Name()+" --"+f.Name]
		if complete == nil {
			complete = flags["--"+f.Name]
		}
		if complete != nil {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only for flags that do not exist
		}
	})
	if cmd.Runnable() {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
		for name, complete := range argumentCompletions() {
			usage := strings.Fields(strings.NewReplacer("[", "", "]", "", "...", "").Replace(cmd.Use))
			if usage[len(usage)-1] == name {
				cmd.ValidArgsFunction = complete
			}
		}
	}
	for _, below := range cmd.Commands() {
		addCompletions(below)
	}
}

// completeWords completes one of some words.
func completeWords(words ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// completeFiles completes folders, and files with an extension.
func completeFiles(extension string) cobra.CompletionFunc {
	return cobra.FixedCompletions([]string{extension}, cobra.ShellCompDirectiveFilterFileExt)
}

func completeFolders(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeFormats completes FORMAT, and the file of FORMAT=FILE.
func completeFormats(_ *cobra.Command, _ []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if strings.Contains(word, "=") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return report.FormatNames(), cobra.ShellCompDirectiveNoFileComp
}

// completeOracles completes the last one of a list with commas.
func completeOracles(_ *cobra.Command, _ []string, word string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	before := word[:strings.LastIndex(word, ",")+1]
	chosen := strings.Split(before, ",")
	for _, o := range oracle.All {
		if !slices.Contains(chosen, o.Name) {
			list = append(list, cobra.CompletionWithDesc(before+o.Name, o.Title))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// completeIDs completes the findings of the last run.
func completeIDs(_ *cobra.Command, args []string, _ string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	env := environment(compilerFlags{untrusted: true})
	findings, _ := readFindings(console{strings.NewReader(""), io.Discard, io.Discard}, env, args, nil)
	for i := range findings {
		list = append(list, cobra.CompletionWithDesc(findings[i].ID, findings[i].File))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeContracts completes the contracts of the files that open selects with the
// paths on the command line, or without any in the current folder. It compiles
// nothing, and runs no program.
func completeContracts(open func(*compiler.Toolchain, []string) ([]selection.Batch, []error, error)) cobra.CompletionFunc {
	return func(_ *cobra.Command, paths []string, _ string) (names []cobra.Completion, _ cobra.ShellCompDirective) {
		if len(paths) == 0 {
			paths = []string{"."}
		}
		tools := compiler.NewToolchain(environment(compilerFlags{untrusted: true}))
		defer tools.Close()
		batches, _, _ := open(tools, paths)
		for _, b := range batches {
			for _, file := range b.Files {
				text, _ := os.ReadFile(file)
				names = append(names, scan.Contracts(text)...)
			}
		}
		slices.Sort(names)
		return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
	}
}
