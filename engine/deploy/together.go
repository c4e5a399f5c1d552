package deploy

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

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

// promisedArguments makes arguments for the constructor of c. Contracts among
// them may know the address that c gets.
func (d *deployer) promisedArguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt int, at level) ([]input.Value, error) {
	defer delete(d.reserved.promises, c)
	before, p := d.ledger.checkpoint(), &promise{address: d.made.next(1)}
	for range maxPromises {
		d.reserved.promises[c] = p
		args, err := d.proposer.arguments(ctx, c, constructor, attempt, at)
		if err != nil || !p.used || p.address == d.made.next(0) {
			return args, err
		}
		p = &promise{address: d.made.next(0)}
		d.ledger.restore(before)
	}
	delete(d.reserved.promises, c)
	return d.proposer.arguments(ctx, c, constructor, attempt, at)
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
			for _, f := range d.catalog.wirings(registry.Contract) {
				k := cluster{registry: registry, setter: f}
				if meant := d.catalog.meant(registry.Contract, f.Inputs); slices.Contains(meant, c) {
					k.members = d.catalog.membersOf(c, registry.Contract, meant)
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

// registered tells a registry where c and the contracts will be that cannot be
// deployed before it knows that, and deploys all but c, which is to come next.
func (d *deployer) registered(ctx context.Context, c *solc.Contract, args []input.Value, at level) (bool, error) {
	if at.depth >= deployDepth || len(d.reserved.expected) > 0 || d.reserved.initializing || d.scattered[c] || d.catalog.upgrades(c) {
		return false, nil
	}
	k, ok := d.clusterOf(c, args)
	if !ok {
		return false, nil
	}
	before := d.ledger.checkpoint()
	if ok, err := d.fill(ctx, &k, at); ok || err != nil {
		return ok, err
	}
	d.ledger.restore(before)
	d.scattered[c] = true
	return false, nil
}

// fill makes the call that tells a cluster's registry where its members will be,
// and creates all but the last one.
func (d *deployer) fill(ctx context.Context, k *cluster, at level) (bool, error) {
	d.reserved.expect(k.members, maxCluster) // not yet where they will be
	if _, err := d.proposer.handover(ctx, k.registry, k.setter, 0, at.index); err != nil {
		return false, err
	}
	for _, m := range k.members {
		if err := d.prepare(ctx, m, at); err != nil {
			return false, err
		}
	}
	d.reserved.expect(k.members, 0)
	first := d.made.next(0)
	h, err := d.proposer.handover(ctx, k.registry, k.setter, 0, at.index)
	if err != nil || d.made.next(0) != first || !d.wires(h) {
		return false, err
	}
	for _, m := range k.members[:len(k.members)-1] {
		address, err := d.create(ctx, m, at.deeper())
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			address, err = d.ledger.deployMock(mock.Anything(), d.made.unique(mock.Anything().Name, "_"), nil)
		}
		if err != nil || address != d.reserved.expected[m] {
			return false, nil
		}
	}
	return true, nil
}

// maxCluster bounds the members of a cluster.
const maxCluster = 64

// prepare deploys what the constructor of c needs, before c.
func (d *deployer) prepare(ctx context.Context, c *solc.Contract, at level) error {
	if _, err := d.link(ctx, c, at); err != nil {
		return err
	}
	_, err := d.proposer.arguments(ctx, c, d.program.Constructor(c), 0, at)
	return err
}

// constructorArguments makes arguments for the constructor of c, of which the
// contracts among them may know where c will be.
func (d *deployer) constructorArguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt int, at level) ([]input.Value, error) {
	args, err := d.promisedArguments(ctx, c, constructor, attempt, at)
	if err != nil || attempt >= wireAttempts {
		return args, err
	}
	if len(d.reserved.expected) == 0 {
		defer func() { d.reserved.expected = nil }()
	}
	if ok, err := d.registered(ctx, c, args, at); !ok {
		return args, err
	}
	return d.proposer.arguments(ctx, c, constructor, attempt, at) // which are where the registry says
}

// wireDeployAttempts is how many constructor arguments are tried for a contract
// that is only part of the wiring.
const wireDeployAttempts = 24
