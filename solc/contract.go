// Package solc has the result of compiling Solidity: sources with syntax
// trees, contracts with code and source maps, messages, and failures. It reads
// the compiler's standard JSON output.
//
// It runs no compiler, and knows no EVM, no fuzzing and no LSP.
package solc

import (
	"fmt"
	"strings"
	"sync"

	"leveret/solc/ast"
	"leveret/solc/layout"
	"leveret/solc/srcmap"
)

// Kind is what a contract definition declares.
type Kind string

// The kinds of contract definitions. An abstract contract has KindContract
// and Abstract set.
const (
	KindContract  Kind = "contract"
	KindInterface Kind = "interface"
	KindLibrary   Kind = "library"
)

// A Source is one file of a compilation.
type Source struct {
	ID    int           // the compiler's source index; position in Build.Sources
	Name  string        // source unit name, the compiler's key
	Path  string        // absolute path; empty if it has none
	Text  []byte        // as compiled, from the open buffer if there is one
	Lines *srcmap.Lines // of Text
	Unit  *ast.Unit

	Library bool // a file of a dependency, not of the project
	Test    bool // in a folder of tests
}

// A Build is the result of one compiler run. It is immutable.
type Build struct {
	Version   string    // of the compiler, "0.8.30"
	Sources   []*Source // by source index; nil where the compiler left a gap
	Contracts []*Contract
	Messages  []Message // errors and warnings of the compiler
	Unmet     []string  // what the project configures and Leveret did not follow, a sentence each without a full stop
	Settings  Settings
	Fast      bool            // Settings are faster ones than the project configures
	Tests     *TestConfig     // how the project runs tests; nil: as forge without a configuration
	Harnesses []HarnessConfig // in the project's root
	Root      string          // folder of the project, absolute; empty if it is not known
	Output    []byte          // the compiler's standard JSON output; nil unless it is kept for a Bundle

	trees   sync.Once
	index   *ast.Index
	derived sync.Map // func() any, by the key of Derived
}

// Derived returns what make makes of the build: once for each key, whose type is one of
// the caller's package. Nobody may change it.
func (b *Build) Derived(key any, make func() any) any {
	made, _ := b.derived.LoadOrStore(key, sync.OnceValue(make))
	return made.(func() any)()
}

// Trees returns the syntax trees of all sources as one.
func (b *Build) Trees() *ast.Index {
	b.trees.Do(func() {
		var units []*ast.Unit
		for _, s := range b.Sources {
			if s != nil {
				units = append(units, s.Unit)
			}
		}
		b.index = ast.NewIndex(units...)
	})
	return b.index
}

// A Contract is one compiled contract, library or interface.
type Contract struct {
	Name     string
	File     string // source unit name
	Kind     Kind
	Abstract bool
	ABI      []byte // JSON ABI
	Creation Code   // empty for interfaces and abstract contracts
	Runtime  Code
	Layout   *layout.Layout    // nil where the compiler gives none (before 0.5.13)
	Methods  map[string]string // signature -> selector in hex
	Node     *ast.Node         // its ContractDefinition
	Build    *Build

	suite      *TestSuite // see Suite
	suiteSet   sync.Once
	harness    *HarnessConfig // see Harness
	harnessSet sync.Once
}

// IsNamed reports whether an artifact's name, or path and name, is the contract's.
func (c *Contract) IsNamed(artifact string) bool {
	file, name, qualified := strings.Cut(artifact, ":")
	if !qualified {
		return strings.TrimSuffix(artifact, ".sol") == c.Name
	}
	return name == c.Name && (c.File == file || strings.HasSuffix(c.File, "/"+file))
}

// Code is bytecode with its source map, links and immutables.
type Code struct {
	Object     []byte              // link placeholders are zero bytes
	Map        []srcmap.Entry      // by instruction, not by pc
	Links      []Link              // where library addresses go
	Immutables map[int][]ByteRange // AST id of the variable -> ranges of Object (deployed code only)
	Generated  []GeneratedSource   // the compiler's own sources, unless Settings.NoGenerated
}

// LibraryAddressID is the id in Code.Immutables of a library's own address, which no
// variable declares.
const LibraryAddressID = -1

// A ByteRange is a range in bytecode.
type ByteRange struct{ Start, Length int }

// A Link is a range of bytecode that takes the address of a library.
type Link struct {
	File, Library string
	At            ByteRange
}

// A GeneratedSource is a Yul source that the compiler generated. Its ID continues
// the numbering of Build.Sources.
type GeneratedSource struct {
	ID   int
	Name string
	Text []byte
}

// A Message is an error, warning or note of the compiler.
type Message struct {
	Severity  string // "error", "warning", "info"
	Type      string // "TypeError", "Warning"; empty if the compiler names none
	Code      string
	Text      string // one sentence
	Formatted string // the compiler's own rendering
	File      string
	Span      srcmap.Span
}

// Settings are the compiler settings that change the output.
type Settings struct {
	Optimizer     bool
	OptimizerRuns int
	ViaIR         bool
	EVMVersion    string   // empty: the compiler's default
	Remappings    []string // "prefix=target", resolved against the project root

	BytecodeHash  string    // of the metadata in the code: "ipfs", "bzzr1" or "none"; empty: none
	NoMetadata    bool      // leave the metadata out of the code
	NoGenerated   bool      // leave out Code.Generated, which takes the compiler up to a quarter of its time
	Compiled      Selection // of contracts; nil: all
	NoTrees       bool      // leave out Source.Unit; old compilers compile all contracts of a source with it
	RevertStrings string    // "strip", "debug" or "verboseDebug"; empty: as in the sources
	Details       Optimizer // over what Optimizer stands for
}

// A Selection has, by the name of a source, the contracts and libraries in it that are
// compiled. Of sources that it lacks, all are.
type Selection map[string][]string

// An Optimizer has the optimiser's steps that are switched on or off one by one, and
// their parameters (Solidity documentation, "optimizer.details"); nil: as
// Settings.Optimizer says. Its values are those of encoding/json.
type Optimizer map[string]any

// String describes settings, "optimiser for 200 runs, via IR".
func (s Settings) String() string {
	text := "no optimiser"
	if s.Optimizer {
		text = fmt.Sprintf("optimiser for %d runs", s.OptimizerRuns)
	}
	if s.ViaIR {
		text += ", via IR"
	}
	if s.EVMVersion != "" {
		text += ", EVM version " + s.EVMVersion
	}
	return text
}
