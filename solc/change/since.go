package change

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"leveret/solc"
	"leveret/solc/trust"
)

// Since lists the sources that differ from a revision of the repository that
// dir lies in. Those that git neither knows nor ignores are new.
func Since(ctx context.Context, dir, revision string, sources []*solc.Source) (files []File, err error) {
	defer guard(&err)
	r, err := openRepository(realPath(dir))
	if err != nil {
		return nil, explain(err)
	}
	defer r.close()
	t, err := r.tree(ctx, revision)
	if err != nil {
		return nil, explain(err)
	}
	w := workFiles{repository: r, ignored: map[string][]gitignore.Pattern{}}
	for _, source := range sources {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f, changed, err := w.compare(t, source)
		if err != nil {
			return nil, explain(err)
		}
		if changed {
			files = append(files, f)
		}
	}
	return files, nil
}

// Texts returns the texts of files at a revision of the repository of each file.
// Files that did not exist are missing.
func Texts(ctx context.Context, paths []string, revision string) (texts map[string][]byte, err error) {
	defer guard(&err)
	trees := map[string]*tree{} // by the root of the repository
	defer func() {
		for _, t := range trees {
			if t != nil {
				t.repository.close()
			}
		}
	}()
	texts = map[string][]byte{}
	for _, path := range paths {
		if ctx.Err() != nil {
			return texts, ctx.Err()
		}
		real := realPath(path)
		root := workTree(filepath.Dir(real))
		t, opened := trees[root]
		if !opened {
			var failed error
			if t, failed = openTree(ctx, root, revision); failed != nil {
				err = explain(failed)
			}
			trees[root] = t
		}
		if t == nil {
			continue
		}
		if text, known, failed := t.text(slashed(root, real)); failed != nil {
			err = explain(failed)
		} else if known {
			texts[path] = text
		}
	}
	return texts, err
}

func openTree(ctx context.Context, root, revision string) (*tree, error) {
	if root == "" {
		return nil, ErrNoRepository
	}
	r, err := openRepository(root)
	if err != nil {
		return nil, err
	}
	t, err := r.tree(ctx, revision)
	if err != nil {
		r.close()
		return nil, err
	}
	return t, nil
}

// workFiles compares files of the work tree.
type workFiles struct {
	*repository
	ignored map[string][]gitignore.Pattern // by folder, without those above it
	tracked map[string]bool                // the files in git's index; nil until needed
}

// compare returns how a source changed since a tree, if it did.
func (w *workFiles) compare(t *tree, source *solc.Source) (f File, changed bool, err error) {
	f.Path = source.Path
	if source.Path == "" {
		return f, false, nil
	}
	real := realPath(source.Path)
	if workTree(filepath.Dir(real)) != w.root { // in a submodule, or outside the repository
		return f, false, nil
	}
	name := slashed(w.root, real)
	if same, err := t.has(name, source.Text); same || err != nil {
		return f, false, err
	}
	old, known, err := t.text(name)
	switch {
	case err != nil:
		return f, false, err
	case known:
		f.Old = old
		return f, !bytes.Equal(lineEndsOf(old, source.Text), source.Text), nil
	case !w.ignores(name):
		f.New = true
		return f, true, nil
	}
	f.New, err = w.tracks(name)
	return f, f.New, err
}

// ignores reports whether git ignores a file, by .git/info/exclude and the
// .gitignore files of its folders.
func (w *workFiles) ignores(name string) bool {
	parts := strings.Split(name, "/")
	var patterns []gitignore.Pattern
	for i := range parts {
		patterns = append(patterns, w.patterns(path.Join(parts[:i]...))...)
		if gitignore.NewMatcher(patterns).Match(parts[:i+1], i < len(parts)-1) {
			return true
		}
	}
	return false
}

// patterns returns the ignore patterns of a folder.
func (w *workFiles) patterns(folder string) []gitignore.Pattern {
	if known, ok := w.ignored[folder]; ok {
		return known
	}
	var list []gitignore.Pattern
	files := []string{filepath.Join(w.root, filepath.FromSlash(folder), ".gitignore")}
	if folder == "" {
		files = append([]string{filepath.Join(w.common, "info", "exclude")}, files...)
	}
	for _, file := range files {
		text, _ := trust.ReadRegular(file, maxConfig)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" && line[0] != '#' {
				list = append(list, gitignore.ParsePattern(line, splitPath(folder)))
			}
		}
	}
	w.ignored[folder] = list
	return list
}

func splitPath(folder string) []string {
	if folder == "" {
		return nil
	}
	return strings.Split(folder, "/")
}

// tracks reports whether a file is in git's index.
func (w *workFiles) tracks(name string) (bool, error) {
	if w.tracked == nil {
		index, err := w.store.Index()
		if err != nil {
			return false, err
		}
		w.tracked = map[string]bool{}
		for _, e := range index.Entries {
			w.tracked[e.Name] = true
		}
	}
	return w.tracked[name], nil
}

// slashed returns a path relative to root, with slashes.
func slashed(root, path string) string {
	rel, err := filepath.Rel(root, path)
	if err != nil {
		return filepath.ToSlash(path)
	}
	return filepath.ToSlash(rel)
}

// realPath resolves links in the folder of a file, as git does, but not the file
// itself.
func realPath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			return real
		}
		return path
	}
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	return filepath.Join(dir, filepath.Base(path))
}

// guard turns a panic into an error: the files in .git may be damaged or
// malicious.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("the git repository is damaged: %v", p)
	}
}

// explain adds remedies to errors.
func explain(err error) error {
	switch {
	case errors.Is(err, ErrNoRepository), errors.Is(err, ErrNoRevision), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return errors.New("objects are missing, as in a shallow or partial clone; run git fetch --unshallow, or git fetch --refetch --no-filter")
	}
	return fmt.Errorf("the git repository cannot be read: %w", err)
}
