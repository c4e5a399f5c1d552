package cheat

import (
	"bytes"
	"errors"
	"strings"
)

// What the data of a revert says about a test, as forge writes it.
var (
	magicAssume = []byte("FOUNDRY::ASSUME")
	magicSkip   = []byte("FOUNDRY::SKIP")
)

var testRows = []row{
	{"assume(bool)", "", (*call).assume, "rejects the input if the condition is false"},
	{"skip(bool)", "", (*call).skip, "ends the test as skipped if the condition is true"},
	{"skip(bool,string)", "", (*call).skip, "ends the test as skipped, with a reason, if the condition is true"},
}

func (c *call) assume() error {
	if c.flag(0) {
		return nil
	}
	return revert(cheatcodeError(string(magicAssume)))
}

func (c *call) skip() error {
	if !c.flag(0) {
		return nil
	}
	if c.depth() > 1 {
		return errors.New("`skip` can only be used at test level")
	}
	text := string(magicSkip)
	if len(c.args) > 1 {
		text += c.text(1)
	}
	return revert(cheatcodeError(text))
}

// Rejected reports whether the data of a revert means that vm.assume rejected the
// input.
func Rejected(output []byte) bool { return bytes.Contains(output, magicAssume) }

// Skipped reports whether the data of a revert means that vm.skip ended the test,
// and why.
func Skipped(output []byte) (reason string, skipped bool) {
	text, ok := Reason(output)
	if !ok {
		return "", false
	}
	return strings.CutPrefix(text, string(magicSkip))
}
