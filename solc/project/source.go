package project

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"unicode/utf8"

	"leveret/solc"
	"leveret/solc/trust"
)

// maxSource bounds the size of sources, in bytes. Contracts have at most 24 KB of
// code: larger files are generated or not sources.
const maxSource = 1 << 20

// readSource returns the text of a source, from the open buffer if there is one.
func readSource(path string, overlay map[string][]byte) ([]byte, error) {
	text, open := overlay[path]
	if !open {
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, &solc.Failure{Kind: solc.NotFound, File: path, Sentence: "this file does not exist", Remedy: "check the path"}
		case err != nil:
			return nil, unreadable(path, err)
		case info.IsDir():
			return nil, &solc.Failure{Kind: solc.IsDirectory, File: path, Sentence: "this is a directory, not a source file",
				Remedy: "name the files in it, or rename it if a source should have this name"}
		case !info.Mode().IsRegular():
			return nil, unreadable(path, trust.ErrNotRegular)
		case info.Size() > maxSource:
			return nil, tooLarge(path, info.Size())
		}
		if text, err = os.ReadFile(path); err != nil {
			return nil, unreadable(path, err)
		}
	}
	if len(text) > maxSource {
		return nil, tooLarge(path, int64(len(text)))
	}
	if !utf8.Valid(text) {
		return nil, notUTF8(path, text)
	}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		return nil, &solc.Failure{Kind: solc.NotUTF8, File: path, Line: 1,
			Sentence: "this file begins with a byte order mark, which compilers reject", Remedy: "save it as UTF-8 without one"}
	}
	return text, nil
}

func unreadable(path string, err error) error {
	if f, ok := err.(*solc.Failure); ok {
		return f
	}
	if errors.Is(err, trust.ErrNotRegular) {
		return &solc.Failure{Kind: solc.Unreadable, File: path, Sentence: trust.ErrNotRegular.Error(), Remedy: "replace it by one"}
	}
	return accessFailure(path, "this file cannot be read", err)
}

// unreadableFolder returns the failure of a folder that cannot be read.
func unreadableFolder(path string, err error) error {
	return accessFailure(path, "this folder cannot be read and is skipped", err)
}

// accessFailure returns the failure of a file or folder that the system does not let
// us read; what says so, as a sentence without its reason.
func accessFailure(path, what string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	remedy := "check its permissions"
	switch {
	case errors.Is(err, syscall.ELOOP):
		remedy = "remove the link that leads back to itself"
	case errors.Is(err, trust.ErrTooLarge):
		remedy = "shorten it"
	}
	return &solc.Failure{Kind: solc.Unreadable, File: path, Sentence: fmt.Sprintf("%s: %v", what, err), Remedy: remedy}
}

func tooLarge(path string, size int64) error {
	return &solc.Failure{Kind: solc.TooLarge, File: path,
		Sentence: fmt.Sprintf("this file has %.1f MB and the limit is %.0f MB", float64(size)/(1<<20), float64(maxSource)/(1<<20)),
		Remedy:   "split it, or move generated data out of it"}
}

func notUTF8(path string, text []byte) error {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		at += size
	}
	return &solc.Failure{Kind: solc.NotUTF8, File: path, Line: 1 + bytes.Count(text[:at], []byte("\n")),
		Sentence: fmt.Sprintf("this file is not UTF-8: byte 0x%02x is invalid", text[at]),
		Remedy:   "save it as UTF-8"}
}

// exists reports whether there is a source at path, as a file or open buffer.
func exists(path string, overlay map[string][]byte) bool {
	if _, open := overlay[path]; open {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// unitName returns the source unit name of a file: its path relative to the root
// if it lies below it, or else its absolute path, with slashes.
func unitName(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}
