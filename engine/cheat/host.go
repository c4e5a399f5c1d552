package cheat

import (
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A Host is what cheatcodes may reach outside the chain. Its methods check what
// the project and the user allow; their errors are sentences for the user. They may
// be called from several goroutines.
type Host interface {
	// Root returns the absolute path of the project.
	Root() string
	// Readable and Writable return the absolute path of a file that cheatcodes may
	// read or write, for a path as a test gives it, without symbolic links. The file
	// need not exist.
	Readable(path string) (string, error)
	Writable(path string) (string, error)
	// Broadcasts returns the absolute path of the folder to which scripts write what they
	// broadcast, without symbolic links. It need not exist.
	Broadcasts() (string, error)
	// Env returns a variable of the environment; false if it is not set. It fails in
	// an untrusted project.
	Env(name string) (value string, set bool, err error)
	// Now returns the time.
	Now() (time.Time, error)
	// Execute runs a program (vm.ffi), with further variables of the environment,
	// NAME=VALUE. A program that fails is no error.
	Execute(command, variables []string) (code int, output, errors []byte, err error)
	// Artifact returns a contract by a name as vm.getCode takes it.
	Artifact(name string) (*Artifact, error)
	// ArtifactOf returns the contract with a creation code, or with a deployed code.
	ArtifactOf(code []byte, deployed bool) (*Artifact, error)
	// File returns the path of the test contract's file, relative to Root.
	File() (string, error)
	// Fork opens the state of a chain after a block; nil is the latest one. endpoint is
	// a name of [rpc_endpoints] of foundry.toml, or a URL. It returns the same Fork for
	// the same arguments.
	Fork(endpoint string, block *uint64) (*Fork, error)
	// Mined returns a transaction of the chain at an endpoint, with its block.
	Mined(endpoint string, hash common.Hash) (*evm.Mined, error)
	// Start returns the fork that the tests start from; nil: they start from a chain
	// without contracts.
	Start() (*Fork, error)
	// Endpoint returns the URL of an endpoint, which may be a secret; false if there is
	// none with this name. Endpoints returns all of [rpc_endpoints], sorted by name.
	Endpoint(name string) (url string, known bool, err error)
	Endpoints() ([]Endpoint, error)
	// Structs returns the structs of the project's sources, sorted by name.
	Structs() []Struct
}

// A Fork is the state of a chain after a block.
type Fork struct {
	Source evm.Source
	Block  evm.BlockContext
	// At returns the state of the chain after another block.
	At func(block uint64) (*Fork, error)
	// Mined returns a transaction of the chain, with its block.
	Mined func(hash common.Hash) (*evm.Mined, error)
}

// An Endpoint is an entry of [rpc_endpoints].
type Endpoint struct{ Name, URL string }

// A Struct is a struct of the project's sources. In types of its fields, structs
// are tuples.
type Struct struct {
	Name   string // "Contract.Struct"
	Fields []input.Field
}

// An Artifact is a compiled contract.
type Artifact struct {
	Name      string // "src/Token.sol:Token"
	Path      string // of the file that forge writes
	Creation  []byte // code; nil: none, or not linked
	Deployed  []byte // code; nil: none, or not linked
	Selectors [][4]byte
}
