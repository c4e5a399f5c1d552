package change

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"

	"leveret/solc/trust"
)

// Limits for reading a repository.
const (
	maxObject  = 4 << 20  // bytes of a source, a tree or a commit
	maxCache   = 16 << 20 // bytes of objects in memory
	maxParents = 100_000  // commits between a revision and its reference
	maxPointer = 4096     // bytes of a file that names a folder
)

// Errors of missing repositories and revisions.
var (
	ErrNoRepository = errors.New("not a git repository")
	ErrNoRevision   = errors.New("no such revision; name a commit, a branch or a tag")
)

// A repository is a work tree and its git folder.
type repository struct {
	root   string // of the work tree, without symbolic links
	common string // the folder .git, or the one that a linked work tree shares
	store  *filesystem.Storage
	budget *workBudget // of the object that is being read
}

// openRepository opens the repository that contains a folder, given without
// symbolic links. A repository has an entry .git; bare ones are not found.
func openRepository(dir string) (*repository, error) {
	root := workTree(dir)
	if root == "" {
		return nil, ErrNoRepository
	}
	git, err := gitFolder(root)
	if err != nil {
		return nil, err
	}
	common, err := commonFolder(git)
	if err != nil {
		return nil, err
	}
	if err := checkFormat(common); err != nil {
		return nil, err
	}
	budget := &workBudget{}
	budget.refill()
	var files billy.Filesystem = readOnly{osfs.New(git), budget}
	if common != git {
		files = dotgit.NewRepositoryFilesystem(files, readOnly{osfs.New(common), budget})
	}
	options := filesystem.Options{LargeObjectThreshold: maxObject, AlternatesFS: alternates()}
	return &repository{root, common, filesystem.NewStorageWithOptions(files, cache.NewObjectLRU(maxCache), options), budget}, nil
}

// workTree returns the folder at or above dir that has an entry .git.
func workTree(dir string) string {
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// gitFolder returns the folder .git, or the one that the file .git of a linked
// work tree or submodule names.
func gitFolder(root string) (string, error) {
	path := filepath.Join(root, ".git")
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return path, err
	}
	target, err := pointer(path)
	if err != nil {
		return "", err
	}
	name, ok := strings.CutPrefix(target, "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s: this file names no git folder; %w", path, ErrNoRepository)
	}
	return relativeTo(root, strings.TrimSpace(name)), nil
}

// commonFolder returns the git folder that linked work trees share.
func commonFolder(git string) (string, error) {
	name, err := pointer(filepath.Join(git, "commondir"))
	if errors.Is(err, os.ErrNotExist) {
		return git, nil
	}
	return relativeTo(git, name), err
}

// pointer reads a file that names a folder.
func pointer(path string) (string, error) {
	text, err := trust.ReadRegular(path, maxPointer)
	return strings.TrimSpace(string(text)), err
}

