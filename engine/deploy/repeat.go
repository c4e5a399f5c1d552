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
	b := newBuilder(p, m, r, fork)
	again := repeater{b.ledger, b, wanted}
	for i := range wanted.Creations {
		if err := again.create(ctx, i); err != nil {
			return nil, err
		}
	}
	made := b.ledger.made
	for i := range wanted.Creations {
		if was := &wanted.Creations[i]; made.Record.Find(was.Address) == nil {
			return nil, errMoved(was)
		}
	}
	exclude(p, b.chain)
	made.MarkTested(wanted.UnderTest().Address)
	findFixed(p, b.chain)
	return made, nil
}

// errMoved means that a contract gets another address than recorded.
func errMoved(was *input.Creation) error {
	return fmt.Errorf("%s gets another address than when this was found, because other contracts are deployed now; fuzz it again", was.Name)
}

// A repeater makes the creations of an earlier deployment.
type repeater struct {
	ledger  *ledger
	builder *builder // links libraries
	wanted  *input.Deployment
}

// create repeats the ith creation, with the contracts that it creates.
func (r *repeater) create(ctx context.Context, i int) error {
	was := &r.wanted.Creations[i]
	if was.By != "" {
		return nil
	}
	if was.File == "" {
		if err := r.ledger.repeatMock(was); err != nil {
			return err
		}
		return r.setUp(was)
	}
	contract, err := r.contractOf(i)
	if err != nil {
		return err
	}
	if was.Of != "" {
		err = r.proxy(was)
	} else {
		err = r.construct(ctx, was, contract)
	}
	if err != nil {
		return err
	}
	return r.setUp(was)
}

// contractOf returns the contract of the ith creation. The contract under test
// may have been renamed.
func (r *repeater) contractOf(i int) (*solc.Contract, error) {
	was, under := &r.wanted.Creations[i], r.wanted.UnderTest()
	if was == under || under.Of != "" && under.Of == was.Name {
		return r.ledger.program.UnderTest, nil
	}
	contract := r.ledger.program.Find(func(o *solc.Contract) bool { return o.File == was.File && o.Name == was.Class() })
	if contract == nil {
		return nil, fmt.Errorf("the project no longer has the contract %s, which this needs", was.Class())
	}
	return contract, nil
}

func (r *repeater) construct(ctx context.Context, was *input.Creation, contract *solc.Contract) error {
	constructor := r.ledger.program.ABI(contract).Constructor
	if !accepts(constructor, was.Args) {
		return fmt.Errorf("the constructor of %s takes different arguments now; fuzz it again", contract.Name)
	}
	code, err := r.builder.link(ctx, contract, level{})
	if err != nil {
		return err
	}
	r.ledger.program.Codes.AddInit(code)
	address, outcome := r.ledger.chain.construct(code, &input.Tx{From: input.Deployer, Function: constructor, Args: was.Args, Value: was.Value})
	switch {
	case outcome.Status != evm.Success:
		return fmt.Errorf("the constructor of %s no longer succeeds with the same arguments; fuzz it again", contract.Name)
	case address != was.Address:
		return errMoved(was)
	}
	r.ledger.register(Deployed{Contract: contract, Address: address}, was.Args, was.Value)
	return nil
}

// proxy creates a proxy of the newest contract.
func (r *repeater) proxy(was *input.Creation) error {
	if len(r.ledger.made.Contracts) == 0 || r.ledger.proxy(r.ledger.made.UnderTest().Address) != was.Address {
		return errMoved(was)
	}
	return nil
}

// setUp repeats the calls after a creation.
func (r *repeater) setUp(was *input.Creation) error {
	for i := range was.Setup {
		tx := was.Setup[i]
		at := r.ledger.made.at(tx.To)
		if at == nil {
			return errMoved(was)
		}
		contract := at.Contract
		f := r.ledger.program.ABI(contract).Method(tx.Function.Signature)
		if f == nil {
			return fmt.Errorf("%s no longer has its set-up function %s; fuzz it again", contract.Name, tx.Function.Signature)
		}
		tx.Function = f
		if r.ledger.chain.call(&tx).Status != evm.Success {
			return fmt.Errorf("%s of %s no longer succeeds with the same arguments; fuzz it again", f.Name, contract.Name)
		}
		r.ledger.recordSetup(&tx)
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
