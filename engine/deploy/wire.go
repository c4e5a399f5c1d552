package deploy

import (
	"bytes"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
)

// Many protocols deploy their contracts first and introduce them to one another
// afterwards, by functions such as setAddresses. A contract that nobody
// introduced has nobody to call, and no deployment looks like that. So the
// deployer makes these calls: those that succeed and store the address of a
// contract where there was none.

// Bounds of the wiring: how often the contracts are looked at, how many are, and
// how many arguments are tried for one function.
const (
	wireRounds    = 4
	wireContracts = 40
	wireAttempts  = 4
)

// maxWireWork bounds the work of the wiring.
const maxWireWork = 2e9

// decisions are parts of names of functions that end something, or decide who may
// do what. Deployments do not call them.
var decisions = []string{"accept", "admin", "authority", "close", "deprecat", "destroy", "disable", "emergency", "finali", "govern", "guardian",
	"kill", "migrat", "owner", "pause", "pending", "recover", "remove", "renounce", "replace", "rescue", "retire", "revoke", "shutdown",
	"successor", "sweep", "transfer", "upgrade", "withdraw"}

// wire makes the calls that wire the contracts of the deployment, those of the
// contract under test first. Contracts that this needs come behind it. If ctx is done, what is
// wired stays.
func (b *builder) wire(ctx context.Context, under common.Address) error {
	if suiteOf(b.program.ABI(b.program.UnderTest)) != noSuite {
		return nil
	}
	p := b.proposer
	b.reserved.wiring, b.chain.limit = true, min(maxDeployWork, b.chain.work+maxWireWork)
	defer func(campaign *rand.Rand) { b.reserved.wiring, p.random = false, campaign }(p.random)
	p.random = rand.New(rand.NewPCG(0, 0)) // the campaign's numbers do not depend on the wiring
	for range wireRounds {
		before := b.ledger.made.World
		for _, c := range unwired(b.ledger.made, under) {
			if err := b.wireContract(ctx, c); err != nil {
				return err
			}
		}
		if b.ledger.made.World == before {
			break
		}
		clear(b.failed) // what failed may have needed what is wired now
	}
	return b.authorize(ctx, *b.ledger.made.at(under))
}

// unwired lists the contracts whose functions may wire them, the contract under
// test first.
func unwired(made *Deployment, under common.Address) (list []Deployed) {
	for _, c := range made.Contracts {
		switch {
		case c.Address == under:
			list = slices.Insert(list, 0, c)
		case c.Mock == nil && !c.child && !c.implementation && c.Contract.Kind != solc.KindLibrary && len(list) < wireContracts:
			list = append(list, c)
		}
	}
	return list
}

// wireContract makes the calls that hand contracts over to c.
func (b *builder) wireContract(ctx context.Context, c Deployed) error {
	for _, f := range b.proposer.catalog.wirings(c.Contract) {
		for attempt := range wireAttempts {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if b.chain.exhausted() {
				return nil
			}
			restore := b.ledger.checkpoint()
			h, err := b.proposer.handover(ctx, c, f, attempt, 0)
			if err != nil {
				restore()
				return err
			}
			if len(h.given) > 0 && (h.wires(b.ledger) || b.supplier.provide(txCall(&h.tx), anyLack) && h.wires(b.ledger)) {
				break
			}
			restore()
			if len(h.given) == 0 || !h.varies {
				break
			}
		}
	}
	return nil
}

// authorize has the deployer allow a contract what its functions do at others: to
// mint their token, say.
func (b *builder) authorize(ctx context.Context, c Deployed) error {
	if !slices.ContainsFunc(b.ledger.made.Contracts, func(o Deployed) bool { return o.Mock == nil && o.Address != c.Address }) {
		return nil
	}
	own := func(l *lack) bool { return l.allows(c.Address) }
	for _, f := range b.program.ABI(c.Contract).Functions {
		if f.Constant() {
			continue
		}
		for _, attempt := range []int{0, 2} { // ones, and units of a token
			restore := b.ledger.checkpoint()
			args, err := b.proposer.arguments(ctx, c.Contract, f, attempt, level{depth: deployDepth})
			if err != nil {
				restore()
				return err
			}
			made := b.ledger.made.World
			for _, who := range []input.Actor{input.Deployer, input.User1} {
				tx := input.Tx{From: who, To: c.Address, Function: f, Args: args}
				if f.Mutability == input.Payable {
					tx.Value.SetUint64(1e18)
				}
				b.supplier.provide(txCall(&tx), own)
			}
			if b.ledger.made.World == made { // nothing was supplied: what the arguments needed goes
				restore()
			}
		}
	}
	return nil
}

// takesAddress reports whether a parameter is an address or a struct with one.
func takesAddress(list []input.Field) bool {
	return slices.ContainsFunc(list, func(f input.Field) bool {
		return f.Type.Kind == input.KindAddress || f.Type.Kind == input.KindTuple && takesAddress(f.Type.Fields)
	})
}

// A handover is a call that hands contracts over to another one.
type handover struct {
	proposal *proposal
	tx       input.Tx
	given    []common.Address // the contracts among its arguments
	opens    bool             // it is an initializer
	varies   bool             // arguments of other attempts differ
}

