package deploy

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/solc"
)

// Constructors may need addresses of contracts that do not exist yet: that of a
// contract whose constructor needs the address of this one, or those that a
// registry holds for all contracts of a protocol. A deployer's addresses are
// known before: they depend only on the number of its creations.

// maxPromises is how often a constructor's arguments are made again because the
// contract gets another address than they say.
const maxPromises = 3

// next returns the address of the creation after n more ones.
func (d *deployer) next(n int) common.Address {
	deployer := input.Deployer.Address()
	return crypto.CreateAddress(deployer, d.made.World.Nonce(deployer)+uint64(n))
}

// expectedFor returns the address that the contract which a parameter stands for
// has or will have; false if that is not fixed.
func (d *deployer) expectedFor(field input.Field) (common.Address, bool) {
	if len(d.expected) == 0 && !d.wiring {
		return common.Address{}, false
	}
	list := d.collaborators(d.consumer, field)
	if len(list) == 0 {
		return common.Address{}, false
	}
	if address, ok := d.expected[list[0]]; ok {
		return address, true
	}
	if !d.wiring || list[0] != d.program.UnderTest || d.consumer == list[0] {
		return common.Address{}, false
	}
	return d.deployedAddress(list[0])
}

// promised returns the address that a contract gets which is being deployed and
// which a parameter stands for; false if there is none.
func (d *deployer) promised(field input.Field) (common.Address, bool) {
	for _, c := range d.collaborators(d.consumer, field) {
		if p := d.promises[c]; p != nil && c != d.consumer {
			p.used = true
			return p.address, true
		}
	}
	return common.Address{}, false
}

// A promise is the address that a contract is expected to get.
type promise struct {
	address common.Address
	used    bool
}

// promisedArguments makes arguments for the constructor of c. Contracts among
// them may know the address that c gets.
func (d *deployer) promisedArguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt, depth int) ([]input.Value, error) {
	defer delete(d.promises, c)
	before, p := d.checkpoint(), &promise{address: d.next(1)}
	for range maxPromises {
		d.promises[c] = p
		args, err := d.arguments(ctx, constructor, attempt, depth)
		if err != nil || !p.used || p.address == d.next(0) {
			return args, err
		}
		p = &promise{address: d.next(0)}
		d.restore(before)
	}
	delete(d.promises, c)
	return d.arguments(ctx, constructor, attempt, depth)
}

// A cluster is a registry and the contracts whose constructors need it, or one
// another.
type cluster struct {
	registry Deployed
	setter   *input.Function
	members  []*solc.Contract // in order of creation, the contract that needs the registry last
}

// clusterOf returns the cluster of c by its constructor arguments: a contract
// that was not told yet where c is; false if there is none.
func (d *deployer) clusterOf(c *solc.Contract, args []input.Value) (cluster, bool) {
	for _, address := range addressesIn(args) {
		for _, registry := range d.made.Contracts {
			if registry.Address != address || registry.Mock != nil || registry.implementation {
				continue
			}
			for _, f := range d.wirings(registry.Contract) {
				k := cluster{registry: registry, setter: f}
				if meant := d.meant(registry.Contract, f.Inputs); slices.Contains(meant, c) {
					k.members = d.membersOf(c, registry.Contract, meant)
					return k, true
				}
			}
		}
	}
	return cluster{}, false
}

// addressesIn lists the addresses in values.
func addressesIn(values []input.Value) (list []common.Address) {
	for i := range values {
		if values[i].Type.Kind == input.KindAddress {
			list = append(list, values[i].Address())
		}
		list = append(list, addressesIn(values[i].Elems)...)
	}
	return list
}

// meant lists the likeliest contract for each address that a consumer takes.
func (d *deployer) meant(consumer *solc.Contract, fields []input.Field) (list []*solc.Contract) {
	for _, field := range fields {
		t := field.Type
		for t.Kind == input.KindArray || t.Kind == input.KindSlice {
			field, t = elementOf(field), t.Elem
		}
		switch t.Kind {
		case input.KindTuple:
			list = append(list, d.meant(consumer, t.Fields)...)
		case input.KindAddress:
			if found := d.collaborators(consumer, field); len(found) > 0 && !slices.Contains(list, found[0]) {
				list = append(list, found[0])
			}
		}
	}
	return list
}

