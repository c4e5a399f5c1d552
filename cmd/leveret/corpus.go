package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"leveret/solc/atomicfile"
)

// checkCorpus warns before anything is fuzzed if the corpus cannot be saved.
func (r *fuzzRun) checkCorpus() {
	if r.corpus == "" {
		return
	}
	err := os.MkdirAll(r.corpus, 0o755)
	if err == nil {
		err = atomicfile.Check(filepath.Join(r.corpus, "probe"))
	}
	r.warnOfCorpus(err)
}

// warnOfCorpus tells what is wrong with the corpus. It costs only time, so the
// run goes on. What many contracts have in common, such as a full disk, is told
// once.
func (r *fuzzRun) warnOfCorpus(err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range several.Unwrap() {
			r.warnOfCorpus(e)
		}
		return
	}
	if err == nil {
		return
	}
	text, key := oneLine(err.Error()), err.Error()
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		text = fmt.Sprintf("--corpus %s: inputs cannot be saved in %s: %v; all findings are reported, and to keep inputs, free that place or name another folder", r.corpus, p.Path, p.Err)
		key = p.Err.Error()
	}
	if r.told == nil {
		r.told = map[string]bool{}
	}
	if !r.told[key] {
		r.told[key] = true
		fmt.Fprintln(r.console.err, "leveret:", text)
	}
}
