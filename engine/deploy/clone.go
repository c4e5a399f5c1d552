package deploy

import (
	"bytes"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/solc"
)

// Factories clone contracts: a minimal proxy (ERC-1167) runs the code of one that was
// deployed before, and the factory initializes it in the same transaction. Where an
// initializer wants its factory as the caller, only the factory makes what users see.

// clonedBy has a factory of the project clone the newest contract, which stands at an
// address, and returns the clone's; false if none does.
func (d *deployer) clonedBy(ctx context.Context, logic common.Address, u *initializers, at level) (common.Address, bool) {
	c := d.made.at(logic).Contract
	if at.depth >= deployDepth || d.reserved.taken() || d.reserved.template != nil {
		return common.Address{}, false
	}
	defer func() { d.reserved.template = nil }()
	tried := 0
	for _, factory := range d.program.Project {
		if tried == maxFactories || d.chain.exhausted() || ctx.Err() != nil {
			break
		}
		if factory == c || d.inProgress[factory] || !factory.Deployable() || factory.Harness() != "" || !clones(factory, u) {
			continue
		}
		tried++
		before := d.ledger.checkpoint()
		d.reserved.template = &template{c, logic, factory}
		if clone, ok := d.createdIn(ctx, factory, c, at); ok {
			d.made.markImplementation(clone)
			return clone, true
		}
		d.ledger.restore(before)
		delete(d.failed, factory) // it may serve as another one's dependency
	}
	return common.Address{}, false
}

// clones reports whether the code of a contract creates contracts and has the selector of
// one of some initializers.
func clones(factory *solc.Contract, u *initializers) bool {
	code := factory.Runtime.Object
	creates := bytes.IndexByte(code, bytecode.CREATE) >= 0 || bytes.IndexByte(code, bytecode.CREATE2) >= 0
	return creates && slices.ContainsFunc(u.any(), func(f *input.Function) bool { return bytes.Contains(code, f.Selector[:]) })
}

// maxCloneCode bounds the code of a clone: a minimal proxy, with arguments behind it.
const maxCloneCode = 512

// clonedFrom returns the contract of the project whose code a clone runs; nil if there is
// no clone at an address.
func (s *Deployment) clonedFrom(address common.Address) *Deployed {
	code := s.World.Code(address)
	if code == nil || len(code.Bytes) > maxCloneCode || !delegates(code) {
		return nil
	}
	for i := range s.Contracts {
		to := &s.Contracts[i]
		if to.Mock == nil && to.Address != address && bytes.Contains(code.Bytes, to.Address[:]) {
			return to
		}
	}
	return nil
}

// markImplementation marks the contract whose code a clone runs as nothing but that, as for
// other proxies.
func (s *Deployment) markImplementation(clone common.Address) {
	logic := s.clonedFrom(clone)
	if logic == nil {
		return
	}
	at := logic.Address
	s.Contracts = slices.Clone(s.Contracts) // a checkpoint may have them, too
	for i := range s.Contracts {
		if s.Contracts[i].Address == at {
			s.Contracts[i].implementation = true
		}
	}
}
