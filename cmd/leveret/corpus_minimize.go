package main

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/corpus"
)

func corpusMinimizeCommand(c console) *cobra.Command {
	f := corpusFlags{existing: true}
	return f.command(c, &cobra.Command{
		Use:   "minimize --corpus DIR PATH...",
		Short: "Keep the fewest saved inputs that cover the same",
		Long: `Compile the contracts in PATH, execute their saved inputs, and keep as few as cover the same blocks,
outcomes of branches and signs of weaknesses. The output says whether fewer are impossible, or the
choice is the greedy one. Inputs that no longer fit the contract are removed. The chosen inputs are
executed again before anything is written; if they cover less, or the contract cannot be deployed,
the corpus stays as it is.`,
		Example: "  leveret corpus minimize --corpus .leveret src",
	}, minimize)
}

// minimize minimizes the corpus of a contract that has one.
func minimize(ctx context.Context, c *contractCorpus) error {
	if len(c.texts) == 0 {
		return nil
	}
	m, err := c.measure(ctx, c.texts, nil)
	if err != nil {
		return err
	}
	var features [][]uint64
	unfit := 0
	for _, in := range m.Inputs {
		features = append(features, in.Features)
		if in.Unfit != "" {
			unfit++
		}
	}
	if unfit == len(m.Inputs) {
		return fmt.Errorf("%s: no input fits %s, so the corpus stays as it is: %s", c.path, c.candidate.Contract.Name, m.Inputs[0].Unfit)
	}
	chosen, exact := corpus.Minimize(features)
	var kept [][]byte
	for _, i := range chosen {
		kept = append(kept, c.texts[i])
	}
	again, err := c.measure(ctx, kept, nil)
	if err != nil {
		return err
	}
	if before, now := countFeatures(m), countFeatures(again); now != before {
		return fmt.Errorf("%s: the chosen inputs cover %d blocks, branches and signs when they are executed again, not %d, so the corpus stays as it is", c.path, now, before)
	}
	if err := c.file.Save(kept); err != nil {
		return err
	}
	how := "fewer are impossible"
	if !exact {
		how = "chosen greedily"
	}
	fmt.Fprintf(c.out, "%s: %d of %s kept, %s: %s as before", c.path, len(kept), english.Plural(len(c.texts), "input", ""), how, c.covered(again, upTo(len(kept))...))
	if unfit > 0 {
		fmt.Fprintf(c.out, "; %d no longer fit and are removed", unfit)
	}
	fmt.Fprintln(c.out, ".")
	return nil
}

// countFeatures counts what all inputs cover.
func countFeatures(m *engine.Measurement) (n int) {
	for _, news := range m.News() {
		n += news
	}
	return n
}
