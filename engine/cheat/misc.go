package cheat

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// foundry is the version of forge whose cheatcodes these are.
const foundry = "1.7.1"

var miscRows = []row{
	{"allowCheatcodes(address)", "", func(*call) error { return nil }, "lets a contract of another chain call cheatcodes; every contract may here"},
	{"breakpoint(string)", "", (*call).breakpoint, "sets a breakpoint for forge's debugger, which has no effect here"},
	{"breakpoint(string,bool)", "", (*call).breakpoint, "sets or removes a breakpoint for forge's debugger, which has no effect here"},
	{"sleep(uint256)", "", (*call).sleep, "moves the clock of vm.unixTime; here no test waits"},
	{"getFoundryVersion()", "(string)", func(c *call) error { return c.give(textValue(foundry + "-leveret")) }, "returns the version of forge whose cheatcodes these are"},
	{"foundryVersionCmp(string)", "(int256)", (*call).compareVersion, "compares that version with another: -1, 0 or 1"},
	{"foundryVersionAtLeast(string)", "(bool)", (*call).versionAtLeast, "reports whether that version is at least another"},
	{"getEvmVersion()", "(string)", func(c *call) error { return c.give(textValue(strings.ToLower(c.state.Rules().String()))) }, "returns the name of the hard fork"},
}

// versionOrder compares the version of forge with the argument.
func (c *call) versionOrder() (int, error) {
	text := c.text(0)
	parts, own := strings.Split(text, "."), strings.Split(foundry, ".")
	if len(parts) != len(own) {
		return 0, fmt.Errorf("invalid version `%s`: it must have the form 1.2.3", text)
	}
	order := 0
	for i := range parts {
		n, err := strconv.ParseUint(parts[i], 10, 64)
		if err != nil {
			return 0, fmt.Errorf("invalid version `%s`: it must have the form 1.2.3", text)
		}
		is, _ := strconv.ParseUint(own[i], 10, 64)
		order = cmp.Or(order, cmp.Compare(is, n))
	}
	return order, nil
}

func (c *call) compareVersion() error {
	order, err := c.versionOrder()
	result := numberValue(1)
	if order <= 0 {
		result = numberValue(uint64(-order))
		result.Word.Neg(&result.Word)
	}
	return c.giveOne(result, err)
}

func (c *call) versionAtLeast() error {
	order, err := c.versionOrder()
	return c.giveOne(boolValue(order >= 0), err)
}

func (c *call) breakpoint() error {
	letter, size := utf8.DecodeRuneInString(c.text(0))
	switch {
	case size == 0 || size != len(c.text(0)):
		return errors.New("breakpoints must be exactly one character")
	case !unicode.IsLetter(letter):
		return errors.New("only alphabetic characters are accepted as breakpoints")
	}
	return nil
}
