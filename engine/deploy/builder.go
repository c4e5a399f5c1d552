package deploy

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// deployAttempts is how many constructor arguments are tried.
const deployAttempts = 300

// solverAttempts is how many attempts may solve for the condition that made the
// constructor fail. The first attempt is one of them: arguments that just
// satisfy a constructor, such as a time soon to come, mostly suit the
// contract's functions too.
const solverAttempts = 12

// wireDeployAttempts is how many constructor arguments are tried for a contract
// that is only part of the wiring.
const wireDeployAttempts = 24

// maxDependencyWork bounds the work of a contract that another one needs, with all
// that it needs itself. In five public projects those that could be deployed took at most 1e7.
const maxDependencyWork = 1e8

// deployDepth is how deep dependencies of constructors may nest.
const deployDepth = 4

// A builder deploys contracts with what they need: it asks the proposer for the arguments
// of constructors, and the proposer asks it for the contracts among them.
type builder struct {
	program    *program.Program
	chain      *chain
	ledger     *ledger
	reserved   *reservations
	supplier   *supplier
	proposer   *proposer
	registries *registries
	factories  *factories
	inProgress map[*solc.Contract]bool  // being deployed; breaks cycles
	failed     map[*solc.Contract]error // contracts that cannot be deployed
}

// newBuilder starts with a World that holds the actors and, besides a fork,
// nothing else.
func newBuilder(p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) *builder {
	made := &Deployment{Record: &input.Deployment{Fork: fork.name()}}
	h := newChain(p, m, made, fork)
	k := &catalog{p, map[*solc.Contract][]*input.Function{}, map[meaning][]*solc.Contract{}}
	reserved := &reservations{catalog: k, made: made, promises: map[*solc.Contract]*promise{}}
	l := &ledger{p, h, reserved, made, map[string]common.Address{}}
	b := &builder{
		program: p, chain: h, ledger: l, reserved: reserved, supplier: &supplier{p, h, l, map[storedWord]bool{}},
		inProgress: map[*solc.Contract]bool{}, failed: map[*solc.Contract]error{},
	}
	b.proposer = &proposer{catalog: k, ledger: l, reserved: reserved, builder: b, random: r}
	b.registries = &registries{k, l, reserved, b.proposer, b, map[*solc.Contract]bool{}}
	b.factories = &factories{p, h, l, reserved, b.supplier, b.proposer, b, nil}
	b.proposer.factories = b.factories
	return b
}

// underTest deploys the contract under test, or has a factory create it, first of all if
// it calls its creator, and returns its address.
func (b *builder) underTest(ctx context.Context) (common.Address, error) {
	if created, ok := b.createdFirst(ctx); ok || ctx.Err() != nil {
		return created, ctx.Err()
	}
	restore := b.ledger.checkpoint()
	address, err := b.create(ctx, b.program.UnderTest, level{})
	if err == nil || ctx.Err() != nil {
		return address, err
	}
	restore()
	b.chain.limit = b.chain.work + maxWireWork
	if created, ok := b.factories.createdBy(ctx, b.program.UnderTest, level{}); ok {
		return created, nil
	}
	return address, err
}

// createdFirst has a factory create the contract under test if that calls its creator.
func (b *builder) createdFirst(ctx context.Context) (common.Address, bool) {
	c := b.program.UnderTest
	if !program.CallsCreator(c) {
		return common.Address{}, false
	}
	restore, limit, failed := b.ledger.checkpoint(), b.chain.limit, maps.Clone(b.failed)
	b.chain.limit = b.chain.work + maxWireWork
	address, ok := b.factories.createdBy(ctx, c, level{})
	if !ok {
		restore()
	}
	b.chain.limit, b.failed = limit, failed
	return address, ok
}

// create deploys c and its dependencies, and returns its address.
func (b *builder) create(ctx context.Context, c *solc.Contract, at level) (common.Address, error) {
	defer func(before bool) { b.inProgress[c] = before }(b.inProgress[c])
	b.inProgress[c] = true
	initialize := initialization{initializersOf(b.program, c), c, at, b.proposer, b.factories}
	if err := initialize.prepare(ctx); err != nil {
		return common.Address{}, err
	}
	code, err := b.link(ctx, c, at)
	if err != nil {
		return common.Address{}, err
	}
	b.program.Codes.AddInit(code)
	address, err := b.construct(ctx, c, code, at)
	if err != nil {
		return common.Address{}, err
	}
	return initialize.run(ctx, address)
}

