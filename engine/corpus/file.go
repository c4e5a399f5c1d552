package corpus

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/gofrs/flock"

	"leveret/solc/atomicfile"
)

// Limits of a corpus file. Load reads no more; Save keeps inputs of other
// processes only up to maxShared.
const (
	maxRead   = 256 << 20
	maxShared = 32 << 20
)

// maxMine bounds the inputs that a File remembers beside those in the file.
const maxMine = 1 << 18

// lockTimeout is how long Save waits for another process. It then saves
// without the lock, because some file systems have none.
const lockTimeout = 5 * time.Second

// lockName is the file in a corpus folder that processes lock.
const lockName = ".lock"

// A File is the corpus of one contract on disk. Several processes may save to
// it: each removes only inputs that it loaded or saved itself.
type File struct {
	path   string
	valid  func([]byte) bool // reports whether an input can be read
	mine   map[ID]bool       // inputs that this File loaded or saved
	last   *ID               // of what Save wrote last; nil: nothing
	others [][]byte          // the part of that that other processes added
	copied string            // the damaged file that was reported last
}

// Open returns the corpus at path, which need not exist. An input for which
// valid is false counts as damaged.
func Open(path string, valid func([]byte) bool) *File {
	return &File{path: path, valid: valid, mine: map[ID]bool{}}
}

// A Damage describes the unreadable part of a corpus file. A copy of the file
// is kept.
type Damage struct {
	Path string
	Copy string // name of the copy, beside Path
	Kept int    // readable inputs
	Lost int    // unreadable inputs
	More bool   // more may be lost
}

func (d *Damage) Error() string {
	least := ""
	if d.More {
		least = "at least "
	}
	what := fmt.Sprintf("%s%s cannot be read and %s can", least, english.Plural(d.Lost, "input", ""), humanize.Comma(int64(d.Kept)))
	switch {
	case d.Kept == 0 && d.More:
		what = "none of its inputs can be read"
	case d.Lost == 0:
		what = fmt.Sprintf("its first line cannot be read, %s can", english.Plural(d.Kept, "input", ""))
	}
	return fmt.Sprintf("the corpus %s is damaged: %s; the damaged file is kept as %s: restore a backup, or delete that file",
		d.Path, what, d.Copy)
}

// Load returns the readable inputs. If the file is damaged, it returns them
// with a *Damage; any other error means that the file could not be read at all.
func (f *File) Load() ([][]byte, error) {
	data, err := f.read()
	if err != nil || data == nil {
		return nil, err
	}
	c, err := f.checked(data)
	f.own(c.inputs)
	return c.inputs, err
}

// read returns the contents of the file; nil if there is none.
func (f *File) read() ([]byte, error) {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxRead))
	if data == nil && err == nil {
		data = []byte{}
	}
	return data, err
}

// checked decodes a file and keeps a copy of it if it is damaged. It reports
// the same damage only once.
func (f *File) checked(data []byte) (contents, error) {
	c := decode(data, f.valid)
	if !c.damaged {
		return c, nil
	}
	sum := sha256.Sum256(data)
	copied := fmt.Sprintf("%s.damaged-%x", f.path, sum[:4]) // one copy for the same damage
	if copied == f.copied {
		return c, nil
	}
	if err := atomicfile.WriteFile(copied, data, 0o666); err != nil {
		return c, fmt.Errorf("the corpus %s is damaged and is left as it is, because it cannot be copied: %w", f.path, err)
	}
	f.copied = copied
	return c, &Damage{Path: f.path, Copy: filepath.Base(copied), Kept: len(c.inputs), Lost: c.lost, More: c.unsure}
}

// Save replaces what this File loaded and saved before by inputs, and keeps
// what other processes added. It creates the folder if needed. With a *Damage,
// everything was saved.
func (f *File) Save(inputs [][]byte) error {
	f.own(inputs)
	if err := os.MkdirAll(filepath.Dir(f.path), 0o755); err != nil {
		return pathError(f.path, err)
	}
	defer f.lock()()
	changed, err := f.changed()
	if err != nil {
		return pathError(f.path, err)
	}
	var damage error
	if changed {
		now, err := f.read()
		if err != nil {
			return pathError(f.path, err)
		}
		var saved [][]byte
		if saved, damage = f.saved(now); damage != nil && !errors.As(damage, new(*Damage)) {
			return damage
		}
		f.others = f.foreign(inputs, saved)
	}
	data := encode(slices.Concat(inputs, f.others))
	if len(data) > maxRead {
		return fmt.Errorf("the corpus %s would have %s, and at most %s are read: minimize it with leveret corpus minimize", f.path, humanize.IBytes(uint64(len(data))), humanize.IBytes(maxRead))
	}
	if err := atomicfile.WriteFile(f.path, data, 0o666); err != nil {
		return err
	}
	sum := ID(sha256.Sum256(data))
	f.last = &sum
	if len(f.mine) > maxMine { // the file has no others
		clear(f.mine)
		f.own(inputs)
	}
	return damage
}

// own makes inputs those of this File.
func (f *File) own(inputs [][]byte) {
	for _, in := range inputs {
		f.mine[IDOf(in)] = true
	}
}

// changed reports whether the file is not as Save wrote it last.
func (f *File) changed() (bool, error) {
	if f.last == nil {
		return true, nil
	}
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return false, err
	}
	return ID(sum.Sum(nil)) != *f.last, nil
}

// saved returns the inputs in a file that may not exist.
func (f *File) saved(data []byte) ([][]byte, error) {
	if data == nil {
		return nil, nil
	}
	c, err := f.checked(data)
	return c.inputs, err
}

// foreign returns the saved inputs that belong to other processes, as many as
// fit beside inputs.
func (f *File) foreign(inputs, saved [][]byte) (others [][]byte) {
	room := maxShared
	for _, in := range inputs {
		room -= len(in)
	}
	for _, in := range saved {
		if f.mine[IDOf(in)] {
			continue
		}
		if room -= len(in); room < 0 {
			break
		}
		others = append(others, in)
	}
	return others
}

// lock locks the folder against other processes if possible.
func (f *File) lock() (unlock func()) {
	l := flock.New(filepath.Join(filepath.Dir(f.path), lockName), flock.SetPermissions(0o666))
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	if locked, err := l.TryLockContext(ctx, 10*time.Millisecond); !locked || err != nil {
		return func() {}
	}
	return func() { l.Unlock() }
}

// pathError makes path the path of err, so that the same failure gives the same
// error each time.
func pathError(path string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: "save", Path: path, Err: p.Err}
	}
	return err
}
