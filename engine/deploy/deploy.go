// Package deploy turns the contracts of a project into a first state: it solves
// for constructor arguments, deploys dependencies, mocks and proxies, registers
// what factories create, and calls initializers and setUp.
package deploy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/shadow"
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

// A Deployment is a World with the contract under test and all that it needs.
type Deployment struct {
	Record    *input.Deployment
	World     *evm.World
	Block     evm.BlockContext // of all its transactions
	Contracts []Deployed       // in the order of Record's creations

	fixed []fixedSender
	asked map[common.Address]bool // contracts that its calls ran or looked at, see RecordFor
}

// Deployed is a contract at an address.
type Deployed struct {
	Contract       *solc.Contract
	Address        common.Address
	Mock           *mock.Contract // nil for contracts of the project
	child          bool           // created by another contract
	implementation bool           // used only as the code of a proxy, see proxy.go
	excluded       bool           // no transaction calls it
	remote         bool           // serves only the wiring, see wire.go
	tested         bool           // the contract under test, if that is not the last one
}

// UnderTest returns the contract under test.
func (s *Deployment) UnderTest() Deployed { return s.Contracts[s.tested()] }

// tested returns the index of the contract under test.
func (s *Deployment) tested() int {
	for i := range s.Contracts {
		if s.Contracts[i].tested {
			return i
		}
	}
	return len(s.Contracts) - 1
}

// markTested marks the contract under test if it is not the last one.
func (s *Deployment) markTested(address common.Address) {
	last := len(s.Contracts) - 1
	if s.Contracts[last].Address == address {
		return
	}
	for i := range s.Contracts {
		s.Contracts[i].tested = s.Contracts[i].Address == address
	}
	if made := s.Record.Find(address); made != nil {
		made.Tested = true
	}
	s.markImplementation(address)
}

// A deployer builds one Deployment.
type deployer struct {
	program    *program.Program
	chain      *chain
	random     *rand.Rand
	made       Deployment
	inProgress map[*solc.Contract]bool // being deployed; breaks cycles

	mocks        map[string]common.Address
	failed       map[*solc.Contract]error // contracts that cannot be deployed
	consumer     *solc.Contract           // the contract whose arguments are being made
	used         map[common.Address]bool  // contracts that are among these arguments
	room         int                      // elements that lists among these arguments may still have
	index        int                      // of the element of a list that is being made
	replacements int                      // mocks in place of contracts among these arguments, and contracts left out
	initializing bool                     // a contract waits for its initializer: nothing else may be deployed now

	handovers map[*solc.Contract][]*input.Function // see wirings
	scattered map[*solc.Contract]bool              // their registries could not be told where all will be
	supplied  map[storedWord]bool                  // values that words had
	wiring    bool                                 // the contract under test is deployed and may be handed over
	promises  map[*solc.Contract]*promise          // of contracts that are being deployed
	expected  map[*solc.Contract]common.Address    // of contracts that come next
	template  *template                            // that a factory is to clone; nil: none
}

