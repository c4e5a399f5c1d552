// Package deploy turns the contracts of a project into a first state: it solves
// for constructor arguments, deploys dependencies, mocks and proxies, registers
// what factories create, and calls initializers and setUp.
package deploy

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
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

// MarkTested marks the contract under test if it is not the last one.
func (s *Deployment) MarkTested(address common.Address) {
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

// Named returns the creation with a name; nil if there is none.
func (s *Deployment) Named(name string) *input.Creation {
	for i := range s.Record.Creations {
		if s.Record.Creations[i].Name == name {
			return &s.Record.Creations[i]
		}
	}
	return nil
}

// at returns the contract of the deployment at an address; nil if there is none.
func (s *Deployment) at(address common.Address) *Deployed {
	for i := range s.Contracts {
		if s.Contracts[i].Address == address {
			return &s.Contracts[i]
		}
	}
	return nil
}

// find returns the address where c is deployed.
func (s *Deployment) find(c *solc.Contract) (common.Address, bool) {
	for _, have := range s.Contracts {
		if have.Contract == c && !have.implementation {
			return have.Address, true
		}
	}
	return common.Address{}, false
}

// unique returns a name that no creation has yet, with a number behind a
// separator if needed.
func (s *Deployment) unique(name, separator string) string {
	candidate := name
	for n := 2; s.Named(candidate) != nil; n++ {
		candidate = fmt.Sprintf("%s%s%d", name, separator, n)
	}
	return candidate
}

// next returns the address of the creation after n more ones.
func (s *Deployment) next(n int) common.Address {
	deployer := input.Deployer.Address()
	return crypto.CreateAddress(deployer, s.World.Nonce(deployer)+uint64(n))
}

// New deploys the contract under test, on a fork unless that is nil. If wiring is done, the
// contracts stay as they are wired until then. Its errors are sentences for the user.
func New(ctx, wiring context.Context, p *program.Program, m *evm.Machine, r *rand.Rand, fork *Fork) (*Deployment, error) {
	b := newBuilder(p, m, r, fork)
	made := b.ledger.made
	if err := placeNamed(b.proposer.catalog, b.ledger, p.UnderTest); err != nil {
		return nil, err
	}
	if err := deployMocks(b.proposer.catalog, b.ledger); err != nil {
		return nil, err
	}
	under, err := b.underTest(ctx)
	if err != nil {
		return nil, err
	}
	made.MarkTested(under)
	if err := setUp(b.ledger); err != nil {
		return nil, err
	}
	exclude(p, b.chain)
	if err := b.wire(wiring, under); err != nil && (ctx.Err() != nil || wiring.Err() == nil) {
		return nil, err
	}
	if err := deployTokens(b.proposer.catalog, b.ledger); err != nil {
		return nil, err
	}
	made.MarkTested(under)
	findFixed(p, b.chain)
	return made, nil
}
