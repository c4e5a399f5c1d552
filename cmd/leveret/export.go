package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/foundry"
	"leveret/solc/atomicfile"
)

// testFormats are the values of --test.
var testFormats = []string{"foundry"}

// export adds a regression test for a replayed finding to the project and prints
// its path.
func (f *replayFlags) export(c console, out *report.Report, d *report.FindingDocument) error {
	contract := &out.Contracts[0]
	found := foundAgain(contract.Findings, d)
	path := filepath.Join(out.Root, filepath.FromSlash(foundry.File(contract.Name)))
	if err := f.checkPath("--test", out.Root, path); err != nil {
		return err
	}
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := foundry.Test(old, foundry.Contract{Name: contract.Name, Solc: contract.Compiler.Version}, found, out.Block)
	if err != nil {
		return fmt.Errorf("cannot write a test for %s: %w", found.ID, err)
	}
	shown := textOptions(c.out, false).File(finding.Place{File: path, Path: path})
	if string(text) == string(old) {
		fmt.Fprintf(c.out, "%[2]s already has the test for %[1]s.\n", found.ID, shown)
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := atomicfile.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Wrote a test for %s to %s; run it with leveret test or forge test.\n", found.ID, shown)
	return nil
}

// foundAgain returns the finding of now that matches d best: by id, then by oracle.
func foundAgain(now []finding.Finding, d *report.FindingDocument) finding.Finding {
	for _, same := range []func(finding.Finding) bool{
		func(f finding.Finding) bool { return f.ID == d.ID },
		func(f finding.Finding) bool { return f.Oracle == d.Oracle },
	} {
		if i := slices.IndexFunc(now, same); i >= 0 {
			return now[i]
		}
	}
	return now[0]
}
