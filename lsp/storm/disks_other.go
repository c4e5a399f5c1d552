//go:build !unix

package main

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
)

// Trials that need Unix signals or mounts are not possible on other systems.

func (t *diskTrial) begin(...string) (*exec.Cmd, *bytes.Buffer, *bufio.Scanner, error) {
	return nil, nil, nil, errNotHere
}

func drain(*bufio.Scanner) *bytes.Buffer { return new(bytes.Buffer) }

func pause(*os.Process) error { return errNotHere }

func resume(*os.Process) error { return errNotHere }

func (t *diskTrial) mount(string, string) (func(), error) { return nil, errNotHere }

func (t *diskTrial) readOnly(string, func() error) (func(), error) { return nil, errNotHere }