func relativeTo(dir, path string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// commit returns the commit of a revision: a commit or its first digits, a
// branch, a tag or HEAD, each with optional suffixes ^, ~N and ^N.
func (r *repository) commit(ctx context.Context, revision string) (*object.Commit, error) {
	name, steps := revision, ""
	if i := strings.IndexAny(revision, "^~"); i >= 0 {
		name, steps = revision[:i], revision[i:]
	}
	c, err := r.named(name)
	for err == nil && steps != "" {
		step := steps[0]
		digits := len(steps[1:]) - len(strings.TrimLeft(steps[1:], "0123456789"))
		n := 1
		if digits > 0 {
			if n, err = strconv.Atoi(steps[1 : 1+digits]); err != nil || n > maxParents {
				return nil, ErrNoRevision
			}
		}
		steps = steps[1+digits:]
		switch step {
		case '~':
			for ; n > 0 && err == nil; n-- {
				c, err = parent(ctx, c, 1)
			}
		case '^':
			if n > 0 {
				c, err = parent(ctx, c, n)
			}
		default:
			return nil, ErrNoRevision
		}
	}
	return c, err
}

// parent returns the n-th parent of a commit, counted from 1.
func parent(ctx context.Context, c *object.Commit, n int) (*object.Commit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n > len(c.ParentHashes) {
		return nil, ErrNoRevision
	}
	return c.Parent(n - 1)
}

// named returns the commit of a name, by git's rules for references, then by the
// first digits of a commit.
func (r *repository) named(name string) (*object.Commit, error) {
	if name == "" || name == "@" {
		name = "HEAD"
	}
	if strings.Contains(name, "..") || strings.ContainsAny(name, " :\\*?[{}\x00") || strings.HasPrefix(name, "/") {
		return nil, ErrNoRevision
	}
	if len(name) == 40 && plumbing.IsHash(name) {
		return r.peel(plumbing.NewHash(name))
	}
	for _, rule := range plumbing.RefRevParseRules {
		ref, err := storer.ResolveReference(r.store, plumbing.ReferenceName(fmt.Sprintf(rule, name)))
		if err == nil {
			return r.peel(ref.Hash())
		}
	}
	return r.abbreviated(name)
}

// abbreviated returns the only commit whose hash begins with some digits.
func (r *repository) abbreviated(digits string) (*object.Commit, error) {
	prefix, err := hex.DecodeString(digits[:len(digits)&^1])
	if err != nil || len(digits) < 4 || len(digits) > 40 {
		return nil, ErrNoRevision
	}
	hashes, err := r.store.HashesWithPrefix(prefix)
	if err != nil {
		return nil, err
	}
	var found *object.Commit
	for _, hash := range hashes {
		if !strings.HasPrefix(hash.String(), strings.ToLower(digits)) {
			continue
		}
		c, err := r.peel(hash)
		if err != nil {
			continue
		}
		if found != nil && found.Hash != c.Hash {
			return nil, fmt.Errorf("%s is the start of several commits; write more of it", digits)
		}
		found = c
	}
	if found == nil {
		return nil, ErrNoRevision
	}
	return found, nil
}

// peel returns a commit, or the commit of a tag.
func (r *repository) peel(hash plumbing.Hash) (*object.Commit, error) {
	const most = 10 // tags of tags
	for range most {
		if err := r.small(hash); err != nil {
			return nil, err
		}
		tag, err := object.GetTag(r.store, hash)
		if err != nil {
			return object.GetCommit(r.store, hash)
		}
		hash = tag.Target
	}
	return nil, ErrNoRevision
}

// small fails if an object is too large. It starts the object's budget.
func (r *repository) small(hash plumbing.Hash) error {
	r.budget.refill()
	size, err := r.store.EncodedObjectSize(hash)
	if err == nil && size > maxObject {
		return fmt.Errorf("the object %s in git has %d MB, more than the limit", hash, size>>20)
	}
	return nil // the reader reports a missing object
}

// A tree is the files of a commit.
type tree struct {
	repository *repository
	root       plumbing.Hash
	folders    map[string]*object.Tree // by path with slashes
}

// tree returns the files of a revision.
func (r *repository) tree(ctx context.Context, revision string) (*tree, error) {
	c, err := r.commit(ctx, revision)
	if err != nil {
		return nil, err
	}
	return &tree{r, c.TreeHash, map[string]*object.Tree{}}, nil
}

// folder returns a folder of the tree; nil if there is none.
func (t *tree) folder(path string) (*object.Tree, error) {
	if known, ok := t.folders[path]; ok {
		return known, nil
	}
	hash := t.root
	if path != "" {
		entry, err := t.entry(path)
		if err != nil || entry == nil || entry.Mode != filemode.Dir {
			return nil, err
		}
		hash = entry.Hash
	}
	if err := t.repository.small(hash); err != nil {
		return nil, err
	}
	folder, err := object.GetTree(t.repository.store, hash)
	if err == nil {
		t.folders[path] = folder
	}
	return folder, err
}

// entry returns the tree's entry at a path, or nil.
func (t *tree) entry(path string) (*object.TreeEntry, error) {
	dir, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		dir, base = path[:i], path[i+1:]
	}
	folder, err := t.folder(dir)
	if folder == nil || err != nil {
		return nil, err
	}
	for i := range folder.Entries {
		if folder.Entries[i].Name == base {
			return &folder.Entries[i], nil
		}
	}
	return nil, nil
}

// has reports whether a file has a text, with the line ends of git or of
// Windows. It compares hashes and reads no object.
func (t *tree) has(path string, text []byte) (bool, error) {
	entry, err := t.entry(path)
	if err != nil || entry == nil {
		return false, err
	}
	for _, text := range [][]byte{text, bytes.ReplaceAll(text, carriageReturn, newline)} {
		if plumbing.ComputeHash(plumbing.BlobObject, text) == entry.Hash {
			return true, nil
		}
	}
	return false, nil
}

// text returns a file's text; known is false if there is no such file.
func (t *tree) text(path string) (text []byte, known bool, err error) {
	entry, err := t.entry(path)
	if err != nil || entry == nil || !entry.Mode.IsFile() || entry.Mode == filemode.Symlink {
		return nil, false, err
	}
	if err := t.repository.small(entry.Hash); err != nil {
		return nil, false, err
	}
	blob, err := object.GetBlob(t.repository.store, entry.Hash)
	if err != nil {
		return nil, false, err
	}
	in, err := blob.Reader()
	if err != nil {
		return nil, false, err
	}
	defer in.Close()
	text, err = io.ReadAll(io.LimitReader(in, maxObject))
	return text, true, err
}

// close closes the files of the repository.
func (r *repository) close() { r.store.Close() }
