package deploy

import (
	"bytes"
	"context"
	"maps"

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

// createdBy has a factory of the project create c and returns its address; false if
// none does.
func (d *deployer) createdBy(ctx context.Context, c *solc.Contract, at level) (common.Address, bool) {
	if at.depth >= deployDepth || d.reserved.taken() {
		return common.Address{}, false
	}
	tried := 0
	for _, factory := range d.program.Project {
		if tried == maxFactories || d.chain.exhausted() || ctx.Err() != nil {
			break
		}
		if d.inProgress[factory] || !factory.Deployable() || factory.Harness() != "" || !creates(factory, c) {
			continue
		}
		tried++
		before := d.ledger.checkpoint()
		if address, ok := d.createdIn(ctx, factory, c, at); ok {
			return address, true
		}
		d.ledger.restore(before)
	}
	return common.Address{}, false
}

// creates reports whether the code of a contract, which may be its constructor, contains
// the creation code of another one.
func creates(factory, c *solc.Contract) bool {
	code := c.Creation.Object
	return factory != c && len(code) > 0 && bytes.Contains(factory.Creation.Object, code)
}

// createdFirst has a factory create the contract under test if that calls its creator.
func (d *deployer) createdFirst(ctx context.Context) (common.Address, bool) {
	c := d.program.UnderTest
	if !program.CallsCreator(c) {
		return common.Address{}, false
	}
	before, limit, failed := d.ledger.checkpoint(), d.chain.limit, maps.Clone(d.failed)
	d.chain.limit = d.chain.work + maxWireWork
	address, ok := d.createdBy(ctx, c, level{})
	if !ok {
		d.ledger.restore(before)
	}
	d.chain.limit, d.failed = limit, failed
	return address, ok
}

// createdIn deploys a factory and calls its functions until one creates c.
func (d *deployer) createdIn(ctx context.Context, factory, c *solc.Contract, in level) (common.Address, bool) {
	at, ok := d.made.find(factory)
	if !ok {
		_, before := d.made.find(c)
		var err error
		if at, err = d.dependency(ctx, factory, in); err != nil {
			return at, false
		}
		if created, ok := d.made.find(c); ok && !before {
			return created, true // by the constructor
		}
	}
	for _, f := range d.program.ABI(factory).Functions {
		if f.Constant() {
			continue
		}
		for attempt := range factoryAttempts {
			before := d.ledger.checkpoint()
			args, err := d.proposer.arguments(ctx, factory, d.program.Typed(factory, f), attempt, in.deeper())
			if err != nil {
				return at, false
			}
			tx := input.Tx{From: input.Deployer, To: at, Function: f, Args: args}
			if address, ok := d.creation(&tx, c); ok {
				d.ledger.recordSetup(&tx)
				return address, true
			}
			d.ledger.restore(before)
			if len(args) == 0 {
				break
			}
		}
	}
	return at, false
}

// creation makes a call, with other arguments or after others if it fails, and returns
// the contract that it creates.
func (d *deployer) creation(tx *input.Tx, c *solc.Contract) (common.Address, bool) {
	if d.supplier.execute(tx, 0, txCall).Status != evm.Success {
		return common.Address{}, false
	}
	for _, address := range d.chain.created {
		if d.ledger.createdAt(address) == c {
			return address, true
		}
	}
	return common.Address{}, false
}
