package engine

import (
	"context"
	"fmt"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// redeploy replaces the campaign's deployment by the one that a Sequence was
// found on: what fails may depend on what the constructors were given. A
// Sequence without a deployment keeps the campaign's. The error says why the
// contracts of today cannot be deployed as they were then.
func (c *campaign) redeploy(ctx context.Context, wanted *input.Deployment) error {
	if wanted == nil || len(wanted.Creations) == 0 {
		return nil
	}
	d := newDeployer(c.program, c.executors[0].machine, c.random)
	for i := range wanted.Creations {
		if err := d.repeat(ctx, &wanted.Creations[i], i == len(wanted.Creations)-1); err != nil {
			return err
		}
	}
	c.base = &d.scene
	c.start = state{c.base.world, genesis}
	c.underCode = c.base.world.Code(c.base.under().address)
	c.callees = c.base.callees(c.program)
	var err error
	c.judge, err = c.newJudge()
	return err
}

// repeat deploys one contract as it was deployed before; under says whether it
// is the contract under test.
func (d *deployer) repeat(ctx context.Context, was *input.Creation, under bool) error {
	if was.File == "" {
		return d.repeatStandIn(was)
	}
	contract := d.program.under
	if !under {
		contract = d.program.find(func(o *solc.Contract) bool { return o.File == was.File && isNumbered(was.Name, o.Name) })
	}
	if contract == nil {
		return fmt.Errorf("the contract %s that it needs is no longer there", was.Name)
	}
	constructor := d.program.abi(contract).Constructor
	if !accepts(constructor, was.Args) {
		return fmt.Errorf("the constructor of %s takes other arguments now: fuzz it anew", contract.Name)
	}
	code, err := d.link(ctx, contract, 0)
	if err != nil {
		return err
	}
	d.program.codes.AddInit(code)
	address, outcome := d.construct(code, &input.Tx{From: input.Deployer, Function: constructor, Args: was.Args, Value: was.Value})
	if outcome.Status != evm.Success {
		return fmt.Errorf("the constructor of %s no longer succeeds with the same arguments: fuzz it anew", contract.Name)
	}
	if address != was.Address {
		return fmt.Errorf("%s does not stand where it stood, other contracts are deployed now: fuzz it anew", contract.Name)
	}
	d.scene.deployment.Creations = append(d.scene.deployment.Creations,
		input.Creation{Name: was.Name, File: contract.File, Address: address, Args: was.Args, Value: was.Value})
	d.scene.contracts = append(d.scene.contracts, deployed{contract: contract, address: address})
	return nil
}

// isNumbered reports whether unique made name from base: "Token2" of "Token".
func isNumbered(name, base string) bool {
	number, ok := strings.CutPrefix(name, base)
	return ok && strings.Trim(number, "0123456789") == ""
}

// accepts reports whether a constructor takes values of these types.
func accepts(constructor *input.Function, args []input.Value) bool {
	if len(constructor.Inputs) != len(args) {
		return false
	}
	for i := range args {
		if constructor.Inputs[i].Type.String() != args[i].Type.String() {
			return false
		}
	}
	return true
}
