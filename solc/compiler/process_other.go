//go:build !unix && !windows

package compiler

import (
	"os"
	"os/exec"
)

// A processGroup is a single process on systems that cannot name its
// descendants.
type processGroup struct{}

func (*processGroup) prepare(*exec.Cmd) {}

func (*processGroup) adopt(*os.Process) {}

func (*processGroup) kill(p *os.Process) error { return p.Kill() }

func (*processGroup) release() {}
