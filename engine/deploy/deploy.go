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

	"leveret/engine/agent"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/shadow"
	"leveret/engine/standin"
	"leveret/solc"
)

// Genesis is the block that every deployment happens in: late enough for
// contracts that reckon back from now.
var Genesis = evm.Block{
	Number:     20_000_000,
	Timestamp:  1_750_000_000,
	Prevrandao: crypto.Keccak256Hash([]byte("leveret prevrandao")),
	Coinbase:   common.HexToAddress("0x00000000000000000000000000000000c01bba5e"),
	GasLimit:   evm.DefaultGas,
}

// ActorWei is what every actor owns at first: more than one Tx can send
// (input.WeiBits), and all of it together stays far from overflowing.
var ActorWei = new(uint256.Int).Lsh(uint256.NewInt(1), 96)

// deployAttempts bounds how many constructor arguments are tried.
const deployAttempts = 300

// solverAttempts bounds the attempts in which what stops the constructor is looked
// into. The very first is one of them: what just satisfies a constructor, such
// as a time to come, is mostly also what the contract comes to terms with later.
const solverAttempts = 12

// maxDeployWork bounds all attempts together, those of what a contract needs
// too: a constructor may take as long as an input each time.
const maxDeployWork = 8e9

// deployDepth bounds how deep constructors may ask for other contracts.
const deployDepth = 4

// A Deployment is a World that is ready for Txs.
type Deployment struct {
	Record    *input.Deployment
	World     *evm.World
	Contracts []Deployed // the one under test is last
}

// Deployed is a contract of the project that stands somewhere.
type Deployed struct {
	Contract       *solc.Contract
	Address        common.Address
	Mock           *standin.Contract // that the project lacks; nil: it is the project's own
	child          bool              // another contract made it, see adopt
	implementation bool              // only lends its code to a proxy, see proxy.go
	excluded       bool              // no Tx calls it, see aim
}

// Under returns the contract under test.
func (s *Deployment) Under() Deployed { return s.Contracts[len(s.Contracts)-1] }

// A deployer builds one scene.
type deployer struct {
	program    *program.Program
	machine    *evm.Machine
	random     *rand.Rand
	made       Deployment
	inProgress map[*solc.Contract]bool // on the way: no contract waits for itself

	mocks        map[string]common.Address
	failed       map[*solc.Contract]error // cannot be deployed
	consumer     *solc.Contract           // whose arguments are made
	used         map[common.Address]bool  // contracts that are among them
	work         uint64                   // of all calls, see spend
	room         int                      // elements that lists among the arguments may still have
	initializing bool                     // a contract waits to be initialised: nothing is to come to stand now
	created      []common.Address         // that the last creation or call created
	createHooks  evm.Hooks                // collect them
}

// New makes a scene in which the contract under test stands. The error is a
// sentence for the user that says what is in the way.
func New(ctx context.Context, p *program.Program, m *evm.Machine, r *rand.Rand) (*Deployment, error) {
	d := newDeployer(p, m, r)
	if err := d.deployMocks(); err != nil {
		return nil, err
	}
	if _, err := d.create(ctx, p.Under, 0); err != nil {
		return nil, err
	}
	if err := d.setUp(); err != nil {
		return nil, err
	}
	d.exclude()
	return &d.made, nil
}

// newDeployer starts with a World in which there are the actors and nothing
// else.
func newDeployer(p *program.Program, m *evm.Machine, r *rand.Rand) *deployer {
	d := &deployer{program: p, machine: m, random: r, inProgress: map[*solc.Contract]bool{}, mocks: map[string]common.Address{}, failed: map[*solc.Contract]error{}}
	d.createHooks = evm.Hooks{Ops: []byte{}, Lean: true, Enter: d.onCreate}
	d.made.World = evm.NewWorld(p.Codes)
	for actor := range input.Actor(input.ActorCount) {
		d.made.World.SetBalance(actor.Address(), ActorWei)
	}
	d.made.World.SetCode(input.Attacker.Address(), agent.Code)
	d.made.Record = &input.Deployment{}
	for _, s := range standin.All() {
		if s.Home != (common.Address{}) && p.Mentions(s.Home) {
			world := d.made.World.Fork()
			outcome := m.Execute(world, Genesis, evm.Call{From: input.Deployer.Address(), Create: true, Data: s.Code}, nil)
			d.made.World.SetCode(s.Home, world.Code(outcome.Created).Bytes)
		}
	}
	d.consumer = p.Under
	return d
}

