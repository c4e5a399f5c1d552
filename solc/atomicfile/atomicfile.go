// Package atomicfile replaces files atomically: after a crash or on a full disk, a
// file has its old contents or its new ones.
//
// It writes a temporary file in the same folder, syncs it and renames it. Devices,
// pipes and standard streams cannot be replaced and are written in place.
package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/rogpeppe/go-internal/robustio"
)

// maxLinks is the largest number of symbolic links that are followed.
const maxLinks = 40

// WriteFile is like os.WriteFile, but atomic. It follows symbolic links, keeps the
// permissions of an existing file and applies the umask to a new one.
func WriteFile(path string, data []byte, perm fs.FileMode) error {
	target, special, err := resolve(path)
	if err != nil {
		return named(path, err)
	}
	if special {
		return named(path, writeInPlace(target, data))
	}
	f, err := create(target, perm, "")
	if err != nil {
		if onlyFileWritable(target, err) {
			return named(path, writeInPlace(target, data))
		}
		return named(path, err)
	}
	defer f.Discard()
	if _, err := f.Write(data); err != nil {
		return named(path, err)
	}
	err = f.Commit()
	if errors.Is(err, syscall.EBUSY) { // a mount point, as of a container
		err = writeInPlace(target, data)
	}
	return named(path, err)
}

// Check returns the error with which WriteFile would fail now, or nil. It does not
// change path.
func Check(path string) error {
	target, special, err := resolve(path)
	if err != nil || special { // do not open a pipe without data for it
		return named(path, err)
	}
	f, err := create(target, 0o600, "")
	if err == nil {
		f.Discard()
		return nil
	}
	if onlyFileWritable(target, err) {
		return nil
	}
	return named(path, err)
}

// A File is a temporary file that Commit moves to its path.
type File struct {
	*os.File
	target string
	closed bool
	done   bool
}

// Create creates a temporary file that Commit moves to path. Its name ends with
// suffix. Callers must call Discard.
func Create(path string, perm fs.FileMode, suffix string) (*File, error) {
	target, special, err := resolve(path)
	if err == nil && special {
		err = &fs.PathError{Op: "create", Path: path, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, named(path, err)
	}
	f, err := create(target, perm, suffix)
	return f, named(path, err)
}

// Finish syncs and closes the file without moving it.
func (f *File) Finish() error {
	if f.closed {
		return nil
	}
	f.closed = true
	return errors.Join(f.Sync(), f.Close())
}

// Commit finishes the file and moves it to its path.
func (f *File) Commit() error {
	if err := f.Finish(); err != nil {
		return err
	}
	if err := robustio.Rename(f.Name(), f.target); err != nil {
		return err
	}
	f.done = true
	return nil
}

// Discard removes the file unless Commit has moved it.
func (f *File) Discard() {
	if !f.done {
		f.Close()
		os.Remove(f.Name())
	}
}

// TempPrefix is the prefix of the names of temporary files.
const TempPrefix = ".new-"

func create(target string, perm fs.FileMode, suffix string) (*File, error) {
	info, err := os.Stat(target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for {
		name := filepath.Join(filepath.Dir(target), fmt.Sprintf("%s%08x%s", TempPrefix, rand.Uint32(), suffix))
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm) // unlike os.CreateTemp, applies the umask
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info != nil {
			keepOwner(f, info)
			f.Chmod(info.Mode().Perm()) // some file systems have no permissions
		}
		return &File{File: f, target: target}, nil
	}
}

// resolve follows symbolic links. The target need not exist. A special file must be
// written in place.
func resolve(path string) (target string, special bool, err error) {
	target = path
	for range maxLinks {
		if descriptor(target) {
			return target, true, nil
		}
		info, err := os.Lstat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return target, false, nil
		case err != nil:
			return "", false, err
		case info.IsDir():
			return "", false, &fs.PathError{Op: "write", Path: path, Err: syscall.EISDIR}
		case info.Mode()&fs.ModeSymlink == 0:
			return target, !info.Mode().IsRegular(), nil
		}
		link, err := os.Readlink(target)
		if err != nil {
			return "", false, err
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(target), link)
		}
		target = link
	}
	return "", false, &fs.PathError{Op: "write", Path: path, Err: errors.New("too many symbolic links")}
}

// descriptor reports whether path names an open file of a process, which must not be
// replaced even if it is a regular file.
func descriptor(path string) bool {
	for _, prefix := range []string{"/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}

// onlyFileWritable reports whether target can be written, but its folder is read-only.
func onlyFileWritable(target string, err error) bool {
	if !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
		return false
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	f.Close()
	return true
}

func writeInPlace(target string, data []byte) error {
	switch target {
	case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return writeAll(os.Stdout, data)
	case "/dev/stderr", "/dev/fd/2", "/proc/self/fd/2":
		return writeAll(os.Stderr, data)
	}
	f, err := os.OpenFile(target, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	return errors.Join(writeAll(f, data), f.Close())
}

func writeAll(w io.Writer, data []byte) error {
	_, err := w.Write(data)
	return err
}

// named replaces the random name of the temporary file in err by path, so that equal
// problems have equal errors.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return &fs.PathError{Op: "write", Path: path, Err: p.Err}
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return &fs.PathError{Op: "write", Path: path, Err: l.Err}
	}
	return &fs.PathError{Op: "write", Path: path, Err: err}
}
