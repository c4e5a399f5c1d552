package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/corpus"
	"leveret/engine/foreign"
	"leveret/solc/compiler"
	"leveret/solc/selection"
)

func corpusCommand(c console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "corpus",
		Short: "Show, merge, minimize and import saved inputs",
		Long: `Work on the folders that leveret fuzz --corpus saves inputs to. What inputs cover is measured by
executing them on the contracts as they are compiled now. Runs and editors may use the folder at
the same time: what they add is kept.`,
	}
	cmd.AddCommand(corpusShowCommand(c), corpusMergeCommand(c), corpusMinimizeCommand(c), corpusImportCommand(c))
	return cmd
}

// corpusFlags are the flags of subcommands that execute a corpus.
type corpusFlags struct {
	corpus    string
	existing  bool // the folder has to exist
	contracts []string
	forkFlags
	compilerFlags
	fastFlag
}

// command returns a subcommand with the flags that calls do with each contract.
func (f *corpusFlags) command(c console, cmd *cobra.Command, do func(context.Context, *contractCorpus) error) *cobra.Command {
	cmd.Args = somePaths
	cmd.RunE = func(cmd *cobra.Command, paths []string) error {
		if f.corpus == "" {
			return errNoCorpus
		}
		if _, err := os.Stat(f.corpus); f.existing && err != nil {
			return fmt.Errorf("--corpus %s: %w; name the folder of leveret fuzz --corpus", f.corpus, cause(err))
		}
		if err := f.forkFlags.check(cmd.Flags().Changed); err != nil {
			return err
		}
		return f.run(cmd.Context(), c, paths, do)
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.corpus, "corpus", "", corpusUsage)
	flags.StringArrayVar(&f.contracts, "contract", nil, "only this contract, `NAME` or FILE:NAME; repeatable")
	f.forkFlags.add(flags)
	f.compilerFlags.add(flags)
	f.fastFlag.add(flags)
	return cmd
}

// corpusUsage is the help of --corpus.
const corpusUsage = "the `DIR` of leveret fuzz --corpus"

var errNoCorpus = errors.New("missing --corpus: name the folder of leveret fuzz --corpus")

// A contractCorpus is the corpus of a contract, which may be empty.
type contractCorpus struct {
	console
	candidate selection.Candidate
	options   engine.Options
	path      string
	file      *corpus.File
	texts     [][]byte
}

// run compiles paths and calls do with each contract that can be fuzzed. An error of
// one contract does not end the others.
func (f *corpusFlags) run(ctx context.Context, c console, paths []string, do func(context.Context, *contractCorpus) error) error {
	ctx, stop := stoppable(ctx)
	defer stop()
	env := environment(f.compilerFlags)
	env.Watch = newCompileProgress(c.err, !f.fast).follow
	tools := compiler.NewToolchain(env)
	defer tools.Close()
	batches, failures, err := selection.Open(tools, paths)
	if err != nil {
		return err
	}
	units, failed := c.compile(ctx, batches, f.fastFlag.settings())
	if failures = append(failures, failed...); len(units) == 0 && len(failures) > 0 {
		return c.nothing(failures)
	}
	c.failed(failures)
	list, err := selection.Choose(units, f.contracts)
	if err != nil {
		return fmt.Errorf("--contract %w", err)
	}
	forks := newForkOpener(ctx, c, env, f.forkURL)
	defer forks.close()
	fork, err := forks.start(&f.forkFlags)
	if err != nil {
		return err
	}
	if err := f.each(ctx, c, list, engine.Options{Fork: fork}, do); err != nil {
		return err
	}
	if len(failures) > 0 {
		return fmt.Errorf("could not compile %s, see above", english.Plural(len(failures), "file or folder", "files or folders"))
	}
	return nil
}

// each calls do with each contract that can be fuzzed. It prints all errors but the
// last one.
func (f *corpusFlags) each(ctx context.Context, c console, list []selection.Candidate, options engine.Options, do func(context.Context, *contractCorpus) error) (last error) {
	any := false
	for _, candidate := range list {
		if candidate.Note != "" || candidate.Contract.RunsTests() {
			continue
		}
		if ctx.Err() != nil {
			return errors.New("stopped before all contracts were done")
		}
		any = true
		folder := filepath.Join(f.corpus, corpusFolder(list[0].Unit.Project.Root, candidate))
		of := &contractCorpus{console: c, candidate: candidate, options: options, path: filepath.Join(folder, candidate.Contract.Name+engine.CorpusSuffix)}
		err := of.load()
		if err == nil {
			err = do(ctx, of)
		}
		if err != nil {
			if last != nil {
				fmt.Fprintln(c.err, "leveret:", oneLine(last.Error()))
			}
			last = err
		}
	}
	if !any {
		return errors.New("no contract that can be fuzzed in these paths")
	}
	return last
}

// load reads the corpus. It prints what is damaged.
func (c *contractCorpus) load() (err error) {
	c.file = engine.OpenCorpus(c.path)
	c.texts, err = c.loaded(c.file)
	return err
}

// loaded returns the inputs of a corpus file, and prints what is damaged.
func (c console) loaded(f *corpus.File) ([][]byte, error) {
	texts, err := f.Load()
	if damage := (*corpus.Damage)(nil); errors.As(err, &damage) {
		fmt.Fprintln(c.err, "leveret:", oneLine(damage.Error()))
		err = nil
	}
	return texts, err
}

// measure executes inputs on the contract: those of a corpus, then those of other
// fuzzers.
func (c *contractCorpus) measure(ctx context.Context, texts [][]byte, others []foreign.Sequence) (*engine.Measurement, error) {
	contract := c.candidate.Contract
	m, err := engine.Measure(ctx, contract, c.candidate.Unit.Build.Contracts, engine.Inputs(texts), others, c.options)
	if err == nil && m.Note != "" {
		err = errors.New(strings.TrimSuffix(m.Note, "."))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the corpus cannot be executed: %w", c.path, err)
	}
	return m, nil
}

// covered says how many instructions of the contract some inputs cover.
func (c *contractCorpus) covered(m *engine.Measurement, inputs ...int) string {
	n := m.Covered(inputs...)
	return fmt.Sprintf("%d of %d instructions of %s", n.Covered, n.Total, c.candidate.Contract.Name)
}

// upTo lists the numbers below n.
func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}