// handover makes a call of f, and deploys the contracts among its arguments. It
// gives none if no parameter stands for one.
func (p *proposer) handover(ctx context.Context, c Deployed, f *input.Function, attempt, index int) (*handover, error) {
	h := &handover{proposal: p.propose(c.Contract, attempt, level{deployDepth, index})}
	h.proposal.used[c.Address] = true
	h.tx = input.Tx{From: input.Deployer, To: c.Address, Function: p.ledger.program.ABI(c.Contract).Method(f.Signature)}
	h.opens = slices.Contains(initializersOf(p.ledger.program, c.Contract).others, h.tx.Function)
	for _, field := range f.Inputs {
		v, err := h.argument(ctx, field)
		if err != nil {
			return nil, err
		}
		h.tx.Args = append(h.tx.Args, v)
	}
	return h, nil
}

// argument returns an argument of a handover.
func (h *handover) argument(ctx context.Context, field input.Field) (v input.Value, err error) {
	v = input.Zero(field.Type)
	switch field.Type.Kind {
	case input.KindTuple:
		for i, member := range field.Type.Fields {
			if v.Elems[i], err = h.argument(ctx, member); err != nil {
				return v, err
			}
		}
	case input.KindAddress:
		address, err := h.proposal.as(0, 0).collaborator(ctx, field)
		if err != nil {
			return v, err
		}
		if address != (common.Address{}) {
			h.given = append(h.given, address)
		} else {
			address = input.Deployer.Address()
		}
		v.Word.SetBytes20(address[:])
	default:
		h.varies = true
		return h.proposal.argument(ctx, field)
	}
	return v, nil
}

// collaborator returns a contract for an address that the consumer takes, and
// deploys it if needed: one of the project, or a mock; zero if no contract is
// meant.
func (p *proposal) collaborator(ctx context.Context, field input.Field) (common.Address, error) {
	if address, ok := p.reserved.expectedFor(p.consumer, field); ok {
		return address, nil
	}
	for _, c := range p.catalog.collaborators(p.consumer, field) {
		if p.builder.inProgress[c] {
			continue
		}
		restore := p.ledger.checkpoint()
		address, err := p.instance(ctx, c)
		if err == nil || ctx.Err() != nil {
			return address, ctx.Err()
		}
		restore()
	}
	if s := p.catalog.mockFor(p.consumer, field); s != nil {
		return p.mock(s, field)
	}
	if address, ok, err := p.answering(ctx, field); ok || err != nil {
		return address, err
	}
	if s := standIn(field); s != nil {
		return p.mock(s, field)
	}
	return common.Address{}, nil
}

// standIn returns the mock for an address that is to be a contract of which nothing
// else is known; nil if that is not certain.
func standIn(field input.Field) *mock.Contract {
	if program.IsContractType(field.InternalType) {
		return mock.Anything()
	}
	return mock.Like(field.Name)
}

// wires makes the call and reports whether it wired something. It undoes a call of an
// initializer that any account may call.
func (h *handover) wires(l *ledger) bool {
	before := l.made.World
	if l.chain.call(&h.tx).Status != evm.Success || !h.stored(before, l.made.World) || h.begins(before, l.made) || h.opens && l.chain.isOpen(before, &h.tx) {
		l.chain.reset(before)
		return false
	}
	l.recordSetup(&h.tx)
	return true
}

// stored reports whether a variable of the called contract holds one of the
// contracts that it was given, where there was zero.
func (h *handover) stored(before, after *evm.World) bool {
	return h.changes(before, after, func(word evm.StorageDiff) bool {
		return slices.ContainsFunc(h.given, func(address common.Address) bool {
			at := bytes.Index(word.After[:], address[:])
			return at >= 0 && [common.AddressLength]byte(word.Before[at:]) == (common.Address{})
		})
	})
}

// begins reports whether a variable of the called contract that was set before holds the current
// time: a period that lasts until then is over, and what it allows cannot happen any more.
func (h *handover) begins(before *evm.World, made *Deployment) bool {
	now := binary.BigEndian.AppendUint32(nil, uint32(made.Block.Timestamp)) // dates have at least 32 bits
	return h.changes(before, made.World, func(word evm.StorageDiff) bool {
		at := bytes.Index(word.After[:], now)
		return at >= 0 && [4]byte(word.Before[at:]) != [4]byte{} && !bytes.Equal(word.Before[at:at+len(now)], now)
	})
}

// changes reports whether the change of a variable of the called contract is as wanted.
func (h *handover) changes(before, after *evm.World, wanted func(evm.StorageDiff) bool) bool {
	for _, account := range after.Diff(before) {
		if account.Address == h.tx.To && slices.ContainsFunc(account.Storage, func(word evm.StorageDiff) bool { return isVariable(word.Key) && wanted(word) }) {
			return true
		}
	}
	return false
}

// isVariable reports whether a storage key is that of a variable, not of an
// element of a mapping or of an array of any length.
func isVariable(key common.Hash) bool { return [24]byte(key[:]) == [24]byte{} }
