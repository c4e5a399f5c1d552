package deploy

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Built is what setUp of a test contract built: a state that a campaign may start
// from where the contract under test cannot be deployed otherwise.
type Built struct {
	Suite     Deployed // the test contract
	World     *evm.World
	Block     evm.BlockContext
	Contracts []Deployed                  // of the project, without the test contract
	Left      func(a common.Address) bool // accounts that stay behind, such as that of the cheatcodes
}

// maxBuilt is how many contracts that setUp built a campaign calls.
const maxBuilt = 32

// Take returns a Deployment with the accounts of a state in which the contract
// under test is one of the contracts; nil if it is not. Nothing else of the state
// is kept: there are no cheatcodes, and the actors are those of every campaign.
func Take(p *program.Program, m *evm.Machine, b *Built) *Deployment {
	l := newBuilder(p, m, nil, nil).ledger
	l.made.Block = b.Block
	b.copyTo(l.made.World, p.Codes)
	suite := input.Creation{Name: b.Suite.Contract.Name, File: b.Suite.Contract.File, Address: b.Suite.Address}
	if f := p.ABI(b.Suite.Contract).Method(setUpSignature); f != nil {
		suite.Setup = []input.Tx{{From: input.Deployer, To: b.Suite.Address, Function: f}}
	}
	l.made.Record.Creations = append(l.made.Record.Creations, suite)
	var under *Deployed
	for i := range b.Contracts {
		c := &b.Contracts[i]
		switch {
		case c.Contract == p.UnderTest && under == nil:
			under = c
		case i < maxBuilt:
			addBuilt(l, c, suite.Name)
		}
	}
	if under == nil {
		return nil
	}
	addBuilt(l, under, suite.Name)
	return l.made
}

// addBuilt records a contract that the set-up of another one created.
func addBuilt(l *ledger, c *Deployed, by string) {
	creation := l.creation(c)
	creation.By = by
	l.made.Record.Creations = append(l.made.Record.Creations, creation)
	l.made.Contracts = append(l.made.Contracts, Deployed{Contract: c.Contract, Address: c.Address})
}

// copyTo copies accounts into the World of a deployment.
func (b *Built) copyTo(w *evm.World, codes *evm.Codes) {
	for _, a := range b.World.Diff(evm.NewWorld(codes)) {
		if _, actor := input.ActorOf(a.Address); actor || b.Left(a.Address) {
			continue
		}
		w.SetBalance(a.Address, &a.Balance[1])
		w.SetNonce(a.Address, a.Nonce[1])
		if code := b.World.Code(a.Address); code != nil {
			w.SetCode(a.Address, code.Bytes)
		}
		for _, s := range a.Storage {
			w.SetStorage(a.Address, s.Key, s.After)
		}
	}
}

// BuiltBy returns the test contract whose setUp built a recorded deployment; false
// if it was deployed otherwise.
func BuiltBy(d *input.Deployment, project []*solc.Contract) (*solc.Contract, bool) {
	if d == nil || len(d.Creations) < 2 || d.Creations[len(d.Creations)-1].By != d.Creations[0].Name {
		return nil, false
	}
	first := &d.Creations[0]
	for _, c := range project {
		if c.File == first.File && c.Name == first.Class() && c.RunsTests() {
			return c, true
		}
	}
	return nil, false
}
