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

// An initialization calls an initializer of a new contract.
type initialization struct {
	initializers
	contract  *solc.Contract
	level     level
	proposer  *proposer
	factories *factories
}

// prepare deploys what the initializers take as arguments, before the contract itself.
func (i *initialization) prepare(ctx context.Context) error {
	for _, f := range i.any() {
		if _, err := i.arguments(ctx, f, 0); err != nil {
			return err
		}
	}
	return nil
}

func (i *initialization) arguments(ctx context.Context, f *input.Function, attempt int) ([]input.Value, error) {
	return i.proposer.arguments(ctx, i.contract, i.proposer.ledger.program.Typed(i.contract, f), attempt, i.level)
}

// run initializes the newest contract, if it has an initializer, and returns the
// address that users call: the contract's or its proxy's.
func (i *initialization) run(ctx context.Context, address common.Address) (common.Address, error) {
	if len(i.any()) == 0 {
		return address, nil
	}
	if done, err := i.first(ctx, address, i.guarded); done || err != nil {
		return address, err
	}
	l := i.proposer.ledger
	for _, f := range i.others {
		restore := l.checkpoint()
		tx, err := i.call(ctx, address, f)
		restore()
		if tx != nil || err != nil {
			return address, err
		}
	}
	before := *l.made
	proxy := l.proxy(address)
	if proxy == (common.Address{}) {
		return address, nil
	}
	done, err := i.first(ctx, proxy, i.any())
	if done || err != nil {
		return proxy, err
	}
	proxied := *l.made
	*l.made = before
	if clone, ok := i.factories.clonedBy(ctx, address, &i.initializers, i.level); ok {
		return clone, nil
	}
	if i.locked {
		*l.made = proxied
		return proxy, nil
	}
	return address, nil
}

// first calls the first initializer that succeeds, and keeps its effects.
func (i *initialization) first(ctx context.Context, address common.Address, list []*input.Function) (bool, error) {
	for _, f := range list {
		tx, err := i.call(ctx, address, f)
		if err != nil {
			return false, err
		}
		if tx != nil {
			i.proposer.ledger.recordSetup(tx)
			return true, nil
		}
	}
	return false, nil
}

// call searches for a call of f that succeeds, and makes it; nil if there is none.
func (i *initialization) call(ctx context.Context, address common.Address, f *input.Function) (*input.Tx, error) {
	h, l, reserved := i.proposer.ledger.chain, i.proposer.ledger, i.proposer.reserved
	reserved.initializing = true
	defer func() { reserved.initializing = false }()
	restore := l.checkpoint()
	for attempt := range initAttempts {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		args, err := i.arguments(ctx, f, attempt)
		if err != nil {
			return nil, err
		}
		if l.made.Contracts[len(l.made.Contracts)-1].Address != address {
			restore()
			return nil, nil // its arguments deployed another contract, which is too late
		}
		tx := input.Tx{From: input.Deployer, To: address, Function: f, Args: args}
		if h.call(&tx).Status == evm.Success {
			return &tx, nil
		}
		if attempt < solverAttempts {
			if better := h.solve(&tx, 0, txCall); better != nil && h.call(better).Status == evm.Success {
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
func (l *ledger) proxy(logic common.Address) common.Address {
	code := input.ProxyCode(logic)
	l.program.Codes.AddInit(code)
	address, outcome := l.chain.construct(code, &input.Tx{From: input.Deployer, Function: input.PlainConstructor})
	if outcome.Status != evm.Success {
		return common.Address{}
	}
	s := l.made
	original := s.Contracts[len(s.Contracts)-1]
	s.Contracts = slices.Clone(s.Contracts) // the caller may restore a checkpoint
	s.Contracts[len(s.Contracts)-1].implementation = true
	deployment := &input.Deployment{Fork: s.Record.Fork, Creations: slices.Clone(s.Record.Creations)}
	s.Record = deployment
	was := &deployment.Creations[len(deployment.Creations)-1]
	proxy := input.Creation{Name: was.Name, Contract: was.Contract, File: was.File, Address: address}
	was.Contract, was.Name = original.Contract.Name, s.unique(was.Name+"Logic", "")
	proxy.Of = was.Name
	deployment.Creations = append(deployment.Creations, proxy)
	s.Contracts = append(s.Contracts, Deployed{Contract: original.Contract, Address: address})
	return address
}
