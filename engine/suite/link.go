package suite

import (
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/solc"
)

// link deploys libraries as forge does: in their order, at addresses that do not
// depend on what they need of each other (link_with_nonce_or_address of
// crates/linking). It returns the addresses of all libraries.
func (s *Suite) link(w *evm.World, libraries []*solc.Contract) ([]solc.LibraryAddress, error) {
	all, nonce := slices.Clone(s.options.Config.Libraries), w.Nonce(solc.LibraryDeployer)
	for i, c := range libraries {
		all = append(all, solc.LibraryAddress{File: c.File, Name: c.Name, Address: crypto.CreateAddress(solc.LibraryDeployer, nonce+uint64(i))})
	}
	for _, c := range libraries {
		code, err := c.Creation.Linked(all)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		outcome := s.machine.Execute(w, s.genesis, evm.Call{From: solc.LibraryDeployer, Create: true, Data: code, Gas: s.options.Config.Chain.Gas()}, nil)
		if outcome.Status != evm.Success {
			return nil, fmt.Errorf("library %s cannot be deployed: %s", c.Name, s.Reason(&outcome))
		}
		s.shared = append(s.shared, outcome.Created)
	}
	return all, nil
}

// libraries returns the libraries that forge deploys for every test contract of a
// project: all that any contract needs.
func (s *Suite) libraries() []*solc.Contract {
	builds := s.options.Builds
	if builds == nil {
		builds = solc.Builds{s.Program.UnderTest.Build}
	}
	return builds.Libraries(s.options.Config.Libraries)
}
