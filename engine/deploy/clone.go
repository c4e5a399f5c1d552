package deploy

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Factories clone contracts: a minimal proxy (ERC-1167) runs the code of one that was
// deployed before, and the factory initializes it in the same transaction. Where an
// initializer wants its factory as the caller, only the factory makes what users see.

// A template is a contract that a factory clones.
type template struct {
	of      *solc.Contract
	at      common.Address
	factory *solc.Contract // that is being deployed, or called
}

// clonedBy has a factory of the project clone the newest contract, which stands at an
// address, and returns the clone's; false if none does.
func (f *factories) clonedBy(ctx context.Context, logic common.Address, u *initializers, at level) (common.Address, bool) {
	c := f.ledger.made.at(logic).Contract
	if at.depth >= deployDepth || f.reserved.taken() || f.template != nil {
		return common.Address{}, false
	}
	defer func() { f.template = nil }()
	return f.first(ctx, func(factory *solc.Contract) bool { return factory != c && clones(factory, u) }, func(factory *solc.Contract) (common.Address, bool) {
		f.template = &template{c, logic, factory}
		clone, ok := f.createdIn(ctx, factory, c, at)
		if ok {
			f.ledger.made.markImplementation(clone)
		} else {
			delete(f.builder.failed, factory) // it may serve as another one's dependency
		}
		return clone, ok
	})
}

// clones reports whether the code of a contract creates contracts and has the selector of
// one of some initializers.
func clones(factory *solc.Contract, u *initializers) bool {
	code := factory.Runtime.Object
	creates := bytes.IndexByte(code, bytecode.CREATE) >= 0 || bytes.IndexByte(code, bytecode.CREATE2) >= 0
	return creates && slices.ContainsFunc(u.any(), func(f *input.Function) bool { return bytes.Contains(code, f.Selector[:]) })
}

// templateFor returns the address of the contract to clone for a parameter of its factory.
func (f *factories) templateFor(consumer *solc.Contract, field input.Field) (common.Address, bool) {
	if f.template == nil || consumer != f.template.factory {
		return common.Address{}, false
	}
	c, name := f.template.of, plainName(field.Name)
	if program.IsContractType(field.InternalType) {
		wanted := f.proposer.catalog.byType(consumer, field.InternalType)
		return f.template.at, wanted == c || wanted != nil && len(wanted.Methods) > 0 && hasAll(c, wanted.Methods)
	}
	return f.template.at, strings.HasSuffix(strings.ToLower(c.Name), name) && len(name) >= 4 ||
		slices.ContainsFunc(implementationNames, func(l string) bool { return strings.HasSuffix(name, l) })
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
