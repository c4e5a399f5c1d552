package layout

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// tours lists the compiled contracts named Tour with a storage layout, in the
// test data of package ast.
var tours = []string{"middle-0.5.17", "middle2-0.6.12", "middle2-0.7.6", "new-0.8.30", "new-0.8.30-ir"}

// layoutJSON returns solc's layout of the contract Tour.
func layoutJSON(t testing.TB, name string) []byte {
	t.Helper()
	file, err := os.Open("../ast/testdata/" + name + ".json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var output struct {
		Contracts map[string]map[string]struct{ StorageLayout json.RawMessage }
	}
	if err := json.NewDecoder(unzipped).Decode(&output); err != nil {
		t.Fatal(err)
	}
	for _, contracts := range output.Contracts {
		return contracts["Tour"].StorageLayout
	}
	t.Fatalf("%s has no contracts", name)
	return nil
}

func tour(t testing.TB, name string) *Layout {
	t.Helper()
	l, err := Read(layoutJSON(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A world records hashes, as an execution of the contract does.
type world map[uint256.Int][]byte

// keccak hashes parts and records the preimage.
func (w world) keccak(parts ...[]byte) uint256.Int {
	var preimage []byte
	for _, p := range parts {
		preimage = append(preimage, p...)
	}
	var h uint256.Int
	h.SetBytes(crypto.Keccak256(preimage))
	w[h] = preimage
	return h
}

// preimages returns the closest hash at most 2^64 below slot.
func (w world) preimages(slot uint256.Int) (preimage []byte, offset uint256.Int, ok bool) {
	for h, p := range w {
		if d := distance(slot, h); d.IsUint64() && (!ok || d.Lt(&offset)) {
			preimage, offset, ok = p, d, true
		}
	}
	return preimage, offset, ok
}

func word(n uint64) uint256.Int { return *uint256.NewInt(n) }

func bytes32(w uint256.Int) []byte {
	b := w.Bytes32()
	return b[:]
}

func plus(w uint256.Int, n uint64) uint256.Int { return *w.AddUint64(&w, n) }
