package change

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing/format/config"

	"leveret/solc/trust"
)

// readOnly is a folder of git's files without write access. It opens only regular
// files: a pipe would never end.
type readOnly struct {
	billy.Filesystem
	*workBudget
}

// A workBudget bounds the number of reads for one object. Deltas can be circular:
// go-git would follow them until the stack overflows, which cannot be recovered.
type workBudget struct{ left atomic.Int64 }

// maxReads is generous to real repositories: git's chains of deltas have at
// most 4,095 links.
const maxReads = 1 << 17

func (b *workBudget) refill() { b.left.Store(maxReads) }

func (b *workBudget) spend() error {
	if b.left.Add(-1) < 0 {
		return errors.New("an object in git takes too long to read")
	}
	return nil
}

// A boundedFile is a file with a bounded number of reads.
type boundedFile struct {
	billy.File
	*workBudget
}

func (f boundedFile) Read(to []byte) (int, error) {
	if err := f.spend(); err != nil {
		return 0, err
	}
	return f.File.Read(to)
}

func (f boundedFile) ReadAt(to []byte, at int64) (int, error) {
	if err := f.spend(); err != nil {
		return 0, err
	}
	return f.File.ReadAt(to, at)
}

func (f boundedFile) Seek(offset int64, whence int) (int64, error) {
	if err := f.spend(); err != nil {
		return 0, err
	}
	return f.File.Seek(offset, whence)
}

// errReadOnly is the error of every operation that would change a file.
var errReadOnly = errors.New("git's files are only read")

func (f readOnly) Open(name string) (billy.File, error) {
	info, err := f.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("this is not a regular file")}
	}
	file, err := f.Filesystem.Open(name)
	if err != nil {
		return nil, err
	}
	return boundedFile{file, f.workBudget}, nil
}

func (f readOnly) OpenFile(name string, flag int, _ os.FileMode) (billy.File, error) {
	if flag != os.O_RDONLY {
		return nil, errReadOnly
	}
	return f.Open(name)
}

func (f readOnly) Chroot(path string) (billy.Filesystem, error) {
	in, err := f.Filesystem.Chroot(path)
	return readOnly{in, f.workBudget}, err
}

func (readOnly) Create(string) (billy.File, error)           { return nil, errReadOnly }
func (readOnly) TempFile(string, string) (billy.File, error) { return nil, errReadOnly }
func (readOnly) Rename(string, string) error                 { return errReadOnly }
func (readOnly) Remove(string) error                         { return errReadOnly }
func (readOnly) MkdirAll(string, os.FileMode) error          { return errReadOnly }
func (readOnly) Symlink(string, string) error                { return errReadOnly }

// alternates is the file that lists object folders of other repositories, as
// clones with --shared or --reference have it.
func alternates() billy.Filesystem {
	if runtime.GOOS == "windows" {
		return nil
	}
	return osfs.New("/")
}

// maxConfig bounds the size of git's configuration, in bytes.
const maxConfig = 1 << 20

// checkFormat fails for repository formats that cannot be read. It ignores the
// rest of the configuration.
func checkFormat(git string) error {
	text, err := trust.ReadRegular(filepath.Join(git, "config"), maxConfig)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	c := config.New()
	if err := config.NewDecoder(bytes.NewReader(text)).Decode(c); err != nil {
		return fmt.Errorf("%s cannot be read: %w", filepath.Join(git, "config"), err)
	}
	extensions := c.Section("extensions").Options
	if format := extensions.Get("objectformat"); format != "" && !strings.EqualFold(format, "sha1") {
		return fmt.Errorf("its objects are named by %s, and Leveret supports only SHA-1", format)
	}
	if format := extensions.Get("refstorage"); format != "" && !strings.EqualFold(format, "files") {
		return fmt.Errorf("its references are stored as %s, and Leveret supports only files", format)
	}
	return nil
}
