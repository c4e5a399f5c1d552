//go:build !linux

package solc

import "os/exec"

// dieWithParent does nothing here: a worker ends when its standard input does.
func dieWithParent(*exec.Cmd) {}
