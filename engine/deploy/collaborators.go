package deploy

import (
	"bytes"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/program"
	"leveret/solc"
)

// Many contracts get the contracts that they call not by the constructor but
// later, by functions such as setLog(address). No deployment leaves those unset,
// so the deployer deploys candidates before the contract under test and calls
// the setters after it.

// maxCollaborators bounds the contracts whose setters are looked at.
const maxCollaborators = 16

// deployCollaborators deploys what setters of the contract under test take, and
// what the setters of these contracts take: contracts of the project, else
// mocks.
func (d *deployer) deployCollaborators(ctx context.Context) error {
	under := d.program.UnderTest
	d.inProgress[under] = true // one that needs it cannot be deployed before it
	defer delete(d.inProgress, under)
	if err := d.deployFor(ctx, under); err != nil {
		return err
	}
	for i := 0; i < len(d.made.Contracts) && i < maxCollaborators; i++ {
		if err := d.deployFor(ctx, d.made.Contracts[i].Contract); err != nil {
			return err
		}
	}
	return nil
}

// deployFor deploys what the setters of c take, unless the contract under test
// suits.
func (d *deployer) deployFor(ctx context.Context, c *solc.Contract) error {
	for _, f := range d.program.Setters(c) {
		for _, field := range f.Inputs {
			if !program.IsContractType(field.InternalType) || d.suiting(c, field) != (common.Address{}) || d.suits(d.program.UnderTest, c, field) {
				continue
			}
			d.used = map[common.Address]bool{}
			before := d.checkpoint()
			_, err := d.anyOf(ctx, implementers(d.program, c, field.InternalType), 0, 0)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err == nil {
				continue
			}
			d.restore(before)
			if _, err := d.mock(d.standIn(c, field), field.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// standIn returns the mock for a parameter of a setter of c.
func (d *deployer) standIn(c *solc.Contract, field input.Field) *mock.Contract {
	if wanted := byType(d.program, c, field.InternalType); wanted != nil {
		if s := mock.For(wanted.Methods); s != nil {
			return s
		}
	}
	return mock.Anything()
}

// suits reports whether a contract can be what a parameter of c wants.
func (d *deployer) suits(have, c *solc.Contract, field input.Field) bool {
	wanted := byType(d.program, c, field.InternalType)
	return wanted != nil && (have == wanted || len(wanted.Methods) > 0 && hasAll(have, wanted.Methods))
}

// suiting returns the newest deployed contract that a parameter of a setter of c
// can get, the mock that stands in if there is none; zero without either.
func (d *deployer) suiting(c *solc.Contract, field input.Field) (found common.Address) {
	s := d.standIn(c, field)
	for i := len(d.made.Contracts) - 1; i >= 0; i-- {
		switch have := &d.made.Contracts[i]; {
		case have.implementation:
		case have.Mock == nil && d.suits(have.Contract, c, field):
			return have.Address
		case have.Mock == s:
			found = have.Address
		}
	}
	return found
}

// wire has the deployer call the setters of what is deployed.
func (d *deployer) wire(ctx context.Context) error {
	if suiteOf(d.program.ABI(d.program.UnderTest)) != noSuite {
		return nil
	}
	for _, c := range slices.Clone(d.made.Contracts) {
		if c.Mock != nil || c.implementation || c.child {
			continue
		}
		for _, f := range d.program.Setters(c.Contract) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if tx, ok := d.setterCall(ctx, c, f); ok && d.wires(tx) {
				made := &d.made.Record.Creations[len(d.made.Record.Creations)-1]
				made.Setup = append(made.Setup, *tx)
			}
		}
	}
	return nil
}

// setterCall returns a call of a setter with contracts that are deployed; false
// if one is missing.
func (d *deployer) setterCall(ctx context.Context, c Deployed, f *input.Function) (*input.Tx, bool) {
	tx := &input.Tx{From: input.Deployer, To: c.Address, Function: d.program.ABI(c.Contract).Method(f.Signature)}
	for _, field := range f.Inputs {
		v := input.Zero(field.Type)
		switch address := input.Deployer.Address(); {
		case program.IsContractType(field.InternalType):
			if address = d.suiting(c.Contract, field); address == (common.Address{}) {
				return nil, false
			}
			fallthrough
		case field.Type.Kind == input.KindAddress:
			v.Word.SetBytes20(address[:])
		default:
			var err error
			if v, err = d.argument(ctx, field, 0, deployDepth); err != nil {
				return nil, false
			}
		}
		tx.Args = append(tx.Args, v)
	}
	return tx, true
}

// wires calls a setter and reports whether that set something that was not set.
func (d *deployer) wires(tx *input.Tx) bool {
	before := d.made.World
	if d.chain.call(tx).Status != evm.Success {
		return false
	}
	if !sets(tx, before, d.made.World) {
		d.made.World = before
		return false
	}
	return true
}

// sets reports whether a call stored an address of its arguments where none was.
func sets(tx *input.Tx, before, after *evm.World) bool {
	for _, account := range after.Diff(before) {
		for _, word := range account.Storage {
			for i := range tx.Args {
				address := tx.Args[i].Address()
				at := bytes.Index(word.After[:], address[:])
				if at >= 0 && common.Address(word.Before[at:at+len(address)]) == (common.Address{}) {
					return true
				}
			}
		}
	}
	return false
}
