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

// An upgradeable contract is not used where it was created: proxies run its
// code on storage of their own, and the first call initialises that. Many lock
// the storage of the original in their constructor. So the deployer calls the
// initialiser, as deployment scripts do; and where that is locked, it does so
// on a contract that has the same code and fresh storage. Such a contract
// stands for any kind of proxy: what differs between them is how a call gets
// to the code, not what the code then does.

// initAttempts bounds how many arguments of an initialiser are tried.
const initAttempts = 60

// An initializers is what is known of a contract's initialisers.
type initializers struct {
	guarded []*input.Function // with a modifier of that name
	others  []*input.Function // called like one: left to the campaign where whoever comes first may call them
	locked  bool              // the constructor sees to it that the original is never initialised
}

// any lists all initialisers.
func (u *initializers) any() []*input.Function { return slices.Concat(u.guarded, u.others) }

// initializersOf looks for the initialisers of c in its sources.
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

// prepareInitializers makes what the initialisers of a contract will be told of, so that it
// stands before the contract itself does.
func (d *deployer) prepareInitializers(ctx context.Context, u *initializers, depth int) error {
	for _, f := range u.any() {
		if _, err := d.arguments(ctx, f, 0, depth); err != nil {
			return err
		}
	}
	return nil
}

// initialize has the newest contract initialised if it is made for proxies, and
// returns where its users find it.
func (d *deployer) initialize(ctx context.Context, u *initializers, address common.Address, depth int) (common.Address, error) {
	if len(u.any()) == 0 {
		return address, nil
	}
	if done, err := d.initialized(ctx, address, u.guarded, depth); done || err != nil {
		return address, err
	}
	for _, f := range u.others {
		world := d.made.World
		tx, err := d.initializer(ctx, address, f, depth)
		d.made.World = world
		if tx != nil || err != nil {
			return address, err
		}
	}
	before := d.made
	proxy := d.proxy(address)
	if proxy == (common.Address{}) {
		return address, nil
	}
	done, err := d.initialized(ctx, proxy, u.any(), depth)
	if !done && err == nil && !u.locked {
		d.made = before
		return address, nil
	}
	return proxy, err
}

// initialized calls the first of some initialisers that succeeds with some
// arguments, for good.
func (d *deployer) initialized(ctx context.Context, address common.Address, list []*input.Function, depth int) (bool, error) {
	for _, f := range list {
		tx, err := d.initializer(ctx, address, f, depth)
		if err != nil {
			return false, err
		}
		if tx != nil {
			made := d.made.Record.Find(address)
			made.Setup = append(made.Setup, *tx)
			d.registerChildren(made.Name)
			return true, nil
		}
	}
	return false, nil
}

// initializer looks for a call of f that succeeds, and makes it.
func (d *deployer) initializer(ctx context.Context, address common.Address, f *input.Function, depth int) (*input.Tx, error) {
	d.initializing = true
	defer func() { d.initializing = false }()
	for attempt := range initAttempts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		args, err := d.arguments(ctx, f, attempt, depth)
		if err != nil {
			return nil, err
		}
		if d.made.Contracts[len(d.made.Contracts)-1].Address != address {
			return nil, nil // something else came to stand, too late
		}
		tx := input.Tx{From: input.Deployer, To: address, Function: f, Args: args}
		if d.call(&tx).Status == evm.Success {
			return &tx, nil
		}
		if attempt < solverAttempts {
			call := func(tx *input.Tx) evm.Call { return evm.TxCall(tx, tx.Calldata()) }
			if better := d.solveArguments(&tx, 0, call); better != nil && d.call(better).Status == evm.Success {
				return better, nil
			}
		}
		if len(args) == 0 {
			break
		}
	}
	return nil, nil
}

// proxy creates a contract that has the code of the newest one, which stands at
// logic, and fresh storage. It takes the other's place as the newest, and its
// name. The zero address means that it cannot be created.
func (d *deployer) proxy(logic common.Address) common.Address {
	code := input.ProxyCode(logic)
	d.program.Codes.AddInit(code)
	address, outcome := d.construct(code, &input.Tx{From: input.Deployer, Function: input.PlainConstructor})
	if outcome.Status != evm.Success {
		return common.Address{}
	}
	s := &d.made
	original := s.Contracts[len(s.Contracts)-1]
	s.Contracts = slices.Clone(s.Contracts) // the caller may go back
	s.Contracts[len(s.Contracts)-1].implementation = true
	deployment := &input.Deployment{Creations: slices.Clone(s.Record.Creations)}
	s.Record = deployment
	was := &deployment.Creations[len(deployment.Creations)-1]
	proxy := input.Creation{Name: was.Name, Contract: was.Contract, File: was.File, Address: address}
	was.Contract, was.Name = original.Contract.Name, d.unique(was.Name+"Logic", "")
	proxy.Of = was.Name
	deployment.Creations = append(deployment.Creations, proxy)
	s.Contracts = append(s.Contracts, Deployed{Contract: original.Contract, Address: address})
	return address
}
