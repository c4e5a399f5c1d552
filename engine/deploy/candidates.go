package deploy

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
)

// errNone means that no contract of the project suits.
var errNone = errors.New("no such contract")

// anyOf returns the address of the first contract of a list that can be
// deployed; later attempts start elsewhere in the list.
func (d *deployer) anyOf(ctx context.Context, list []*solc.Contract, attempt, depth int) (common.Address, error) {
	first := 0
	switch {
	case d.initializing || len(list) < 2:
	case attempt == 2:
		first = 1
	case attempt > 3 && attempt%2 == 0:
		first = d.random.IntN(len(list))
	}
	for i := range list {
		c := list[(first+i)%len(list)]
		if depth >= deployDepth || d.inProgress[c] {
			continue
		}
		if address, err := d.instance(ctx, c, depth); err == nil || ctx.Err() != nil {
			return address, err
		}
	}
	return common.Address{}, errNone
}

// instance returns an instance of c that no other parameter of the constructor
// uses: tokens that are exchanged must differ.
func (d *deployer) instance(ctx context.Context, c *solc.Contract, depth int) (common.Address, error) {
	var used *common.Address
	for _, have := range d.made.Contracts {
		switch {
		case have.Contract != c || have.implementation:
		case d.used[have.Address]:
			used = &have.Address
		default:
			d.used[have.Address] = true
			return have.Address, nil
		}
	}
	address, err := d.dependency(ctx, c, depth)
	if err != nil && used != nil && ctx.Err() == nil {
		return *used, nil
	}
	d.used[address] = true
	return address, err
}

// dependency deploys a contract that another one needs. It tries each contract
// once.
func (d *deployer) dependency(ctx context.Context, c *solc.Contract, depth int) (common.Address, error) {
	if err := d.failed[c]; err != nil {
		return common.Address{}, err
	}
	defer func(limit uint64) { d.chain.limit = limit }(d.chain.limit)
	d.chain.limit = d.chain.share()
	before := d.checkpoint()
	address, err := d.create(ctx, c, depth+1)
	if err == nil {
		return address, nil
	}
	d.restore(before)
	if address, ok := d.createdBy(ctx, c, depth); ok {
		return address, nil
	}
	d.failed[c] = err
	return address, err
}

