package evm

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// A counted is a precompiled contract that returns how often it ran, and fails for
// an input that begins with 1.
type counted struct {
	cost uint64
	runs byte
}

var errCounted = errors.New("the input begins with 1")

func (m *counted) Name() string              { return "METER" }
func (m *counted) RequiredGas([]byte) uint64 { return m.cost }
func (m *counted) Run(input []byte) ([]byte, error) {
	m.runs++
	if input[0] == 1 {
		return nil, errCounted
	}
	return []byte{m.runs}, nil
}

// An expensive precompiled contract runs once for an input that is not long.
func TestPrecompileResults(t *testing.T) {
	addr := common.Address{19: 1}
	for _, x := range []struct {
		name string
		cost uint64
		data []byte
		err  error
		runs byte // in two calls
	}{
		{"cheap", cachedCost - 1, []byte{0}, nil, 2},
		{"expensive", cachedCost, []byte{0}, nil, 1},
		{"failing", cachedCost, []byte{1}, errCounted, 1},
		{"longest", cachedCost, make([]byte, cachedInput), nil, 1},
		{"too long", cachedCost, make([]byte, cachedInput+1), nil, 2},
	} {
		m, p := NewMachine(), &counted{cost: x.cost}
		for range 2 {
			output, left, err := m.runPrecompile(p, &addr, x.data, x.cost+5)
			if err != x.err || left != 5 {
				t.Errorf("%s: error %v, %d gas left", x.name, err, left)
			}
			if err == nil && (len(output) != 1 || output[0] != p.runs) {
				t.Errorf("%s: output %x after %d runs", x.name, output, p.runs)
			}
		}
		if p.runs != x.runs {
			t.Errorf("%s: %d runs, want %d", x.name, p.runs, x.runs)
		}
		if _, _, err := m.runPrecompile(p, &addr, x.data, x.cost-1); err != ErrOutOfGas {
			t.Errorf("%s: error %v without the gas", x.name, err)
		}
	}
}

// Inputs and addresses tell results apart.
func TestPrecompileResultsAreApart(t *testing.T) {
	var c resultCache
	p := &counted{}
	seen := map[byte]bool{}
	for _, addr := range []common.Address{{19: 1}, {19: 2}, {18: 1}, {18: 1, 19: 1}} {
		for _, data := range [][]byte{{0}, {0, 0}, {0, 1}, {2}} {
			first, _ := c.run(p, &addr, data)
			again, _ := c.run(p, &addr, data)
			if seen[first[0]] || again[0] != first[0] {
				t.Errorf("%v of %x: %d, then %d", addr, data, first[0], again[0])
			}
			seen[first[0]] = true
		}
	}
}

// The results are discarded once they are too many.
func TestPrecompileResultsAreBounded(t *testing.T) {
	var c resultCache
	p, addr := &counted{}, common.Address{19: 1}
	for n := range uint64(3*cachedResults + 7) {
		c.run(p, &addr, binary.LittleEndian.AppendUint64([]byte{0}, n))
		if len(c) > cachedResults {
			t.Fatalf("%d results after %d inputs", len(c), n+1)
		}
	}
	if len(c) != 7 {
		t.Errorf("%d results, want 7", len(c))
	}
}
