package cheat

import (
	"encoding/hex"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// maxOutput bounds the bytes of the lines that one Call prints.
const maxOutput = 1 << 20

// outputCut is the last line of a Call that prints more.
const outputCut = "… more than 1 MB of output: the rest is left out"

// print adds text to the lines of the Report.
func (c *Cheats) print(text string) {
	for line := range strings.Lines(text) {
		if c.printed > maxOutput {
			return
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if c.printed += len(line) + 1; c.printed > maxOutput {
			line = outputCut
		}
		c.Report.Lines = append(c.Report.Lines, line)
	}
}

// log answers a call of console.log.
func (c *Cheats) log(m *evm.Message) *evm.Ending {
	text, err := consoleText(m.Input)
	if err != "" {
		return &evm.Ending{Output: errorString(err), Left: m.Gas, Err: evm.ErrReverted}
	}
	c.print(text)
	return &evm.Ending{Left: m.Gas}
}

// Printed returns what a call of console.log prints; false if it reverts.
func Printed(data []byte) (string, bool) {
	text, err := consoleText(data)
	return text, err == ""
}

// consoleText returns what a call of console.log prints, or why it reverts.
func consoleText(data []byte) (text, err string) {
	if len(data) < 4 {
		return "", "type check failed for \"ConsoleCalls\" with data: " + hex.EncodeToString(data)
	}
	f := consoleFunctions()[[4]byte(data)]
	if f == nil {
		return "", "unknown selector `0x" + hex.EncodeToString(data[:4]) + "` for ConsoleCalls"
	}
	values, bad := input.Decode(f.inputs, data[4:])
	switch {
	case bad != nil:
		return "", bad.Error()
	case f.table:
		return formatTable(values), ""
	case len(values) > 0 && values[0].Type.Kind == input.KindString:
		return formatText(string(values[0].Data), values[1:]), ""
	}
	return formatText("", values), ""
}

// A consoleFunction is a form of console.log or console.table.
type consoleFunction struct {
	inputs []input.Field
	table  bool
}

// consoleFunctions are the functions of console.sol by selector: log with up to four
// arguments, also with the selectors of the old versions that hashed "uint" and
// "int"; log of one argument of other types; table.
var consoleFunctions = sync.OnceValue(func() map[[4]byte]*consoleFunction {
	all := map[[4]byte]*consoleFunction{}
	add := func(name string, types []string) {
		f := &consoleFunction{table: name == "table"}
		for _, t := range types {
			parsed, err := input.ParseType(t)
			if err != nil {
				panic(err)
			}
			f.inputs = append(f.inputs, input.Field{Type: parsed})
		}
		signature := name + "(" + strings.Join(types, ",") + ")"
		all[[4]byte(crypto.Keccak256([]byte(signature)))] = f
		old := strings.ReplaceAll(signature, "int256", "int")
		all[[4]byte(crypto.Keccak256([]byte(old)))] = f
	}
	combine(4, []string{"uint256", "string", "bool", "address"}, func(types []string) { add("log", types) })
	add("log", []string{"int256"})
	add("log", []string{"string", "int256"})
	add("log", []string{"bytes"})
	for n := 1; n <= 32; n++ {
		add("log", []string{"bytes" + strconv.Itoa(n)})
	}
	for _, t := range []string{"uint256[]", "int256[]", "string[]", "bool[]", "address[]", "bytes32[]"} {
		add("table", []string{t})
		add("table", []string{"string[]", t})
	}
	return all
})

// combine calls f with all lists of up to n of some words.
func combine(n int, words []string, f func([]string)) {
	list := make([]string, 0, n)
	var extend func()
	extend = func() {
		f(list)
		if len(list) == n {
			return
		}
		for _, w := range words {
			list = append(list, w)
			extend()
			list = list[:len(list)-1]
		}
	}
	extend()
}

// formatTable draws the table of console.table: values by index, or by key.
func formatTable(columns []input.Value) string {
	values := texts(columns[len(columns)-1].Elems)
	keys := make([]string, len(values))
	if len(columns) == 2 {
		keys = texts(columns[0].Elems)
	} else {
		for i := range keys {
			keys[i] = strconv.Itoa(i)
		}
	}
	rows := max(len(keys), len(values))
	left, right := column(keys, "(index)", rows), column(values, "Values", rows)
	line := func(l, m, r string) string {
		return l + strings.Repeat("─", utf8.RuneCountInString(left[0])+2) + m + strings.Repeat("─", utf8.RuneCountInString(right[0])+2) + r + "\n"
	}
	var b strings.Builder
	b.WriteString(line("┌", "┬", "┐"))
	for i := range left {
		b.WriteString("│ " + left[i] + " │ " + right[i] + " │\n")
		if i == 0 {
			b.WriteString(line("├", "┼", "┤"))
		}
	}
	b.WriteString(line("└", "┴", "┘"))
	return b.String()
}

func texts(values []input.Value) []string {
	out := make([]string, len(values))
	for i := range values {
		out[i] = strings.Join(strings.Fields(display(&values[i])), " ")
	}
	return out
}

// column pads a header and cells to the same width.
func column(cells []string, header string, rows int) []string {
	out := append([]string{header}, cells...)
	out = append(out, make([]string, rows-len(cells))...)
	width := 0
	for _, cell := range out {
		width = max(width, utf8.RuneCountInString(cell))
	}
	for i, cell := range out {
		out[i] = cell + strings.Repeat(" ", width-utf8.RuneCountInString(cell))
	}
	return out
}
