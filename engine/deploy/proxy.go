package deploy

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
)

// Proxies run the code of an upgradeable contract on their own storage, and
// their first call initializes it; many constructors lock the original. So the
// deployer calls the initializer as deployment scripts do. If the original is
// locked, it calls the initializer on a minimal proxy, which stands for any
// kind of proxy: kinds differ in how a call reaches the code, not in what the
// code does.

// initAttempts is how many arguments of an initializer are tried.
const initAttempts = 60

// initializers are the initializers of a contract.
type initializers struct {
	guarded []*input.Function // with the modifier `initializer`
	others  []*input.Function // named like one; the campaign calls those that anyone may call
	locked  bool              // the constructor disables initializers
}

// any lists all of them.
func (u *initializers) any() []*input.Function { return slices.Concat(u.guarded, u.others) }

// initializersOf finds the initializers of c in its sources.
func initializersOf(p *program.Program, c *solc.Contract) (u initializers) {
	guarded := map[string]bool{}
	for _, definition := range program.FunctionsOf(c) {
		switch has := hasModifier(definition, "initializer"); {
		case definition.Kind() == "constructor":
			u.locked = u.locked || has || calls(definition, "_disableInitializers")
		case has:
			guarded[definition.Name()] = true
		}
	}
	for _, f := range p.ABI(c).Functions {
		switch {
		case f.Constant():
		case guarded[f.Name]:
			u.guarded = append(u.guarded, f)
		case slices.Contains([]string{"initialize", "initialise", "init", "setup"}, f.Name):
			u.others = append(u.others, f)
		}
	}
	return u
}

func hasModifier(definition *ast.Node, name string) bool {
	return slices.ContainsFunc(definition.List("modifiers"), func(m *ast.Node) bool {
		return m.Child("modifierName") != nil && m.Child("modifierName").Name() == name
	})
}

func calls(n *ast.Node, name string) bool {
	return slices.ContainsFunc(n.Find(ast.FunctionCall), func(call *ast.Node) bool {
		callee := call.Callee()
		return callee != nil && callee.Name() == name
	})
}

// prepareInitializers deploys what the initializers of a contract take as
// arguments, before the contract itself.
func (d *deployer) prepareInitializers(ctx context.Context, c *solc.Contract, u *initializers, at level) error {
	for _, f := range u.any() {
		if _, err := d.proposer.arguments(ctx, c, d.program.Typed(c, f), 0, at); err != nil {
			return err
		}
	}
	return nil
}

// initialize calls the initializer of the newest contract, if it has one, and
// returns the address that users call: the contract's or its proxy's.
func (d *deployer) initialize(ctx context.Context, c *solc.Contract, u *initializers, address common.Address, at level) (common.Address, error) {
	if len(u.any()) == 0 {
		return address, nil
	}
	if done, err := d.initialized(ctx, c, address, u.guarded, at); done || err != nil {
		return address, err
	}
	for _, f := range u.others {
		before := d.ledger.checkpoint()
		tx, err := d.initializer(ctx, c, address, f, at)
		d.ledger.restore(before)
		if tx != nil || err != nil {
			return address, err
		}
	}
	before := *d.made
	proxy := d.proxy(address)
	if proxy == (common.Address{}) {
		return address, nil
	}
	done, err := d.initialized(ctx, c, proxy, u.any(), at)
	if done || err != nil {
		return proxy, err
	}
	proxied := *d.made
	*d.made = before
	if clone, ok := d.clonedBy(ctx, address, u, at); ok {
		return clone, nil
	}
	if u.locked {
		*d.made = proxied
		return proxy, nil
	}
	return address, nil
}

// initialized calls the first initializer that succeeds, and keeps its effects.
func (d *deployer) initialized(ctx context.Context, c *solc.Contract, address common.Address, list []*input.Function, at level) (bool, error) {
	for _, f := range list {
		tx, err := d.initializer(ctx, c, address, f, at)
		if err != nil {
			return false, err
		}
		if tx != nil {
			d.ledger.recordSetup(tx)
			return true, nil
		}
	}
	return false, nil
}

// initializer searches for a call of f that succeeds, and makes it; nil if
// there is none.
func (d *deployer) initializer(ctx context.Context, c *solc.Contract, address common.Address, f *input.Function, at level) (*input.Tx, error) {
	d.reserved.initializing = true
	defer func() { d.reserved.initializing = false }()
	before := d.ledger.checkpoint()
	for attempt := range initAttempts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		args, err := d.proposer.arguments(ctx, c, d.program.Typed(c, f), attempt, at)
		if err != nil {
			return nil, err
		}
		if d.made.Contracts[len(d.made.Contracts)-1].Address != address {
			d.ledger.restore(before)
			return nil, nil // its arguments deployed another contract, which is too late
		}
		tx := input.Tx{From: input.Deployer, To: address, Function: f, Args: args}
		if d.chain.call(&tx).Status == evm.Success {
			return &tx, nil
		}
		if attempt < solverAttempts {
			if better := d.chain.solve(&tx, 0, txCall); better != nil && d.chain.call(better).Status == evm.Success {
				return better, nil
			}
		}
		if len(args) == 0 {
			break
		}
	}
	return nil, nil
}

// proxy creates a minimal proxy of the newest contract, which takes over its
// name and its position as the newest. It returns the zero address if that
// fails.
func (d *deployer) proxy(logic common.Address) common.Address {
	code := input.ProxyCode(logic)
	d.program.Codes.AddInit(code)
	address, outcome := d.chain.construct(code, &input.Tx{From: input.Deployer, Function: input.PlainConstructor})
	if outcome.Status != evm.Success {
		return common.Address{}
	}
	s := d.made
	original := s.Contracts[len(s.Contracts)-1]
	s.Contracts = slices.Clone(s.Contracts) // the caller may restore a checkpoint
	s.Contracts[len(s.Contracts)-1].implementation = true
	deployment := &input.Deployment{Fork: s.Record.Fork, Creations: slices.Clone(s.Record.Creations)}
	s.Record = deployment
	was := &deployment.Creations[len(deployment.Creations)-1]
	proxy := input.Creation{Name: was.Name, Contract: was.Contract, File: was.File, Address: address}
	was.Contract, was.Name = original.Contract.Name, d.made.unique(was.Name+"Logic", "")
	proxy.Of = was.Name
	deployment.Creations = append(deployment.Creations, proxy)
	s.Contracts = append(s.Contracts, Deployed{Contract: original.Contract, Address: address})
	return address
}
