// Package deploy turns the contracts of a project into a first state: it solves
// for constructor arguments, deploys dependencies, mocks and proxies, registers
// what factories create, and calls initializers and setUp.
package deploy

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Genesis is the block of every deployment without a fork. It is late enough for contracts
// that subtract from the present time.
var Genesis = evm.BlockContext{
	Number:     20_000_000,
	Timestamp:  1_750_000_000,
	Prevrandao: crypto.Keccak256Hash([]byte("leveret prevrandao")),
	Coinbase:   common.HexToAddress("0x00000000000000000000000000000000c01bba5e"),
	GasLimit:   evm.DefaultGas,
}

// ActorWei is the initial balance of every actor: more than one transaction can
// send (input.WeiBits), and too little for all of them together to overflow.
var ActorWei = new(uint256.Int).Lsh(uint256.NewInt(1), 96)

// deployAttempts is how many constructor arguments are tried.
const deployAttempts = 300

// solverAttempts is how many attempts may solve for the condition that made the
// constructor fail. The first attempt is one of them: arguments that just
// satisfy a constructor, such as a time soon to come, mostly suit the
// contract's functions too.
const solverAttempts = 12

// maxDeployWork bounds the work of all attempts together, dependencies included:
// each call of a constructor may take as long as an input.
const maxDeployWork = 8e9

// maxDependencyWork bounds the work of a contract that another one needs, with all
// that it needs itself. In five public projects those that could be deployed took at most 1e7.
const maxDependencyWork = 1e8

// deployDepth is how deep dependencies of constructors may nest.
const deployDepth = 4

// A deployer builds one Deployment.
type deployer struct {
	program    *program.Program
	catalog    *catalog
	chain      *chain
	proposer   *proposer
	made       *Deployment
	ledger     *ledger
	supplier   *supplier
	reserved   *reservations
	inProgress map[*solc.Contract]bool // being deployed; breaks cycles

	failed map[*solc.Contract]error // contracts that cannot be deployed

	scattered map[*solc.Contract]bool // their registries could not be told where all will be
}

// New deploys the contract under test, on a fork unless that is nil. Its errors
// are sentences for the user.
func New(ctx context.Context, p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) (*Deployment, error) {
	d := newDeployer(p, m, r, fork)
	if err := placeNamed(d.catalog, d.ledger); err != nil {
		return nil, err
	}
	if err := deployMocks(d.catalog, d.ledger); err != nil {
		return nil, err
	}
	under, err := d.underTest(ctx)
	if err != nil {
		return nil, err
	}
	d.made.markTested(under)
	if err := d.setUp(); err != nil {
		return nil, err
	}
	exclude(p, d.chain)
	if err := d.wire(ctx, under); err != nil {
		return nil, err
	}
	d.made.markTested(under)
	findFixed(p, d.chain)
	return d.made, nil
}

// newDeployer starts with a World that holds the actors and, besides a fork,
// nothing else.
func newDeployer(p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) *deployer {
	made := &Deployment{Record: &input.Deployment{Fork: fork.name()}}
	k := &catalog{p, map[*solc.Contract][]*input.Function{}}
	h := newChain(p, m, made, fork)
	reserved := &reservations{catalog: k, made: made, promises: map[*solc.Contract]*promise{}}
	l := &ledger{p, h, reserved, made, map[string]common.Address{}}
	d := &deployer{
		program: p, catalog: k, chain: h, reserved: reserved, made: made, inProgress: map[*solc.Contract]bool{},
		ledger: l, supplier: &supplier{p, h, l, map[storedWord]bool{}},
		failed: map[*solc.Contract]error{}, scattered: map[*solc.Contract]bool{},
	}
	d.proposer = &proposer{k, h, l, reserved, d, r}
	return d
}

// underTest deploys the contract under test, or has a factory create it, first of all if
// it calls its creator, and returns its address.
func (d *deployer) underTest(ctx context.Context) (common.Address, error) {
	if created, ok := d.createdFirst(ctx); ok || ctx.Err() != nil {
		return created, ctx.Err()
	}
	before := d.ledger.checkpoint()
	address, err := d.create(ctx, d.program.UnderTest, level{})
	if err == nil || ctx.Err() != nil {
		return address, err
	}
	d.ledger.restore(before)
	d.chain.limit = d.chain.work + maxWireWork
	if created, ok := d.createdBy(ctx, d.program.UnderTest, level{}); ok {
		return created, nil
	}
	return address, err
}

