package cheat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A row is one cheatcode.
type row struct {
	signature string            // "prank(address,address)"
	returns   string            // types in brackets: "(uint256,bytes32)"; empty: nothing
	run       func(*call) error // its error reverts the call, with the text as the reason
	docs      string            // what it does, for docs/cheatcodes.md
}

// rows are all cheatcodes, by group.
var rows = slices.Concat(blockRows, accountRows, prankRows, testRows,
	assertRows, revertRows, emitRows, callRows, mockRows, recordRows, diffRows, snapshotRows,
	gasRows, isolateRows, safeRows, arbitraryRows, broadcastRows, forkRows, chainRows, miscRows,
	toolRows)

// A cheatcode is a row that is ready to be called.
type cheatcode struct {
	row
	name    string
	inputs  []input.Field
	outputs []input.Field
	words   *assertion // what it checks if it compares two words; nil: something else
}

// cheatcodes are the rows by selector.
var cheatcodes = sync.OnceValue(func() map[[4]byte]*cheatcode {
	all := make(map[[4]byte]*cheatcode, len(rows))
	for _, r := range rows {
		f, err := input.ParseSignature(r.signature)
		if err != nil {
			panic(err)
		}
		c := &cheatcode{row: r, name: f.Name, inputs: f.Inputs}
		if r.returns != "" {
			t, err := input.ParseType(r.returns)
			if err != nil {
				panic(err)
			}
			c.outputs = t.Fields
		}
		if a, ok := wordAssertions[r.signature]; ok {
			c.words = &a
		}
		if all[f.Selector] != nil {
			panic("two rows for " + r.signature)
		}
		all[f.Selector] = c
	}
	return all
})

// A call is one call of a cheatcode.
type call struct {
	*Cheats
	code    *cheatcode
	frame   *evm.Frame   // of the caller
	message *evm.Message // to the cheatcode address
	args    []input.Value
	results []input.Value
}

// A revert is an error with the data of the revert.
type revert []byte

func (r revert) Error() string { return "revert with data" }

// answer runs the cheatcode that a message calls.
func (c *Cheats) answer(parent *evm.Frame, m *evm.Message) *evm.Ending {
	e := &evm.Ending{Left: m.Gas}
	output, err := c.call(parent, m)
	var data revert
	switch {
	case err == nil:
		e.Output = output
	case err == evm.ErrRestart:
		e.Err = err
	case errors.As(err, &data):
		e.Output, e.Err = data, evm.ErrReverted
	default:
		e.Output, e.Err = cheatcodeError(err.Error()), evm.ErrReverted
	}
	return e
}

func (c *Cheats) call(parent *evm.Frame, m *evm.Message) ([]byte, error) {
	if parent == nil || len(m.Input) < 4 {
		return nil, errors.New("a call of the cheatcode address without a selector")
	}
	selector := [4]byte(m.Input)
	code := cheatcodes()[selector]
	if code == nil {
		return nil, missing(selector)
	}
	if code.words != nil && code.words.passes(m.Input[4:]) {
		return nil, nil
	}
	args, err := input.Decode(code.inputs, m.Input[4:])
	if err != nil {
		return nil, fmt.Errorf("vm.%s: wrong arguments: %w", code.name, err)
	}
	call := call{Cheats: c, code: code, frame: parent, message: m, args: args}
	if err := code.run(&call); err != nil {
		if _, plain := err.(revert); plain || err == evm.ErrRestart {
			return nil, err
		}
		return nil, fmt.Errorf("vm.%s: %w", code.name, err)
	}
	if len(call.results) != len(code.outputs) {
		panic(fmt.Sprintf("vm.%s gives %d results", code.signature, len(call.results)))
	}
	c.count()
	return input.AppendValues(nil, call.results), nil
}

// missing is the error of a cheatcode that is not there.
func missing(selector [4]byte) error {
	name := "0x" + hex.EncodeToString(selector[:])
	if known := unsupported()[selector]; known != "" {
		name = known
	}
	return fmt.Errorf("Leveret has no cheatcode %s", name)
}

// depth returns how many frames are open.
func (c *call) depth() int { return c.frame.Depth }

// The arguments.

func (c *call) word(i int) common.Hash       { return c.args[i].Word.Bytes32() }
func (c *call) address(i int) common.Address { return c.args[i].Address() }
func (c *call) number(i int) uint64          { return c.args[i].Word.Uint64() }
func (c *call) flag(i int) bool              { return !c.args[i].Word.IsZero() }
func (c *call) data(i int) []byte            { return c.args[i].Data }

// bytes returns an argument of type bytes or bytesN, in memory of its own.
func (c *call) bytes(i int) []byte {
	v := &c.args[i]
	if v.Type.Kind == input.KindFixedBytes {
		word := v.Word.Bytes32()
		return word[:v.Type.Size]
	}
	return v.Data
}

func (c *call) text(i int) string { return string(c.args[i].Data) }

// small returns an argument that must fit into 64 bits.
func (c *call) small(i int) (uint64, error) {
	w := &c.args[i].Word
	if !w.IsUint64() {
		return 0, fmt.Errorf("%s does not fit into 64 bits", w.Dec())
	}
	return w.Uint64(), nil
}

// give sets the results.
func (c *call) give(values ...input.Value) error {
	c.results = values
	return nil
}
