// Package foreign reads the inputs that other fuzzers keep: the corpora of Echidna
// and of Medusa, and the corpora and failures of forge.
//
// It knows neither contracts nor what calls lead to: readers of Calls find out which
// functions they name, and execute them.
package foreign

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc/trust"
)

// A Call is one call of a sequence, on the chain of the tool that made it.
type Call struct {
	From  common.Address
	To    common.Address // zero: the test contract of forge
	Data  []byte         // calldata
	Value uint256.Int    // wei
	Delay input.Delay    // before the call
}

// A Sequence is an input of another fuzzer.
type Sequence struct {
	Tool  string // "Echidna", "Medusa" or "forge"
	Calls []Call
}

// A format is one kind of file.
type format struct {
	tool string
	has  []string // keys of each call, or of the file if that is an object
	list string   // key of the calls in an object; empty: the object is the only call
	read func(json.RawMessage) (Call, error)
}

// arrays are the formats whose files are lists of calls, and objects those whose files
// are objects.
var (
	arrays = []format{
		{tool: "Echidna", has: []string{"call", "src", "dst"}, read: echidnaCall},
		{tool: "Medusa", has: []string{"call", "blockNumberDelay"}, read: medusaCall},
		{tool: "forge", has: []string{"sender", "target", "calldata"}, read: forgeCall},
	}
	objects = []format{
		{tool: "forge", has: []string{"call_sequence"}, list: "call_sequence", read: forgeCall},
		{tool: "forge", has: []string{"calldata"}, read: forgeCall},
	}
)

// Limits of a file, and of what a compressed one contains, in bytes; and of the calls
// of a sequence.
const (
	MaxFile  = 16 << 20
	maxCalls = 10_000
)

// errUnknown says that a file is of none of the formats.
var errUnknown = errors.New("neither a sequence of Echidna or Medusa, nor a corpus entry or a failure of forge")

// Read reads a file of a corpus, which may be compressed with gzip. An error says why
// it cannot be used.
func Read(data []byte) (Sequence, error) {
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return Sequence{}, err
		}
		if data, err = io.ReadAll(io.LimitReader(z, MaxFile+1)); err != nil {
			return Sequence{}, err
		}
	}
	if len(data) > MaxFile {
		return Sequence{}, fmt.Errorf("larger than %d MB", MaxFile>>20)
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil {
		if len(list) == 0 {
			return Sequence{}, errors.New("no calls")
		}
		return read(arrays, list[0], list)
	}
	return read(objects, data, []json.RawMessage{data})
}

// read reads calls in the first of some formats that an object has the keys of.
func read(formats []format, object json.RawMessage, list []json.RawMessage) (q Sequence, err error) {
	var keys map[string]json.RawMessage
	if json.Unmarshal(object, &keys) != nil {
		return q, errUnknown
	}
	for _, f := range formats {
		if !f.fits(keys) {
			continue
		}
		if f.list != "" {
			if err := json.Unmarshal(keys[f.list], &list); err != nil {
				return q, fmt.Errorf("%s: %w", f.list, trust.JSONError(err))
			}
		}
		q.Tool = f.tool
		q.Calls, err = f.calls(list)
		return q, err
	}
	return q, errUnknown
}

func (f *format) fits(keys map[string]json.RawMessage) bool {
	for _, key := range f.has {
		if keys[key] == nil && keys["_"+key] == nil { // as Echidna once wrote them
			return false
		}
	}
	return true
}

// calls reads the calls. Those of Echidna that only wait lengthen the delay of the next.
func (f *format) calls(list []json.RawMessage) (calls []Call, err error) {
	if len(list) > maxCalls {
		return nil, fmt.Errorf("%d calls, and at most %d are read", len(list), maxCalls)
	}
	var waited input.Delay
	for i, raw := range list {
		c, err := f.read(raw)
		if err != nil && !errors.Is(err, errWait) {
			return nil, fmt.Errorf("call %d: %w", i+1, trust.JSONError(err))
		}
		c.Delay = sum(waited, c.Delay)
		if waited = c.Delay; err == nil {
			calls, waited = append(calls, c), input.Delay{}
		}
	}
	if len(calls) == 0 {
		return nil, errors.New("no calls")
	}
	return calls, nil
}

// errWait says that an element is no call, only a delay.
var errWait = errors.New("no call")

func sum(a, b input.Delay) input.Delay {
	return input.Delay{Blocks: min(a.Blocks+b.Blocks, input.MaxBlocks), Seconds: min(a.Seconds+b.Seconds, input.MaxSeconds)}
}

// medusaCall reads an element of a sequence of Medusa.
func medusaCall(raw json.RawMessage) (c Call, err error) {
	var m struct {
		Call struct {
			From  common.Address  `json:"from"`
			To    *common.Address `json:"to"`
			Value number          `json:"value"`
			Data  hexutil.Bytes   `json:"data"`
		} `json:"call"`
		Blocks  uint64 `json:"blockNumberDelay"`
		Seconds uint64 `json:"blockTimestampDelay"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return c, err
	}
	if m.Call.To == nil {
		return c, errors.New("creates a contract")
	}
	return Call{From: m.Call.From, To: *m.Call.To, Data: m.Call.Data, Value: m.Call.Value.Int, Delay: delay(m.Blocks, m.Seconds)}, nil
}

// forgeCall reads a call of an entry of forge's corpus, or of a failure file.
func forgeCall(raw json.RawMessage) (c Call, err error) {
	var f struct {
		Sender *common.Address `json:"sender"`
		Target *common.Address `json:"target"` // in entries
		Addr   *common.Address `json:"addr"`   // in failures
		Data   hexutil.Bytes   `json:"calldata"`
		Value  number          `json:"value"`
		Warp   number          `json:"warp"`
		Roll   number          `json:"roll"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		return c, err
	}
	c = Call{Data: f.Data, Value: f.Value.Int, Delay: delay(f.Roll.small(), f.Warp.small())}
	if f.Sender != nil {
		c.From = *f.Sender
	}
	if to := cmp.Or(f.Target, f.Addr); to != nil {
		c.To = *to
	}
	return c, nil
}

func delay(blocks, seconds uint64) input.Delay {
	return input.Delay{Blocks: min(blocks, input.MaxBlocks), Seconds: min(seconds, input.MaxSeconds)}
}

// A number is a JSON number, or a string of decimal or 0x hexadecimal digits.
type number struct{ uint256.Int }

// UnmarshalJSON reads the number; null is 0.
func (n *number) UnmarshalJSON(data []byte) error {
	text := strings.Trim(string(data), `"`)
	if text == "null" {
		return nil
	}
	v, ok := new(big.Int).SetString(text, 0)
	if !ok || v.Sign() < 0 || v.BitLen() > 256 {
		return fmt.Errorf("%.40q is no number of 256 bits", text)
	}
	n.SetFromBig(v)
	return nil
}

// small returns the number; the largest one if it has more than 64 bits.
func (n *number) small() uint64 {
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}