// create deploys c and whatever it needs, and returns its address.
func (d *deployer) create(ctx context.Context, c *solc.Contract, depth int) (common.Address, error) {
	d.inProgress[c] = true
	defer delete(d.inProgress, c)
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
	abi, constructor := d.program.ABI(c), d.program.Constructor(c)
	creation := func(tx *input.Tx) evm.Call { return d.creation(code, tx) }
	var failure error
	for attempt := range deployAttempts {
		if ctx.Err() != nil {
			return common.Address{}, ctx.Err()
		}
		if attempt > 0 && d.work > maxDeployWork {
			break
		}
		before := d.checkpoint()
		args, err := d.arguments(ctx, constructor, attempt, depth)
		if err != nil {
			return common.Address{}, err
		}
		tx := input.Tx{From: input.Deployer, Function: abi.Constructor, Args: args}
		if attempt%2 == 0 && abi.Constructor.Mutability == input.Payable {
			tx.Value.SetUint64(1e18)
		}
		address, outcome := d.construct(code, &tx)
		if outcome.Status != evm.Success && attempt < solverAttempts {
			if better := d.solveArguments(&tx, len(code), creation); better != nil {
				tx = *better
				address, outcome = d.construct(code, &tx)
			}
		}
		if outcome.Status == evm.Success {
			d.register(Deployed{Contract: c, Address: address}, input.Creation{Args: tx.Args, Value: tx.Value})
			return d.initialize(ctx, &upgrading, address, depth)
		}
		if failure == nil || attempt == 0 {
			failure = d.explain("the constructor of "+c.Name, " with all arguments that were tried", c, d.creation(code, &tx), &tx)
		}
		d.restore(before)
		if len(abi.Constructor.Inputs) == 0 && attempt > 0 {
			break // there is but the wei sent along to change
		}
	}
	if len(constructor.Inputs) > 0 {
		failure = fmt.Errorf("%w; fuzz a contract that creates it with arguments of your own", failure)
	}
	return common.Address{}, failure
}

// A checkpoint is what a deployer goes back to when an attempt was in vain: what
// others stand only for its sake would be in the way of the search.
type checkpoint struct {
	deployment Deployment
	mocks      map[string]common.Address
}

func (d *deployer) checkpoint() checkpoint {
	n := checkpoint{d.made, maps.Clone(d.mocks)}
	n.deployment.Record = &input.Deployment{Creations: slices.Clone(d.made.Record.Creations)}
	n.deployment.Contracts = slices.Clone(d.made.Contracts)
	return n
}

func (d *deployer) restore(to checkpoint) { d.made, d.mocks = to.deployment, to.mocks }

// construct runs creation code for good if it succeeds.
func (d *deployer) construct(code []byte, tx *input.Tx) (common.Address, evm.Outcome) {
	outcome := d.execute(d.creation(code, tx))
	return outcome.Created, outcome
}

// call runs a Tx for good if it succeeds.
func (d *deployer) call(tx *input.Tx) evm.Outcome {
	return d.execute(evm.TxCall(tx, tx.Calldata()))
}

func (d *deployer) execute(call evm.Call) evm.Outcome {
	d.created = d.created[:0]
	world := d.made.World.Fork()
	outcome := d.machine.Execute(world, Genesis, call, &d.createHooks)
	d.spend(&outcome, 1)
	if outcome.Status == evm.Success {
		d.made.World = world
	}
	return outcome
}

// spend counts a call that took times as long as others do.
func (d *deployer) spend(o *evm.Outcome, times uint64) {
	work := 6_000 + o.GasUsed/2
	if o.Slow {
		work = max(work, 10*evm.DefaultSteps) // of cheap instructions
	}
	d.work += times * work
}

func (d *deployer) creation(code []byte, tx *input.Tx) evm.Call {
	return evm.Call{
		From: input.Deployer.Address(), Create: true, Value: tx.Value,
		Data: tx.AppendCalldata(bytes.Clone(code)),
	}
}

// unique makes a name that no Creation has yet, by a number behind a separator
// if need be.
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

// link returns c's creation code with the addresses of its libraries, which
// are deployed if they do not stand yet.
func (d *deployer) link(ctx context.Context, c *solc.Contract, depth int) ([]byte, error) {
	code := bytes.Clone(c.Creation.Object)
	for _, l := range c.Creation.Links {
		library := d.program.Find(func(o *solc.Contract) bool { return o.Name == l.Library && o.File == l.File })
		if library == nil {
			return nil, fmt.Errorf("contract %s needs the library %s of %s, which is not part of the compilation", c.Name, l.Library, l.File)
		}
		address, ok := d.standing(library)
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

// standing returns where c was deployed.
func (d *deployer) standing(c *solc.Contract) (common.Address, bool) {
	for _, have := range d.made.Contracts {
		if have.Contract == c && !have.implementation {
			return have.Address, true
		}
	}
	return common.Address{}, false
}

// explain says why a call of the deployer's failed: which check stopped it, and
// where.
func (d *deployer) explain(what, how string, c *solc.Contract, call evm.Call, tx *input.Tx) error {
	panel := oracle.NewPanel([]*oracle.Oracle{&oracle.Reverted}, &oracle.Scene{
		Project: d.program.IsProject,
		Blame:   d.program.Blame,
	}, shadow.New(shadow.NewState()))
	world := d.made.World.Fork()
	panel.Begin(tx, world)
	outcome := d.machine.Execute(world, Genesis, call, panel.Hooks())
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
