package deploy

import (
	"bytes"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Some contracts ask their creator what they should be, so only a factory of the
// project can create them. Its code contains theirs.

// Bounds of createdBy: factories that are tried, and arguments for each function.
const (
	maxFactories    = 3
	factoryAttempts = 4
)

// Factories are contracts of the project that create others.
type factories struct {
	program  *program.Program
	chain    *chain
	ledger   *ledger
	reserved *reservations
	supplier *supplier
	proposer *proposer
	builder  *builder
	template *template // that a factory is to clone; nil: none
}

// createdBy has a factory of the project create c and returns its address; false if
// none does.
func (f *factories) createdBy(ctx context.Context, c *solc.Contract, at level) (common.Address, bool) {
	if at.depth >= deployDepth || f.reserved.taken() {
		return common.Address{}, false
	}
	return f.first(ctx, func(factory *solc.Contract) bool { return f.creates(factory, c) }, func(factory *solc.Contract) (common.Address, bool) {
		return f.createdIn(ctx, factory, c, at)
	})
}

// first returns what the first of the factories that suit makes; false if none does.
func (f *factories) first(ctx context.Context, suits func(*solc.Contract) bool, makes func(*solc.Contract) (common.Address, bool)) (common.Address, bool) {
	tried := 0
	for _, factory := range f.program.Project {
		if tried == maxFactories || f.chain.exhausted() || ctx.Err() != nil {
			break
		}
		if f.builder.inProgress[factory] || !factory.Deployable() || factory.ServesTests() || !suits(factory) {
			continue
		}
		tried++
		restore := f.ledger.checkpoint()
		if address, ok := makes(factory); ok {
			return address, true
		}
		restore()
	}
	return common.Address{}, false
}

// creates reports whether the code of a contract, which may be its constructor or in a library
// that it calls, contains the creation code of another one.
func (f *factories) creates(factory, c *solc.Contract) bool {
	code := c.Creation.Object
	if factory == c || len(code) == 0 {
		return false
	}
	return bytes.Contains(factory.Creation.Object, code) || slices.ContainsFunc(factory.Creation.Links, func(l solc.Link) bool {
		library := f.program.Library(l)
		return library != nil && bytes.Contains(library.Creation.Object, code)
	})
}

// createdIn deploys a factory and calls its functions until one creates c.
func (f *factories) createdIn(ctx context.Context, factory, c *solc.Contract, in level) (common.Address, bool) {
	at, ok := f.ledger.made.find(factory)
	if !ok {
		_, before := f.ledger.made.find(c)
		var err error
		if at, err = f.builder.dependency(ctx, factory, in); err != nil {
			return at, false
		}
		if created, ok := f.ledger.made.find(c); ok && !before {
			return created, true // by the constructor
		}
	}
	for _, function := range f.program.ABI(factory).Functions {
		if function.Constant() {
			continue
		}
		for attempt := range factoryAttempts {
			restore := f.ledger.checkpoint()
			args, err := f.proposer.arguments(ctx, factory, f.program.Typed(factory, function), attempt, in.deeper())
			if err != nil {
				return at, false
			}
			tx := input.Tx{From: input.Deployer, To: at, Function: function, Args: args}
			if address, ok := f.creation(&tx, c); ok {
				f.ledger.recordSetup(&tx)
				return address, true
			}
			restore()
			if len(args) == 0 {
				break
			}
		}
	}
	return at, false
}

// creation makes a call, with other arguments or after others if it fails, and returns
// the contract that it creates.
func (f *factories) creation(tx *input.Tx, c *solc.Contract) (common.Address, bool) {
	if f.supplier.execute(tx, 0, txCall).Status != evm.Success {
		return common.Address{}, false
	}
	for _, address := range f.chain.created {
		if f.ledger.createdAt(address) == c {
			return address, true
		}
	}
	return common.Address{}, false
}
