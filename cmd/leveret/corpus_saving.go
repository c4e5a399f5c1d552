package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"leveret/solc/atomicfile"
)

// checkCorpus warns before fuzzing if the corpus cannot be saved.
func (r *fuzzRun) checkCorpus() {
	if r.corpus == "" {
		return
	}
	err := os.MkdirAll(r.corpus, 0o755)
	if err == nil {
		err = atomicfile.Check(filepath.Join(r.corpus, "probe"))
	}
	r.warnAboutCorpus(err)
}

// warnAboutCorpus prints a problem of the corpus and lets the run continue. It
// prints a problem that many contracts share, such as a full disk, once.
func (r *fuzzRun) warnAboutCorpus(err error) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range several.Unwrap() {
			r.warnAboutCorpus(e)
		}
		return
	}
	if err == nil {
		return
	}
	text, key := oneLine(err.Error()), err.Error()
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		text = fmt.Sprintf("--corpus %s: cannot save inputs in %s: %v; free space there or choose another folder (all findings are reported)", r.corpus, p.Path, p.Err)
		key = p.Err.Error()
	}
	if r.warned == nil {
		r.warned = map[string]bool{}
	}
	if !r.warned[key] {
		r.warned[key] = true
		fmt.Fprintln(r.console.err, "leveret:", text)
	}
}