// membersOf lists which of some contracts have constructors that need the
// registry or one another, c last.
func (d *deployer) membersOf(c, registry *solc.Contract, of []*solc.Contract) []*solc.Contract {
	members := []*solc.Contract{registry, c}
	for grown := true; grown; {
		grown = false
		for _, m := range of {
			needs := func(o *solc.Contract) bool { return slices.Contains(members, o) }
			if !needs(m) && !d.upgrades(m) && slices.ContainsFunc(d.meant(m, d.program.Constructor(m).Inputs), needs) {
				members, grown = append(members, m), true
			}
		}
	}
	return append(members[2:], c)
}

// registered tells a registry where c and the contracts will be that cannot be
// deployed before it knows that, and deploys all but c, which is to come next.
func (d *deployer) registered(ctx context.Context, c *solc.Contract, args []input.Value, depth int) (bool, error) {
	if depth >= deployDepth || len(d.expected) > 0 || d.initializing || d.scattered[c] || d.upgrades(c) {
		return false, nil
	}
	k, ok := d.clusterOf(c, args)
	if !ok {
		return false, nil
	}
	before := d.checkpoint()
	if ok, err := d.fill(ctx, &k, depth); ok || err != nil {
		return ok, err
	}
	d.restore(before)
	d.scattered[c] = true
	return false, nil
}

// fill makes the call that tells a cluster's registry where its members will be,
// and creates all but the last one.
func (d *deployer) fill(ctx context.Context, k *cluster, depth int) (bool, error) {
	d.expect(k.members, maxCluster) // not yet where they will be
	if _, err := d.handover(ctx, k.registry, k.setter, 0); err != nil {
		return false, err
	}
	for _, m := range k.members {
		if err := d.prepare(ctx, m, depth); err != nil {
			return false, err
		}
	}
	d.expect(k.members, 0)
	first := d.next(0)
	h, err := d.handover(ctx, k.registry, k.setter, 0)
	if err != nil || d.next(0) != first || !d.wires(h) {
		return false, err
	}
	for _, m := range k.members[:len(k.members)-1] {
		address, err := d.create(ctx, m, depth+1)
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			address, err = d.deployMock(mock.Anything(), d.unique(mock.Anything().Name, "_"), nil)
		}
		if err != nil || address != d.expected[m] {
			return false, nil
		}
	}
	return true, nil
}

// maxCluster bounds the members of a cluster.
const maxCluster = 64

// expect sets where some contracts will be: they come one after another, after
// some other creations.
func (d *deployer) expect(members []*solc.Contract, after int) {
	d.expected = map[*solc.Contract]common.Address{}
	for i, m := range members {
		d.expected[m] = d.next(after + i)
	}
}

// prepare deploys what the constructor of c needs, before c.
func (d *deployer) prepare(ctx context.Context, c *solc.Contract, depth int) error {
	defer func(before *solc.Contract) { d.consumer = before }(d.consumer)
	d.consumer = c
	if _, err := d.link(ctx, c, depth); err != nil {
		return err
	}
	_, err := d.arguments(ctx, d.program.Constructor(c), 0, depth)
	return err
}

// constructorArguments makes arguments for the constructor of c, of which the
// contracts among them may know where c will be.
func (d *deployer) constructorArguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt, depth int) ([]input.Value, error) {
	args, err := d.promisedArguments(ctx, c, constructor, attempt, depth)
	if err != nil || attempt >= wireAttempts {
		return args, err
	}
	if len(d.expected) == 0 {
		defer func() { d.expected = nil }()
	}
	if ok, err := d.registered(ctx, c, args, depth); !ok {
		return args, err
	}
	return d.arguments(ctx, constructor, attempt, depth) // which are where the registry says
}

// wireDeployAttempts is how many constructor arguments are tried for a contract
// that is only part of the wiring.
const wireDeployAttempts = 24

// isWired reports whether what is deployed now is only part of the wiring.
func (d *deployer) isWired() bool { return d.wiring || len(d.expected) > 0 }

// upgrades reports whether c has initializers and may get a proxy, at another
// address.
func (d *deployer) upgrades(c *solc.Contract) bool {
	u := initializersOf(d.program, c)
	return len(u.any()) > 0
}