// New deploys the contract under test, on a fork unless that is nil. Its errors
// are sentences for the user.
func New(ctx context.Context, p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) (*Deployment, error) {
	d := newDeployer(p, m, r, fork)
	if err := d.placeNamed(ctx); err != nil {
		return nil, err
	}
	if err := d.deployMocks(); err != nil {
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
	d.exclude()
	if err := d.wire(ctx, under); err != nil {
		return nil, err
	}
	d.made.markTested(under)
	d.findFixed()
	return &d.made, nil
}

// newDeployer starts with a World that holds the actors and, besides a fork,
// nothing else.
func newDeployer(p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) *deployer {
	d := &deployer{
		program: p, random: r, inProgress: map[*solc.Contract]bool{},
		mocks: map[string]common.Address{}, failed: map[*solc.Contract]error{}, promises: map[*solc.Contract]*promise{}, supplied: map[storedWord]bool{},
		handovers: map[*solc.Contract][]*input.Function{}, scattered: map[*solc.Contract]bool{},
	}
	d.made.Record = &input.Deployment{Fork: fork.name()}
	d.chain = newChain(p, m, &d.made, fork)
	d.consumer = p.UnderTest
	return d
}

// underTest deploys the contract under test, or has a factory create it, first of all if
// it calls its creator, and returns its address.
func (d *deployer) underTest(ctx context.Context) (common.Address, error) {
	if created, ok := d.createdFirst(ctx); ok || ctx.Err() != nil {
		return created, ctx.Err()
	}
	before := d.checkpoint()
	address, err := d.create(ctx, d.program.UnderTest, 0)
	if err == nil || ctx.Err() != nil {
		return address, err
	}
	d.restore(before)
	d.chain.limit = d.chain.work + maxWireWork
	if created, ok := d.createdBy(ctx, d.program.UnderTest, 0); ok {
		return created, nil
	}
	return address, err
}

// create deploys c and its dependencies, and returns its address.
func (d *deployer) create(ctx context.Context, c *solc.Contract, depth int) (common.Address, error) {
	defer func(before bool) { d.inProgress[c] = before }(d.inProgress[c])
	d.inProgress[c] = true
	defer func(before *solc.Contract) { d.consumer = before }(d.consumer)
	d.consumer = c
	upgrading := initializersOf(d.program, c)
	if err := d.prepareInitializers(ctx, &upgrading, depth); err != nil {
		return common.Address{}, err
	}
	code, err := d.link(ctx, c, depth)
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
		if attempt > 0 && d.chain.work > d.chain.limit || attempt >= wireDeployAttempts && d.isWired() {
			break
		}
		before := d.checkpoint()
		args, err := d.constructorArguments(ctx, c, constructor, attempt, depth)
		if err != nil {
			return common.Address{}, err
		}
		tx := input.Tx{From: input.Deployer, Function: d.program.ABI(c).Constructor, Args: args}
		if attempt%2 == 0 && tx.Function.Mutability == input.Payable {
			tx.Value.SetUint64(1e18)
		}
		if tried.repeats(&tx, d.made.Contracts) {
			d.restore(before)
			if tried.repeated > maxRepeated {
				break
			}
			continue
		}
		address, ok := d.attempt(code, &tx, attempt)
		if ok {
			d.register(Deployed{Contract: c, Address: address}, input.Creation{Args: tx.Args, Value: tx.Value})
			return d.initialize(ctx, &upgrading, address, depth)
		}
		if failure == nil || attempt == 0 {
			failure = d.explain("the constructor of "+c.Name, " with all tried arguments", c, creationCall(code, &tx), &tx)
		}
		d.restore(before)
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
// those that the solver finds, or other contracts, see provide.
func (d *deployer) attempt(code []byte, tx *input.Tx, attempt int) (common.Address, bool) {
	address, outcome := d.chain.construct(code, tx)
	if outcome.Status != evm.Success && attempt < solverAttempts {
		creation := func(tx *input.Tx) evm.Call { return creationCall(code, tx) }
		if better := d.solveArguments(tx, len(code), creation); better != nil {
			*tx = *better
			address, outcome = d.chain.construct(code, tx)
		} else if d.provide(creationCall(code, tx), anyLack) {
			address, outcome = d.chain.construct(code, tx)
		}
	}
	return address, outcome.Status == evm.Success
}

// A checkpoint is restored after a failed deployment attempt, so that its
// dependencies do not stay.
type checkpoint struct {
	deployment Deployment
	mocks      map[string]common.Address
}

func (d *deployer) checkpoint() checkpoint {
	n := checkpoint{d.made, maps.Clone(d.mocks)}
	n.deployment.Record = &input.Deployment{Fork: d.made.Record.Fork, Creations: slices.Clone(d.made.Record.Creations)}
	n.deployment.Contracts = slices.Clone(d.made.Contracts)
	return n
}

func (d *deployer) restore(to checkpoint) { d.made, d.mocks = to.deployment, to.mocks }

// unique returns a name that no creation has yet, with a number behind a
// separator if needed.
func (d *deployer) unique(name, separator string) string {
	candidate := name
	for n := 2; ; n++ {
		taken := false
		for i := range d.made.Record.Creations {
			taken = taken || d.made.Record.Creations[i].Name == candidate
		}
		if !taken {
			return candidate
		}
		candidate = fmt.Sprintf("%s%s%d", name, separator, n)
	}
}

// link returns c's creation code with the addresses of its libraries. It
// deploys libraries that are missing.
func (d *deployer) link(ctx context.Context, c *solc.Contract, depth int) ([]byte, error) {
	code := bytes.Clone(c.Creation.Object)
	for _, l := range c.Creation.Links {
		library := d.program.Find(func(o *solc.Contract) bool { return o.Name == l.Library && o.File == l.File })
		if library == nil {
			return nil, fmt.Errorf("contract %s needs the library %s of %s, which is not part of the compilation", c.Name, l.Library, l.File)
		}
		address, ok := d.deployedAddress(library)
		if !ok {
			if depth >= deployDepth || d.inProgress[library] {
				return nil, fmt.Errorf("contract %s: the library %s cannot be linked, it needs itself", c.Name, l.Library)
			}
			var err error
			if address, err = d.create(ctx, library, depth+1); err != nil {
				return nil, err
			}
		}
		copy(code[l.At.Start:l.At.Start+l.At.Length], address[:])
	}
	return code, nil
}

// deployedAddress returns the address where c is deployed.
func (d *deployer) deployedAddress(c *solc.Contract) (common.Address, bool) {
	for _, have := range d.made.Contracts {
		if have.Contract == c && !have.implementation {
			return have.Address, true
		}
	}
	return common.Address{}, false
}

// explain returns an error that says which check made a call fail, and where.
func (d *deployer) explain(what, how string, c *solc.Contract, call evm.Call, tx *input.Tx) error {
	panel := oracle.NewMonitor([]*oracle.Oracle{&oracle.Reverted}, &oracle.Env{
		Project: d.program.IsProject,
		Blame:   d.program.Blame,
	}, shadow.New(shadow.NewState()))
	world := d.made.World.Fork()
	panel.Begin(tx, world)
	outcome := d.chain.machine.Execute(world, d.made.Block, call, panel.Hooks())
	why := "reverts"
	if outcome.Halt != nil {
		why = "halts (" + outcome.Halt.Error() + ")"
	}
	where := ""
	for _, report := range panel.End(&outcome, world) {
		if b, ok := d.program.Locate(report.Trail); ok {
			where = fmt.Sprintf(" at %s:%d: %s", b.Place.File, b.Place.Start.Line, b.Text)
		}
	}
	if reason := d.program.ABI(c).Reason(outcome.Return); reason != "" && !strings.Contains(where, reason) {
		where += " (" + reason + ")"
	}
	return errors.New(what + " " + why + how + where)
}
