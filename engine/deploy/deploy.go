// Package deploy turns the contracts of a project into a first state: it solves
// for constructor arguments, deploys dependencies, mocks and proxies, registers
// what factories create, and calls initializers and setUp.
package deploy

import (
	"context"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/program"
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

// New deploys the contract under test, on a fork unless that is nil. Its errors
// are sentences for the user.
func New(ctx context.Context, p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) (*Deployment, error) {
	b := newBuilder(p, m, r, fork)
	made := b.ledger.made
	if err := placeNamed(b.proposer.catalog, b.ledger); err != nil {
		return nil, err
	}
	if err := deployMocks(b.proposer.catalog, b.ledger); err != nil {
		return nil, err
	}
	under, err := b.underTest(ctx)
	if err != nil {
		return nil, err
	}
	made.markTested(under)
	if err := b.ledger.setUp(); err != nil {
		return nil, err
	}
	exclude(p, b.chain)
	if err := b.wire(ctx, under); err != nil {
		return nil, err
	}
	made.markTested(under)
	findFixed(p, b.chain)
	return made, nil
}
