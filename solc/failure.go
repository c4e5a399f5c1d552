package solc

import (
	"fmt"
	"strings"
)

// FailureKind is the cause of a failed compilation.
type FailureKind string

// The kinds of failures.
const (
	NoCompiler       FailureKind = "no compiler"
	NoNode           FailureKind = "no node"
	VersionMismatch  FailureKind = "version mismatch"  // no installed compiler satisfies the pragmas
	VersionConflict  FailureKind = "version conflict"  // no version satisfies the pragmas
	SettingsConflict FailureKind = "settings conflict" // no configured settings satisfy all restrictions
	DownloadFailed   FailureKind = "download failed"
	BadPragma        FailureKind = "bad pragma"
	ImportNotFound   FailureKind = "import not found"
	OutsideProject   FailureKind = "outside the project" // a file that may not be read
	CompileError     FailureKind = "compile error"
	CompilerFailed   FailureKind = "compiler failed"
	CompilerTimeout  FailureKind = "compiler timeout"
	BadConfig        FailureKind = "bad configuration"
	NotFound         FailureKind = "not found"
	NotSolidity      FailureKind = "not solidity"
	IsDirectory      FailureKind = "directory"
	Unreadable       FailureKind = "unreadable"
	NotUTF8          FailureKind = "not utf-8"
	TooLarge         FailureKind = "too large"
	Empty            FailureKind = "empty"
)

// A Failure is the error of a failed compilation, with a remedy for the user.
type Failure struct {
	Kind     FailureKind
	File     string   // absolute path; empty if no file is the cause
	Line     int      // 1-based; 0 if unknown
	Column   int      // 1-based, in characters; 0 if unknown
	Sentence string   // without file, line and final stop
	Remedy   string   // what to do about it, an imperative; may be empty
	Install  string   // the compiler version to install, "0.8.30"; empty if that does not help
	Tried    []string // of ImportNotFound: absolute paths, one of which must exist

	Name        string // File as Error writes it: relative to the project
	OfGenerator bool   // a CompileError of the code generator, see Message.OfGenerator
}

// OfConfiguration reports whether another configuration of the project may
// remove the cause.
func (f *Failure) OfConfiguration() bool {
	switch f.Kind {
	case ImportNotFound, VersionMismatch, VersionConflict, SettingsConflict:
		return true
	}
	return f.OfGenerator
}

// Error returns one line: position, sentence and remedy.
func (f *Failure) Error() string {
	var b strings.Builder
	if f.File != "" {
		b.WriteString(f.Place())
		b.WriteString(": ")
	}
	b.WriteString(f.Sentence)
	if f.Remedy != "" {
		b.WriteString("; ")
		b.WriteString(f.Remedy)
	}
	return b.String()
}

// Place returns the position as Error writes it, or an empty string.
func (f *Failure) Place() string {
	name := f.Name
	if name == "" {
		name = f.File
	}
	switch {
	case f.Line > 0 && f.Column > 0:
		return fmt.Sprintf("%s:%d:%d", name, f.Line, f.Column)
	case f.Line > 0:
		return fmt.Sprintf("%s:%d", name, f.Line)
	}
	return name
}
