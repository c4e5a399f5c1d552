package main

import (
	"context"
	"fmt"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/corpus"
	"leveret/engine/report/words"
)

func corpusShowCommand(c console) *cobra.Command {
	f := corpusFlags{existing: true}
	return f.command(c, &cobra.Command{
		Use:   "show --corpus DIR PATH...",
		Short: "Show saved inputs with what they cover",
		Long: `Compile the contracts in PATH, execute their saved inputs, and print each with its id, the
instructions of the contract that its last transaction covers, how many blocks, branches and signs
of weaknesses are new with it, and its transactions.`,
		Example: "  leveret corpus show --corpus .leveret src/Vault.sol",
	}, show)
}

// show prints the corpus of a contract that has one.
func show(ctx context.Context, c *contractCorpus) error {
	if len(c.texts) == 0 {
		return nil
	}
	m, err := c.measure(ctx, c.texts, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %s, %s\n", c.path, english.Plural(len(c.texts), "input", ""), c.covered(m, upTo(len(m.Inputs))...))
	news := m.News()
	for i := range m.Inputs {
		fmt.Fprintf(c.out, "%d %s: %s\n", i+1, corpus.IDOf(c.texts[i]), does(m, i, news[i]))
		for _, step := range words.Steps(engine.Inputs(c.texts[i : i+1])[0]) {
			fmt.Fprintf(c.out, "    %s\n", step.Sentence())
		}
	}
	return nil
}

// does says in words what an input does.
func does(m *engine.Measurement, i, news int) string {
	in := &m.Inputs[i]
	if in.Unfit != "" {
		return "cannot be executed: " + in.Unfit
	}
	end := ""
	if !in.Success {
		end = ", fails"
	}
	return fmt.Sprintf("%s, %d new%s", english.Plural(m.Covered(i).Covered, "instruction", ""), news, end)
}
