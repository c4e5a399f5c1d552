package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/cobra"

	"leveret/engine"
	"leveret/engine/corpus"
)

func corpusMergeCommand(c console) *cobra.Command {
	into := ""
	cmd := &cobra.Command{
		Use:   "merge --corpus DIR FROM...",
		Short: "Add the inputs of other folders",
		Long: `Add the inputs of the folders FROM to those in DIR, each once. Nothing is executed: runs drop what
does not fit, and leveret corpus minimize what covers nothing new.`,
		Example: "  leveret corpus merge --corpus .leveret ci/night-1 ci/night-2",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("missing FROM: name a folder of leveret fuzz --corpus")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, from []string) error {
			if into == "" {
				return errNoCorpus
			}
			for _, folder := range from {
				if err := merge(cmd.Context(), c, into, folder); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&into, "corpus", "", corpusUsage)
	return cmd
}

// merge adds the corpora in a folder to those in another.
func merge(ctx context.Context, c console, into, from string) error {
	found := false
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, engine.CorpusSuffix) {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found = true
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return mergeFile(c, filepath.Join(into, name), path)
	})
	if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == from {
		err = fmt.Errorf("%s: %w; name a folder that leveret fuzz --corpus wrote", from, p.Err)
	}
	if err == nil && !found {
		err = fmt.Errorf("%s: no corpus in this folder; name one that leveret fuzz --corpus wrote", from)
	}
	return err
}

// mergeFile adds the inputs of a file to another, which need not exist.
func mergeFile(c console, into, from string) error {
	more, err := c.loaded(engine.OpenCorpus(from))
	if err != nil {
		return err
	}
	file := engine.OpenCorpus(into)
	had, err := c.loaded(file)
	if err != nil {
		return err
	}
	var all corpus.Set
	all.AddAll(had)
	added := all.AddAll(more)
	if added > 0 {
		if err := file.Save(all.Inputs); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "%s: %s of %s added, %d in all.\n", into, english.Plural(added, "input", ""), from, len(all.Inputs))
	return nil
}
