//go:build !unix && !windows

package compiler

import (
	"os"
	"os/exec"
)

// A tree is a process alone on systems without a way to name its descendants.
type tree struct{}

func (*tree) prepare(*exec.Cmd) {}

func (*tree) adopt(*os.Process) {}

func (*tree) kill(p *os.Process) error { return p.Kill() }

func (*tree) release() {}
