package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine/corpus"
	"leveret/engine/foreign"
	"leveret/engine/input"
)

func corpusImportCommand(c console) *cobra.Command {
	f := importFlags{}
	cmd := f.command(c, &cobra.Command{
		Use:   "import --corpus DIR --from FOLDER PATH...",
		Short: "Import inputs of Echidna, Medusa and forge",
		Long: `Read the inputs in FOLDER: a corpus of Echidna (coverage and reproducers) or of Medusa
(call_sequences), the corpus of forge, or its failures in cache/invariant. Execute them on the
contracts in PATH, and add those that cover what no saved input does. Addresses of the other tool
become actors and contracts of Leveret's chain, and calls go to the functions with their selectors.
Inputs that fit no contract are left out, and files that cannot be read are named. leveret test reads
the failures of forge by itself.`,
		Example: "  leveret corpus import --corpus .leveret --from echidna-corpus src/Vault.sol",
	}, f.importInto)
	cmd.PreRunE = func(*cobra.Command, []string) error { return f.read(c) }
	cmd.Flags().StringVar(&f.from, "from", "", "the `FOLDER` with inputs of Echidna, Medusa or forge")
	return cmd
}

// importFlags are the flags of leveret corpus import.
type importFlags struct {
	corpusFlags
	from      string
	sequences []foreign.Sequence // in from
}

// Limits of what is read and named.
const (
	maxImported = 100_000 // files
	maxNamed    = 5       // files that cannot be read
)

// read reads the inputs. It names files that cannot be read.
func (f *importFlags) read(c console) error {
	if f.from == "" {
		return errors.New("missing --from: name the folder with inputs of Echidna, Medusa or forge")
	}
	bad := 0
	err := filepath.WalkDir(f.from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if len(f.sequences)+bad >= maxImported {
			return fmt.Errorf("more than %d files", maxImported)
		}
		q, err := readForeign(path)
		if err == nil {
			f.sequences = append(f.sequences, q)
			return nil
		}
		if bad++; bad <= maxNamed {
			fmt.Fprintf(c.err, "%s is left out: %s\n", path, oneLine(err.Error()))
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("--from %s: %w", f.from, err)
	}
	if bad > maxNamed {
		fmt.Fprintf(c.err, "%d more %s left out.\n", bad-maxNamed, english.PluralWord(bad-maxNamed, "file is", "files are"))
	}
	if len(f.sequences) == 0 {
		return fmt.Errorf("--from %s: no input of Echidna, Medusa or forge in this folder", f.from)
	}
	return nil
}

func readForeign(path string) (q foreign.Sequence, err error) {
	file, err := os.Open(path)
	if err != nil {
		return q, cause(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, foreign.MaxFile+1))
	if err != nil {
		return q, cause(err)
	}
	return foreign.Read(data)
}

// importInto adds the inputs that cover something new to the corpus of a contract.
func (f *importFlags) importInto(ctx context.Context, c *contractCorpus) error {
	m, err := c.measure(ctx, c.texts, f.sequences)
	if err != nil {
		return err
	}
	var all corpus.Set
	all.AddAll(c.texts)
	fit, added, why := 0, 0, ""
	news := m.News()
	for i := len(c.texts); i < len(m.Inputs); i++ {
		if in := &m.Inputs[i]; in.Unfit != "" {
			why = in.Unfit
		} else if fit++; news[i] > 0 && all.Add(input.AppendText(nil, in.Sequence)) {
			added++
		}
	}
	if added > 0 {
		if err := c.file.Save(all.Inputs); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "%s: %d of %s fit, %d cover something new and are added; now %s", c.path, fit, english.Plural(len(f.sequences), "input", ""), added, c.covered(m, upTo(len(m.Inputs))...))
	if why != "" {
		fmt.Fprintf(c.out, ". One that does not fit: %s", why)
	}
	fmt.Fprintln(c.out, ".")
	return nil
}