// create deploys c and its dependencies, and returns its address.
func (d *deployer) create(ctx context.Context, c *solc.Contract, at level) (common.Address, error) {
	defer func(before bool) { d.inProgress[c] = before }(d.inProgress[c])
	d.inProgress[c] = true
	upgrading := initializersOf(d.program, c)
	if err := d.prepareInitializers(ctx, c, &upgrading, at); err != nil {
		return common.Address{}, err
	}
	code, err := d.link(ctx, c, at)
	if err != nil {
		return common.Address{}, err
	}
	d.program.Codes.AddInit(code)
	constructor := d.program.Constructor(c)
	var failure error
	var tried attempts
	for attempt := range deployAttempts {
		if ctx.Err() != nil {
			return common.Address{}, ctx.Err()
		}
		if attempt > 0 && d.chain.exhausted() || attempt >= wireDeployAttempts && d.reserved.isWired() {
			break
		}
		before := d.ledger.checkpoint()
		args, err := d.constructorArguments(ctx, c, constructor, attempt, at)
		if err != nil {
			return common.Address{}, err
		}
		tx := input.Tx{From: input.Deployer, Function: d.program.ABI(c).Constructor, Args: args}
		if attempt%2 == 0 && tx.Function.Mutability == input.Payable {
			tx.Value.SetUint64(1e18)
		}
		if tried.repeats(&tx, d.made.Contracts) {
			d.ledger.restore(before)
			if tried.repeated > maxRepeated {
				break
			}
			continue
		}
		address, ok := d.attempt(code, &tx, attempt)
		if ok {
			d.ledger.register(Deployed{Contract: c, Address: address}, input.Creation{Args: tx.Args, Value: tx.Value})
			return d.initialize(ctx, c, &upgrading, address, at)
		}
		if failure == nil || attempt == 0 {
			failure = explain(d.program, d.chain, "the constructor of "+c.Name, " with all tried arguments", c, creationCall(code, &tx), &tx)
		}
		d.ledger.restore(before)
		if len(tx.Args) == 0 && attempt > 0 {
			break // only the ether sent along varies
		}
	}
	if len(constructor.Inputs) > 0 {
		failure = fmt.Errorf("%w; fuzz a contract that creates it with suitable arguments", failure)
	}
	return common.Address{}, failure
}

// attempt runs a constructor. The first attempts change arguments that fail to
// those that the solver finds, or other contracts, see supplier.
func (d *deployer) attempt(code []byte, tx *input.Tx, attempt int) (common.Address, bool) {
	creation := func(tx *input.Tx) evm.Call { return creationCall(code, tx) }
	if attempt >= solverAttempts {
		address, outcome := d.chain.construct(code, tx)
		return address, outcome.Status == evm.Success
	}
	outcome := d.supplier.execute(tx, len(code), creation)
	return outcome.Created, outcome.Status == evm.Success
}

// dependency deploys a contract that another one needs. It tries each contract
// once.
func (d *deployer) dependency(ctx context.Context, c *solc.Contract, at level) (common.Address, error) {
	if err := d.failed[c]; err != nil {
		return common.Address{}, err
	}
	defer func(limit uint64) { d.chain.limit = limit }(d.chain.limit)
	d.chain.limit = d.chain.share()
	before := d.ledger.checkpoint()
	address, err := d.create(ctx, c, at.deeper())
	if err == nil {
		return address, nil
	}
	d.ledger.restore(before)
	if address, ok := d.createdBy(ctx, c, at); ok {
		return address, nil
	}
	d.failed[c] = err
	return address, err
}

// link returns c's creation code with the addresses of its libraries. It
// deploys libraries that are missing.
func (d *deployer) link(ctx context.Context, c *solc.Contract, at level) ([]byte, error) {
	code := bytes.Clone(c.Creation.Object)
	for _, l := range c.Creation.Links {
		library := d.program.Find(func(o *solc.Contract) bool { return o.Name == l.Library && o.File == l.File })
		if library == nil {
			return nil, fmt.Errorf("contract %s needs the library %s of %s, which is not part of the compilation", c.Name, l.Library, l.File)
		}
		address, ok := d.made.find(library)
		if !ok {
			if at.depth >= deployDepth || d.inProgress[library] {
				return nil, fmt.Errorf("contract %s: the library %s cannot be linked, it needs itself", c.Name, l.Library)
			}
			var err error
			if address, err = d.create(ctx, library, at.deeper()); err != nil {
				return nil, err
			}
		}
		copy(code[l.At.Start:l.At.Start+l.At.Length], address[:])
	}
	return code, nil
}
