package cheat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

var ffiRows = []row{
	{"ffi(string[])", "(bytes)", (*call).ffi, "runs a program and returns its output, decoded if it is hex"},
	{"ffiString(string[])", "(string)", (*call).ffiText, "runs a program and returns its output as text"},
	{"ffiBytes(string[])", "(bytes)", (*call).ffiBytes, "runs a program and returns its output, which is hex"},
	{"ffiUint(string[])", "(uint256)", (*call).ffiText, "runs a program and returns its output as a number"},
	{"tryFfi(string[])", "((int32,bytes,bytes))", (*call).tryFfi, "runs a program and returns its exit code and outputs"},
}

// execute runs the program that the first argument names. Its output is trimmed.
func (c *call) execute() (code int, output string, errs []byte, err error) {
	h, err := c.host()
	if err != nil {
		return 0, "", nil, err
	}
	var command []string
	for i := range c.args[0].Elems {
		command = append(command, string(c.args[0].Elems[i].Data))
	}
	if len(command) == 0 || command[0] == "" {
		return 0, "", nil, errors.New("can't execute empty command")
	}
	code, out, errs, err := h.Execute(command, c.memory.vars.list())
	if err == nil && !utf8.Valid(out) {
		err = errors.New("the output of the program is not valid UTF-8")
	}
	return code, strings.TrimSpace(string(out)), errs, err
}

// succeed is execute that fails if the program does.
func (c *call) succeed() (string, error) {
	code, output, errs, err := c.execute()
	if err == nil && code != 0 {
		err = fmt.Errorf("ffi command %s exited with code %d. stderr: %s", display(&c.args[0]), code, strings.ToValidUTF8(string(errs), "\uFFFD"))
	}
	return output, err
}

// decodeOutput decodes hex with or without 0x, and leaves other text.
func decodeOutput(text string) []byte {
	if data, err := hex.DecodeString(strings.TrimPrefix(text, "0x")); err == nil {
		return data
	}
	return []byte(text)
}

func (c *call) ffi() error {
	output, err := c.succeed()
	return c.giveOne(bytesValue(decodeOutput(output)), err)
}

func (c *call) ffiText() error {
	output, err := c.succeed()
	if err != nil {
		return err
	}
	if t := c.code.outputs[0].Type; t.Kind != input.KindString {
		return c.giveOne(coerce(output, t))
	}
	return c.give(textValue(output))
}

func (c *call) ffiBytes() error {
	output, err := c.succeed()
	if err != nil {
		return err
	}
	data, err := hex.DecodeString(strings.TrimPrefix(output, "0x"))
	if err != nil {
		return fmt.Errorf("failed parsing ffi stdout as bytes: %w", err)
	}
	return c.give(bytesValue(data))
}

func (c *call) tryFfi() error {
	code, output, errs, err := c.execute()
	if err != nil {
		return err
	}
	result := c.code.outputs[0].Type
	exit := new(uint256.Int)
	if exit.SetUint64(uint64(max(code, -code))); code < 0 {
		exit.Neg(exit)
	}
	return c.give(input.Value{Type: result, Elems: []input.Value{input.NewWord(result.Fields[0].Type, exit), bytesValue(decodeOutput(output)), bytesValue(errs)}})
}