// byType returns the contract of an internal type "contract X", preferably from
// the file of the consumer or one that it imports; nil if there is none.
func byType(p *program.Program, consumer *solc.Contract, internal string) *solc.Contract {
	name := strings.TrimPrefix(internal, "contract ")
	found := best(p, func(c *solc.Contract) int {
		switch {
		case c.Name != name:
			return unsuitable
		case c.File == consumer.File:
			return 0
		case program.Imports(consumer, c.File):
			return 1
		}
		return 2
	})
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// implementers returns the deployable contracts that have every function of the
// internal type "contract X", X itself first.
func implementers(p *program.Program, consumer *solc.Contract, internal string) []*solc.Contract {
	wanted := byType(p, consumer, internal)
	if wanted == nil {
		return nil
	}
	return best(p, func(c *solc.Contract) int {
		switch {
		case c.Kind != solc.KindContract || c.Abstract || len(c.Creation.Object) == 0:
			return unsuitable
		case c == wanted:
			return 0
		case c == p.UnderTest || len(wanted.Methods) == 0 || !hasAll(c, wanted.Methods):
			return unsuitable
		}
		return 1
	})
}

func hasAll(c *solc.Contract, methods map[string]string) bool {
	for signature := range methods {
		if c.Methods[signature] == "" {
			return false
		}
	}
	return true
}

// implementationNames are names of parameters that take the implementation of a
// proxy.
var implementationNames = []string{"logic", "implementation", "impl", "singleton", "mastercopy", "template"}

// actorNames are names of parameters that take an actor, not a contract.
var actorNames = []string{"owner", "admin", "manager", "operator", "keeper", "minter", "wallet", "user", "account", "sender",
	"receiver", "recipient", "beneficiary", "guardian", "authority"}

// maxCandidates is how many contracts are tried for one parameter.
const maxCandidates = 8

// byName returns the contracts that the name of an address parameter may refer
// to, the likeliest first: an implementation for a proxy, a beacon, or a
// contract whose name ends with the parameter's. For a proxy, contracts that
// inherit from a contract of that name come first.
func byName(p *program.Program, parameter string) []*solc.Contract {
	name := plainName(parameter)
	if len(name) < 4 || slices.Contains(actorNames, name) {
		return nil
	}
	logic := slices.ContainsFunc(implementationNames, func(l string) bool { return strings.HasSuffix(name, l) })
	return best(p, func(c *solc.Contract) int {
		if c == p.UnderTest || !c.Deployable() || c.Kind != solc.KindContract || c.Harness() != "" {
			return unsuitable
		}
		abi := p.ABI(c)
		bare := abi.Fallback == nil && len(abi.Functions) > 0
		switch own := strings.ToLower(c.Name); {
		case logic && len(abi.Constructor.Inputs) == 0 && descends(c, name):
			return 0
		case logic && bare && len(abi.Constructor.Inputs) == 0:
			return 1
		case logic:
			return unsuitable
		case strings.HasSuffix(name, "beacon"):
			if abi.Fallback == nil && c.Methods["implementation()"] != "" {
				return 0
			}
			return unsuitable
		case own == name:
			return 0
		case strings.HasSuffix(own, name):
			return 1
		}
		return unsuitable
	})
}

// unsuitable is the rank of a contract that cannot be used.
const unsuitable = -1

// best returns the contracts of ranks 0, 1 and 2, by rank and then in the
// project's order.
func best(p *program.Program, rank func(*solc.Contract) int) []*solc.Contract {
	var ranks [3][]*solc.Contract
	for _, c := range p.Project {
		if r := rank(c); r != unsuitable {
			ranks[r] = append(ranks[r], c)
		}
	}
	list := slices.Concat(ranks[:]...)
	return list[:min(len(list), maxCandidates)]
}

// descends reports whether c inherits from a contract whose name ends with
// name.
func descends(c *solc.Contract, name string) bool {
	for _, source := range c.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, n := range source.Unit.Root.Children {
			if n.Type == ast.ContractDefinition && n != c.Node && program.Inherits(c, n) && strings.HasSuffix(strings.ToLower(n.Name()), name) {
				return true
			}
		}
	}
	return false
}

// plainName strips what only says that a parameter is an address:
// "_factoryAddress" becomes "factory".
func plainName(parameter string) string {
	name := strings.ToLower(strings.Trim(parameter, "_"))
	for _, affix := range []string{"address", "addr", "contract"} {
		name = strings.Trim(strings.TrimSuffix(name, affix), "_")
	}
	return name
}

// isEmptyToken reports whether a contract is a token that no actor holds or can
// mint. Nothing would happen with such a token.
func (h *chain) isEmptyToken(p *program.Program, address common.Address) bool {
	c := p.ContractAt(h.made.World, address)
	if c == nil || c.Methods["balanceOf(address)"] == "" {
		return false
	}
	abi := p.ABI(c)
	if slices.ContainsFunc(abi.Functions, mintsTokens) {
		return false
	}
	balance := input.Tx{From: input.Deployer, To: address, Function: abi.Method("balanceOf(address)")}
	for _, actor := range input.Actors {
		balance.Args = balance.Function.Zero()
		who := actor.Address()
		balance.Args[0].Word.SetBytes20(who[:])
		outcome := h.try(evm.TxCall(&balance, balance.Calldata()), nil)
		if outcome.Status != evm.Success || len(outcome.Return) < 32 || !new(uint256.Int).SetBytes(outcome.Return[:32]).IsZero() {
			return false
		}
	}
	return true
}

// mintsTokens reports whether the name of f suggests that its caller receives
// tokens.
func mintsTokens(f *input.Function) bool {
	name := strings.ToLower(f.Name)
	return !f.Constant() && slices.ContainsFunc([]string{
		"mint", "deposit", "issue", "faucet", "claim", "airdrop", "setbalance", "give", "buy", "wrap",
	}, func(gain string) bool { return strings.Contains(name, gain) })
}
