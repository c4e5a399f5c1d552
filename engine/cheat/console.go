package cheat

import (
	"strings"

	"leveret/engine/input"
)

// print adds a line of console.log(string) to the Report.
func (c *Cheats) print(data []byte) {
	if len(data) < 4 || [4]byte(data) != logString.Selector {
		return
	}
	if values, err := input.Decode(logString.Inputs, data[4:]); err == nil {
		c.Report.Lines = append(c.Report.Lines, strings.Split(string(values[0].Data), "\n")...)
	}
}

var logString = func() *input.Function { f, _ := input.ParseSignature("log(string)"); return f }()
