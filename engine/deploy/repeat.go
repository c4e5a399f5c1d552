package deploy

import (
	"context"
	"fmt"
	"math/rand/v2"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Repeat deploys as recorded with a finding, on a fork unless that is nil: a
// failure may depend on constructor arguments. The error says why the present contracts cannot be
// deployed like that.
func Repeat(ctx context.Context, p *program.Program, m *evm.Machine, r *rand.Rand, wanted *input.Deployment, fork *Fork) (*Deployment, error) {
	d := newDeployer(p, m, r, fork)
	for i := range wanted.Creations {
		if err := d.repeat(ctx, wanted, i); err != nil {
			return nil, err
		}
	}
	for i := range wanted.Creations {
		if was := &wanted.Creations[i]; d.made.Record.Find(was.Address) == nil {
			return nil, errMoved(was)
		}
	}
	exclude(p, d.chain)
	d.made.markTested(wanted.UnderTest().Address)
	findFixed(p, d.chain)
	return d.made, nil
}

// errMoved means that a contract gets another address than recorded.
func errMoved(was *input.Creation) error {
	return fmt.Errorf("%s gets another address than when this was found, because other contracts are deployed now; fuzz it again", was.Name)
}

// repeat repeats the ith creation, with the contracts that it creates.
func (d *deployer) repeat(ctx context.Context, wanted *input.Deployment, i int) error {
	was := &wanted.Creations[i]
	if was.By != "" {
		return nil
	}
	if was.File == "" {
		if err := d.ledger.repeatMock(was); err != nil {
			return err
		}
		return d.repeatSetup(was)
	}
	contract, err := d.contractOf(wanted, i)
	if err != nil {
		return err
	}
	if was.Of != "" {
		err = d.repeatProxy(was)
	} else {
		err = d.repeatConstructor(ctx, was, contract)
	}
	if err != nil {
		return err
	}
	return d.repeatSetup(was)
}

// contractOf returns the contract of the ith creation. The contract under test
// may have been renamed.
func (d *deployer) contractOf(wanted *input.Deployment, i int) (*solc.Contract, error) {
	was, under := &wanted.Creations[i], wanted.UnderTest()
	if was == under || under.Of != "" && under.Of == was.Name {
		return d.program.UnderTest, nil
	}
	contract := d.program.Find(func(o *solc.Contract) bool { return o.File == was.File && o.Name == was.Class() })
	if contract == nil {
		return nil, fmt.Errorf("the project no longer has the contract %s, which this needs", was.Class())
	}
	return contract, nil
}

func (d *deployer) repeatConstructor(ctx context.Context, was *input.Creation, contract *solc.Contract) error {
	constructor := d.program.ABI(contract).Constructor
	if !accepts(constructor, was.Args) {
		return fmt.Errorf("the constructor of %s takes different arguments now; fuzz it again", contract.Name)
	}
	code, err := d.link(ctx, contract, level{})
	if err != nil {
		return err
	}
	d.program.Codes.AddInit(code)
	address, outcome := d.chain.construct(code, &input.Tx{From: input.Deployer, Function: constructor, Args: was.Args, Value: was.Value})
	switch {
	case outcome.Status != evm.Success:
		return fmt.Errorf("the constructor of %s no longer succeeds with the same arguments; fuzz it again", contract.Name)
	case address != was.Address:
		return errMoved(was)
	}
	d.ledger.register(Deployed{Contract: contract, Address: address}, input.Creation{Args: was.Args, Value: was.Value})
	return nil
}

// repeatProxy creates a proxy of the newest contract.
func (d *deployer) repeatProxy(was *input.Creation) error {
	if len(d.made.Contracts) == 0 || d.proxy(d.made.UnderTest().Address) != was.Address {
		return errMoved(was)
	}
	return nil
}

// repeatSetup repeats the calls after a creation.
func (d *deployer) repeatSetup(was *input.Creation) error {
	for i := range was.Setup {
		tx := was.Setup[i]
		at := d.made.at(tx.To)
		if at == nil {
			return errMoved(was)
		}
		contract := at.Contract
		f := d.program.ABI(contract).Method(tx.Function.Signature)
		if f == nil {
			return fmt.Errorf("%s no longer has its set-up function %s; fuzz it again", contract.Name, tx.Function.Signature)
		}
		tx.Function = f
		if d.chain.call(&tx).Status != evm.Success {
			return fmt.Errorf("%s of %s no longer succeeds with the same arguments; fuzz it again", f.Name, contract.Name)
		}
		d.ledger.recordSetup(&tx)
	}
	return nil
}

// accepts reports whether a constructor takes values of these types.
func accepts(constructor *input.Function, args []input.Value) bool {
	if len(constructor.Inputs) != len(args) {
		return false
	}
	for i := range args {
		if !constructor.Inputs[i].Type.Same(args[i].Type) {
			return false
		}
	}
	return true
}
