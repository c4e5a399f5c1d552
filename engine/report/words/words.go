package words

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// longBytes is the largest number of bytes of a value that are shown in full.
const longBytes = 36

// A wording formats values as input.Names does, but with names of parameters and
// with long bytes truncated.
type wording struct {
	*input.Names
	functions []*input.Function // that the witness calls
}

func newWording(s input.Sequence) wording {
	w := wording{Names: input.NewNames(s.Deployment)}
	for _, tx := range s.Txs {
		if tx.Function != nil {
			w.functions = append(w.functions, tx.Function)
		}
	}
	return w
}

// value formats v in Solidity's notation.
func (w wording) value(v input.Value) string {
	switch v.Type.Kind {
	case input.KindUint, input.KindInt:
		return Number(w.Format(v))
	case input.KindAddress:
		if v.Word.IsZero() {
			return "address(0)"
		}
	case input.KindFixedBytes:
		if v.Word.IsZero() && v.Type.Size > 8 {
			return v.Type.String() + "(0)"
		}
	case input.KindString:
		if len(v.Data) > longBytes {
			return fmt.Sprintf("%s… (%s bytes)", strconv.Quote(string(v.Data[:longBytes])), humanize.Comma(int64(len(v.Data))))
		}
	case input.KindBytes, input.KindFunction:
		if v.Content != nil {
			return v.Content.Name() + "(" + w.fields(v.Content.Fields, v.Elems) + ")"
		}
		return shortBytes(v.Data)
	case input.KindTuple:
		return "(" + w.fields(v.Type.Fields, v.Elems) + ")"
	case input.KindArray, input.KindSlice:
		return "[" + w.fields(nil, v.Elems) + "]"
	}
	return w.Format(v)
}

// fields formats values with the names of their fields, if they have names.
func (w wording) fields(fields []input.Field, values []input.Value) string {
	var parts []string
	for i, v := range values {
		part := w.value(v)
		if i < len(fields) && fields[i].Name != "" {
			part = fields[i].Name + ": " + part
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func shortBytes(b []byte) string {
	if len(b) <= longBytes {
		return "0x" + hex.EncodeToString(b)
	}
	return fmt.Sprintf("0x%x… (%s bytes)", b[:8], humanize.Comma(int64(len(b))))
}

// ether formats wei in its shortest unit, "1.5 ether".
func ether(wei *uint256.Int) string {
	s := input.FormatWei(wei)
	unit := strings.IndexFunc(s, func(r rune) bool { return r >= 'a' })
	if unit < 0 {
		return s + " wei"
	}
	return s[:unit] + " " + s[unit:]
}
