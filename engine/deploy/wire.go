package deploy

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"

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
// contract under test first. Contracts that this needs come behind it.
func (d *deployer) wire(ctx context.Context, under common.Address) error {
	if suiteOf(d.program.ABI(d.program.UnderTest)) != noSuite {
		return nil
	}
	d.wiring, d.chain.limit = true, min(maxDeployWork, d.chain.work+maxWireWork)
	defer func(campaign *rand.Rand) { d.wiring, d.random = false, campaign }(d.random)
	d.random = rand.New(rand.NewPCG(0, 0)) // the campaign's numbers do not depend on the wiring
	for range wireRounds {
		before := d.made.World
		for _, c := range d.unwired(under) {
			if err := d.wireContract(ctx, c); err != nil {
				return err
			}
		}
		if d.made.World == before {
			break
		}
		clear(d.failed) // what failed may have needed what is wired now
	}
	return d.authorize(ctx, *d.at(under))
}

// unwired lists the contracts whose functions may wire them, the contract under
// test first.
func (d *deployer) unwired(under common.Address) (list []Deployed) {
	for _, c := range d.made.Contracts {
		switch {
		case c.Address == under:
			list = slices.Insert(list, 0, c)
		case c.Mock == nil && !c.child && !c.implementation && c.Contract.Kind != solc.KindLibrary && len(list) < wireContracts:
			list = append(list, c)
		}
	}
	return list
}

func (d *deployer) wireContract(ctx context.Context, c Deployed) error {
	for _, f := range d.wirings(c.Contract) {
		for attempt := range wireAttempts {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if d.chain.work > d.chain.limit {
				return nil
			}
			before := d.checkpoint()
			h, err := d.handover(ctx, c, f, attempt)
			if err != nil {
				return err
			}
			if len(h.given) > 0 && (d.wires(h) || d.provide(evm.TxCall(&h.tx, h.tx.Calldata()), anyLack) && d.wires(h)) {
				break
			}
			d.restore(before)
			if len(h.given) == 0 || !h.varies {
				break
			}
		}
	}
	return nil
}

// wirings lists the functions of c that may hand contracts over to it.
func (d *deployer) wirings(c *solc.Contract) (list []*input.Function) {
	if known, ok := d.handovers[c]; ok {
		return known
	}
	defer func() { d.handovers[c] = list }()
	done, setters := initializersOf(d.program, c).guarded, d.program.Setters(c)
	for _, f := range d.program.ABI(c).Functions {
		if !f.Constant() && f.Mutability != input.Payable && !slices.Contains(done, f) && !decides(f) && takesAddress(f.Inputs) {
			if i := slices.IndexFunc(setters, func(s *input.Function) bool { return s.Signature == f.Signature }); i >= 0 {
				f = setters[i]
			}
			list = append(list, d.program.Typed(c, f))
		}
	}
	return list
}

// takesAddress reports whether a parameter is an address or a struct with one.
func takesAddress(list []input.Field) bool {
	return slices.ContainsFunc(list, func(f input.Field) bool {
		return f.Type.Kind == input.KindAddress || f.Type.Kind == input.KindTuple && takesAddress(f.Type.Fields)
	})
}

// A handover is a call that hands contracts over to another one.
type handover struct {
	tx     input.Tx
	given  []common.Address // the contracts among its arguments
	opens  bool             // it is an initializer
	varies bool             // arguments of other attempts differ
}

// handover makes a call of f, and deploys the contracts among its arguments. It
// gives none if no parameter stands for one.
func (d *deployer) handover(ctx context.Context, c Deployed, f *input.Function, attempt int) (*handover, error) {
	defer func(used map[common.Address]bool, room int, consumer *solc.Contract) {
		d.used, d.room, d.consumer = used, room, consumer
	}(d.used, d.room, d.consumer)
	d.used, d.room, d.consumer = map[common.Address]bool{c.Address: true}, input.MaxWords, c.Contract
	h := &handover{tx: input.Tx{From: input.Deployer, To: c.Address, Function: d.program.ABI(c.Contract).Method(f.Signature)}}
	h.opens = slices.Contains(initializersOf(d.program, c.Contract).others, h.tx.Function)
	for _, field := range f.Inputs {
		v, err := d.handed(ctx, h, field, attempt)
		if err != nil {
			return nil, err
		}
		h.tx.Args = append(h.tx.Args, v)
	}
	return h, nil
}

