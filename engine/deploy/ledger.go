package deploy

import (
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// maxChildren is how many contracts of one creation a campaign calls; a factory
// may create a hundred equal ones.
const maxChildren = 8

// A ledger records what has been deployed so far: the Record and the Contracts of
// the Deployment. Its World is the chain's.
type ledger struct {
	program  *program.Program
	chain    *chain
	reserved *reservations
	made     *Deployment
	mocks    map[string]common.Address // by their names and what they stand for
}

// checkpoint returns what restores the present state after a failed deployment attempt,
// so that its dependencies do not stay. It restores as often as it is called.
func (l *ledger) checkpoint() (restore func()) {
	made, mocks := copied(l.made), maps.Clone(l.mocks)
	return func() { *l.made, l.mocks = copied(&made), maps.Clone(mocks) }
}

// copied returns a Deployment that changes of another one do not reach.
func copied(d *Deployment) Deployment {
	c := *d
	c.Record = &input.Deployment{Fork: d.Record.Fork, Creations: slices.Clone(d.Record.Creations)}
	c.Contracts = slices.Clone(d.Contracts)
	return c
}

// register adds a contract that was just created, and the project's contracts
// that it created.
func (l *ledger) register(made Deployed, args []input.Value, value uint256.Int) {
	creation := l.creation(&made)
	creation.Args, creation.Value = args, value
	l.made.Record.Creations = append(l.made.Record.Creations, creation)
	made.remote = l.reserved.isWired()
	l.made.Contracts = append(l.made.Contracts, made)
	l.registerChildren(creation.Name)
}

// creation returns the record of a contract under a name of its own.
func (l *ledger) creation(made *Deployed) input.Creation {
	class := made.Contract.Name
	creation := input.Creation{Name: l.made.unique(class, ""), File: made.Contract.File, Address: made.Address}
	if creation.Name != class {
		creation.Contract = class
	}
	return creation
}

// registerChildren adds the project's contracts that the newest contract just
// created, in front of it: the contract under test stays last.
func (l *ledger) registerChildren(maker string) {
	s := l.made
	for n, address := range l.chain.created {
		c := l.createdAt(address)
		if n >= maxChildren || c == nil || c.Kind == solc.KindLibrary || s.Record.Find(address) != nil {
			continue
		}
		child := Deployed{Contract: c, Address: address, child: true, remote: l.reserved.isWired()}
		creation := l.creation(&child)
		creation.By = maker
		last := len(s.Record.Creations) - 1
		s.Record.Creations = slices.Insert(s.Record.Creations, last, creation)
		last = len(s.Contracts) - 1
		s.Contracts = slices.Insert(s.Contracts, last, child)
	}
}

// recordSetup adds a call that succeeded to the record, and what it created.
func (l *ledger) recordSetup(tx *input.Tx) {
	newest := l.made.Record.Newest()
	newest.Setup = append(newest.Setup, *tx)
	maker := newest.Name
	if called := l.made.Record.Find(tx.To); called != nil {
		maker = called.Name
	}
	l.registerChildren(maker)
}

// createdAt returns the contract of the project that was created at an address: its own,
// or the one that a clone runs; nil if there is none.
func (l *ledger) createdAt(address common.Address) *solc.Contract {
	if c := l.program.ContractAt(l.made.World, address); c != nil {
		return c
	}
	if logic := l.made.clonedFrom(address); logic != nil {
		return logic.Contract
	}
	return nil
}
