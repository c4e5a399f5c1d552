package cheat

import (
	"errors"
	"unicode"
	"unicode/utf8"
)

var miscRows = []row{
	{"accessList((address,bytes32[])[])", "", func(*call) error { return nil }, "sets the access list of transactions that calls are isolated in; calls here are not"},
	{"noAccessList()", "", func(*call) error { return nil }, "ends accessList"},
	{"isIsolateMode()", "(bool)", func(c *call) error { return c.give(boolValue(false)) }, "returns whether calls are transactions of their own: they are not"},
	{"allowCheatcodes(address)", "", func(*call) error { return nil }, "lets a contract of another chain call cheatcodes; every contract may here"},
	{"breakpoint(string)", "", (*call).breakpoint, "sets a breakpoint for forge's debugger, which has no effect here"},
	{"breakpoint(string,bool)", "", (*call).breakpoint, "sets or removes a breakpoint for forge's debugger, which has no effect here"},
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