// handed returns an argument of a handover.
func (d *deployer) handed(ctx context.Context, h *handover, field input.Field, attempt int) (v input.Value, err error) {
	v = input.Zero(field.Type)
	switch field.Type.Kind {
	case input.KindTuple:
		for i, member := range field.Type.Fields {
			if v.Elems[i], err = d.handed(ctx, h, member, attempt); err != nil {
				return v, err
			}
		}
	case input.KindAddress:
		address, err := d.collaborator(ctx, field)
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
		return d.argument(ctx, field, attempt, deployDepth)
	}
	return v, nil
}

// collaborator returns a contract for an address that the consumer takes, and
// deploys it if needed: one of the project, or a mock; zero if no contract is
// meant.
func (d *deployer) collaborator(ctx context.Context, field input.Field) (common.Address, error) {
	if address, ok := d.expectedFor(field); ok {
		return address, nil
	}
	for _, c := range d.collaborators(d.consumer, field) {
		if d.inProgress[c] {
			continue
		}
		before := d.checkpoint()
		address, err := d.instance(ctx, c, 0)
		if err == nil || ctx.Err() != nil {
			return address, ctx.Err()
		}
		d.restore(before)
	}
	if s := d.mockFor(field); s != nil {
		return d.mock(s, field.Name)
	}
	if address, ok, err := d.answering(ctx, field, 0, 0); ok || err != nil {
		return address, err
	}
	if s := d.standIn(field); s != nil {
		return d.mock(s, field.Name)
	}
	return common.Address{}, nil
}

// standIn returns the mock for an address that is to be a contract of which nothing
// else is known; nil if that is not certain.
func (d *deployer) standIn(field input.Field) *mock.Contract {
	if program.IsContractType(field.InternalType) {
		return mock.Anything()
	}
	return mock.Like(field.Name)
}

// collaborators returns the contracts of the project that an address which a
// consumer takes may stand for, the likeliest first: by type and name.
func (d *deployer) collaborators(consumer *solc.Contract, field input.Field) []*solc.Contract {
	name := plainName(field.Name)
	meant := func(own string) bool { return own == name }
	ends := func(own string) bool { return len(name) >= 4 && strings.HasSuffix(own, name) }
	var wanted *solc.Contract
	if program.IsContractType(field.InternalType) {
		wanted = byType(d.program, consumer, field.InternalType)
	} else if len(name) < 4 || slices.Contains(actorNames, name) {
		return nil
	}
	standard := wanted != nil && d.standard(wanted) != nil
	return best(d.program, func(c *solc.Contract) int {
		own := strings.ToLower(c.Name)
		switch {
		case c.Kind != solc.KindContract || c.Abstract || !c.Deployable() || c.Harness() != "" || c.Inherited():
		case wanted == c:
			return 0
		case wanted != nil && (len(wanted.Methods) == 0 || !hasAll(c, wanted.Methods)):
		case meant(own) || wanted != nil && "i"+own == strings.ToLower(wanted.Name):
			return 0
		case ends(own):
			return 1
		case wanted != nil && !standard:
			return 2
		}
		return unsuitable
	})
}

// wires makes a call and reports whether it wired something. It undoes a call of an
// initializer that any account may call.
func (d *deployer) wires(h *handover) bool {
	before := d.made.World
	if d.chain.call(&h.tx).Status != evm.Success || !h.stored(before, d.made.World) || h.opens && d.isOpen(before, &h.tx) {
		d.made.World = before
		return false
	}
	d.recordSetup(&h.tx)
	return true
}

// isOpen reports whether anybody can make a call in a world.
func (d *deployer) isOpen(w *evm.World, tx *input.Tx) bool {
	stranger := *tx
	stranger.From = input.User1
	return d.chain.machine.Execute(w.Fork(), d.made.Block, evm.TxCall(&stranger, stranger.Calldata()), nil).Status == evm.Success
}

// stored reports whether a variable of the called contract holds one of the
// contracts that it was given, where there was zero.
func (h *handover) stored(before, after *evm.World) bool {
	for _, account := range after.Diff(before) {
		for _, word := range account.Storage {
			if account.Address != h.tx.To || !isVariable(word.Key) {
				continue
			}
			for _, address := range h.given {
				at := bytes.Index(word.After[:], address[:])
				if at >= 0 && [common.AddressLength]byte(word.Before[at:]) == (common.Address{}) {
					return true
				}
			}
		}
	}
	return false
}

// isVariable reports whether a storage key is that of a variable, not of an
// element of a mapping or of an array of any length.
func isVariable(key common.Hash) bool { return [24]byte(key[:]) == [24]byte{} }