// construct runs the constructor of c with arguments that it accepts, and returns the
// address of c.
func (b *builder) construct(ctx context.Context, c *solc.Contract, code []byte, at level) (common.Address, error) {
	constructor := b.program.Constructor(c)
	var failure error
	var tried attempts
	for attempt := range deployAttempts {
		if ctx.Err() != nil {
			return common.Address{}, ctx.Err()
		}
		if attempt > 0 && b.chain.exhausted() || attempt >= wireDeployAttempts && b.reserved.isWired() {
			break
		}
		restore := b.ledger.checkpoint()
		args, err := b.registries.arguments(ctx, c, constructor, attempt, at)
		if err != nil {
			return common.Address{}, err
		}
		tx := input.Tx{From: input.Deployer, Function: b.program.ABI(c).Constructor, Args: args}
		if attempt%2 == 0 && tx.Function.Mutability == input.Payable {
			tx.Value.SetUint64(1e18)
		}
		if tried.repeats(&tx, b.ledger.made.Contracts) {
			restore()
			if tried.repeated > maxRepeated {
				break
			}
			continue
		}
		if outcome := b.attempt(code, &tx, attempt); outcome.Status == evm.Success {
			b.ledger.register(Deployed{Contract: c, Address: outcome.Created}, tx.Args, tx.Value)
			return outcome.Created, nil
		}
		if failure == nil || attempt == 0 {
			failure = explain(b.program, b.chain, "the constructor of "+c.Name, " with all tried arguments", c, creationCall(code, &tx), &tx)
		}
		restore()
		if len(tx.Args) == 0 && attempt > 0 {
			break // only the ether sent along varies
		}
	}
	switch {
	case program.CallsCreator(c) && !slices.ContainsFunc(b.program.Project, func(o *solc.Contract) bool { return b.factories.creates(o, c) }):
		failure = fmt.Errorf("%w; the contract that creates it is not compiled with it: fuzz its file, too", failure)
	case len(constructor.Inputs) > 0:
		failure = fmt.Errorf("%w; fuzz a contract that creates it with suitable arguments", failure)
	}
	return common.Address{}, failure
}

// attempt runs a constructor. The first attempts change arguments that fail to
// those that the solver finds, or other contracts, see supplier.
func (b *builder) attempt(code []byte, tx *input.Tx, attempt int) evm.Outcome {
	creation := func(tx *input.Tx) evm.Call { return creationCall(code, tx) }
	if attempt < solverAttempts {
		return b.supplier.execute(tx, len(code), creation)
	}
	return b.chain.execute(creation(tx))
}

// dependency deploys a contract that another one needs. It tries each contract
// once.
func (b *builder) dependency(ctx context.Context, c *solc.Contract, at level) (common.Address, error) {
	if err := b.failed[c]; err != nil {
		return common.Address{}, err
	}
	defer func(limit uint64) { b.chain.limit = limit }(b.chain.limit)
	b.chain.limit = b.chain.share()
	restore := b.ledger.checkpoint()
	err := placeNamed(b.proposer.catalog, b.ledger, c)
	if err == nil {
		var address common.Address
		if address, err = b.create(ctx, c, at.deeper()); err == nil {
			return address, nil
		}
	}
	restore()
	if address, ok := b.factories.createdBy(ctx, c, at); ok {
		return address, nil
	}
	b.failed[c] = err
	return common.Address{}, err
}

// link returns c's creation code with the addresses of its libraries. It
// deploys libraries that are missing.
func (b *builder) link(ctx context.Context, c *solc.Contract, at level) ([]byte, error) {
	code := bytes.Clone(c.Creation.Object)
	for _, l := range c.Creation.Links {
		library := b.program.Library(l)
		if library == nil {
			return nil, fmt.Errorf("contract %s needs the library %s of %s, which is not part of the compilation", c.Name, l.Library, l.File)
		}
		address, ok := b.ledger.made.find(library)
		if !ok {
			if at.depth >= deployDepth || b.inProgress[library] {
				return nil, fmt.Errorf("contract %s: the library %s cannot be linked, it needs itself", c.Name, l.Library)
			}
			var err error
			if address, err = b.create(ctx, library, at.deeper()); err != nil {
				return nil, err
			}
		}
		copy(code[l.At.Start:l.At.Start+l.At.Length], address[:])
	}
	return code, nil
}
