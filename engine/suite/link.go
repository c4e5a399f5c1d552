package suite

import (
	"bytes"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/solc"
)

// A linker deploys the libraries that a contract needs.
type linker struct {
	suite *Suite
	world *evm.World
	done  map[*solc.Contract]common.Address
}

// maxLinkDepth is how deep libraries may need each other.
const maxLinkDepth = 16

// link returns the creation code of c with the addresses of its libraries: those
// that the configuration names, others deployed now.
func (l *linker) link(c *solc.Contract, depth int) ([]byte, error) {
	code := bytes.Clone(c.Creation.Object)
	for _, hole := range c.Creation.Links {
		address, err := l.library(hole, depth)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		copy(code[hole.At.Start:hole.At.Start+hole.At.Length], address[:])
	}
	return code, nil
}

func (l *linker) library(hole solc.Link, depth int) (common.Address, error) {
	if known := solc.LinkAddress(l.suite.options.Config.Libraries, hole); known != nil {
		return *known, nil
	}
	file, name := hole.File, hole.Library
	c := l.suite.Program.Find(func(o *solc.Contract) bool { return o.Name == name && o.File == file })
	switch {
	case c == nil:
		return common.Address{}, fmt.Errorf("library %s of %s is not part of the compilation", name, file)
	case depth >= maxLinkDepth:
		return common.Address{}, fmt.Errorf("library %s of %s needs itself", name, file)
	}
	if a, ok := l.done[c]; ok {
		return a, nil
	}
	code, err := l.link(c, depth+1)
	if err != nil {
		return common.Address{}, err
	}
	s := l.suite
	outcome := s.machine.Execute(l.world, s.genesis, evm.Call{From: solc.LibraryDeployer, Create: true, Data: code, Gas: s.options.Config.Chain.Gas()}, nil)
	if outcome.Status != evm.Success {
		return common.Address{}, fmt.Errorf("library %s cannot be deployed: %s", name, s.Reason(&outcome))
	}
	l.done[c] = outcome.Created
	s.shared = append(s.shared, outcome.Created)
	return outcome.Created, nil
}
