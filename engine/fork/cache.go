package fork

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/solc/atomicfile"
)

// A state is what is known of a chain after a block.
type state struct {
	Header   Header                                         `json:"header"`
	Accounts map[common.Address]account                     `json:"accounts"`
	Storage  map[common.Address]map[common.Hash]common.Hash `json:"storage"`
	Hashes   map[uint64]common.Hash                         `json:"hashes"` // of earlier blocks
}

func newState(h Header) state {
	return state{Header: h, Accounts: map[common.Address]account{}, Storage: map[common.Address]map[common.Hash]common.Hash{}, Hashes: map[uint64]common.Hash{}}
}

func (a account) account() evm.SourceAccount {
	return evm.SourceAccount{Balance: uint256.Int(a.Balance), Nonce: a.Nonce, Code: a.Code}
}

func (s *state) setStorage(addr common.Address, key, value common.Hash) {
	if s.Storage[addr] == nil {
		s.Storage[addr] = map[common.Hash]common.Hash{}
	}
	s.Storage[addr][key] = value
}

// size counts the answers.
func (s *state) size() int {
	n := len(s.Accounts) + len(s.Hashes)
	for _, words := range s.Storage {
		n += len(words)
	}
	return n
}

// add adds what another state of the same block knows.
func (s *state) add(other *state) {
	maps.Copy(s.Accounts, other.Accounts)
	maps.Copy(s.Hashes, other.Hashes)
	for addr, words := range other.Storage {
		for key, value := range words {
			s.setStorage(addr, key, value)
		}
	}
}

// A cache keeps answers on disk, one file for each block of a chain. Another file
// has the blocks of each endpoint, so that a fork opens without a question. nil
// keeps nothing.
type cache struct {
	dir   string
	index string // file with the blocks of the endpoint
}

// newCache names the file of an endpoint by a hash of its URL.
func newCache(dir string, u *url.URL) *cache {
	hash := sha256.Sum256([]byte(u.String()))
	return &cache{dir: dir, index: filepath.Join(dir, "endpoints", hex.EncodeToString(hash[:16]))}
}

// A file is the file of one block.
type file struct {
	cache *cache
	path  string
}

// blocks are the blocks of an endpoint that are known, by number.
type blocks map[uint64]blockName

// A blockName names a block of all chains.
type blockName struct {
	Chain uint64      `json:"chain"`
	Hash  common.Hash `json:"hash"`
}

// fileOf returns the file of a block. It has the hash in its name, because
// reorganised chains have several blocks of one number.
func (c *cache) fileOf(number uint64, name blockName) *file {
	chain := strconv.FormatUint(name.Chain, 10)
	return &file{c, filepath.Join(c.dir, chain, fmt.Sprintf("%d-%x", number, name.Hash[:8]))}
}

// find returns the state after a block that the endpoint had before; nil if it is
// not known.
func (c *cache) find(number uint64) (*file, state) {
	if c == nil {
		return nil, state{}
	}
	name, known := c.blocks()[number]
	if !known {
		return nil, state{}
	}
	f := c.fileOf(number, name)
	s, ok := f.read()
	if !ok || s.Header.Number != number || s.Header.ChainID != name.Chain || s.Header.Hash != name.Hash {
		return nil, state{}
	}
	return f, s
}

// open returns the file of a block, and what it knows.
func (c *cache) open(h Header) (*file, state) {
	if c == nil {
		return nil, newState(h)
	}
	f := c.fileOf(h.Number, blockName{h.ChainID, h.Hash})
	if s, ok := f.read(); ok && s.Header == h {
		return f, s
	}
	return f, newState(h)
}

func (c *cache) blocks() blocks {
	all := blocks{}
	if !readSealed(c.index, &all) || all == nil {
		return blocks{}
	}
	return all
}

// forget removes a block of the endpoint that is no longer the chain's.
func (f *file) forget(number uint64) {
	all := f.cache.blocks()
	delete(all, number)
	_ = writeSealed(f.cache.index, all)
}

// read returns the state of a file; false if there is none, or a damaged one,
// which it removes.
func (f *file) read() (state, bool) {
	s := newState(Header{})
	if !readSealed(f.path, &s) {
		return state{}, false
	}
	return s, s.Accounts != nil && s.Storage != nil && s.Hashes != nil
}

// write saves a state together with what others have saved of the block.
func (f *file) write(s *state) error {
	if saved, ok := f.read(); ok && saved.Header == s.Header {
		s.add(&saved)
	}
	if err := writeSealed(f.path, s); err != nil {
		return err
	}
	all, name := f.cache.blocks(), blockName{s.Header.ChainID, s.Header.Hash}
	if all[s.Header.Number] == name {
		return nil
	}
	all[s.Header.Number] = name
	return writeSealed(f.cache.index, all)
}

// maxFile bounds the files that are read, in bytes.
const maxFile = 512 << 20

// seal starts a sealed file. The hash of the rest follows it.
const seal = "leveret fork 1 "

// writeSealed writes a value as JSON after a line with a hash of it.
func writeSealed(path string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	hash := sha256.Sum256(text)
	return atomicfile.WriteFile(path, append(append(append([]byte(seal), hex.EncodeToString(hash[:])...), '\n'), text...), 0o600)
}

// readSealed reads what writeSealed wrote. It removes a damaged file.
func readSealed(path string, value any) bool {
	err := openSealed(path, value)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		os.Remove(path)
	}
	return err == nil
}

var errDamaged = errors.New("damaged")

func openSealed(path string, value any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return err
	}
	line, text, ok := bytes.Cut(data, []byte("\n"))
	hash := sha256.Sum256(text)
	if !ok || len(data) > maxFile || string(line) != seal+hex.EncodeToString(hash[:]) {
		return errDamaged
	}
	return json.Unmarshal(text, value)
}
