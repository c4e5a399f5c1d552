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

// Registries make the arguments of constructors, where contracts among them, or
// registries, must know first where others will be.
type registries struct {
	catalog   *catalog
	ledger    *ledger
	reserved  *reservations
	proposer  *proposer
	builder   *builder
	scattered map[*solc.Contract]bool // their registries could not be told where all will be
}

// arguments makes arguments for the constructor of c. Contracts among them may know
// where c will be.
func (r *registries) arguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt int, at level) ([]input.Value, error) {
	args, err := r.promisedArguments(ctx, c, constructor, attempt, at)
	if err != nil || attempt >= wireAttempts {
		return args, err
	}
	if len(r.reserved.expected) == 0 {
		defer r.reserved.expect(nil, 0)
	}
	if ok, err := r.announce(ctx, c, args, at); !ok {
		return args, err
	}
	return r.proposer.arguments(ctx, c, constructor, attempt, at) // which are where the registry says
}

// promisedArguments makes arguments for the constructor of c. Contracts among
// them may know the address that c gets.
func (r *registries) promisedArguments(ctx context.Context, c *solc.Contract, constructor *input.Function, attempt int, at level) ([]input.Value, error) {
	made := r.ledger.made
	defer r.reserved.withdraw(c)
	restore, address := r.ledger.checkpoint(), made.next(1)
	for range maxPromises {
		p := r.reserved.promise(c, address)
		args, err := r.proposer.arguments(ctx, c, constructor, attempt, at)
		if err != nil || !p.used || address == made.next(0) {
			return args, err
		}
		address = made.next(0)
		restore()
	}
	r.reserved.withdraw(c)
	return r.proposer.arguments(ctx, c, constructor, attempt, at)
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
func (r *registries) clusterOf(c *solc.Contract, args []input.Value) (cluster, bool) {
	for _, address := range addressesIn(args) {
		for _, registry := range r.ledger.made.Contracts {
			if registry.Address != address || registry.Mock != nil || registry.implementation {
				continue
			}
			for _, f := range r.catalog.wirings(registry.Contract) {
				k := cluster{registry: registry, setter: f}
				if meant := r.catalog.meant(registry.Contract, f.Inputs); slices.Contains(meant, c) {
					k.members = r.catalog.membersOf(c, registry.Contract, meant)
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

// announce tells a registry where c and the contracts will be that cannot be
// deployed before it knows that, and deploys all but c, which is to come next.
func (r *registries) announce(ctx context.Context, c *solc.Contract, args []input.Value, at level) (bool, error) {
	if at.depth >= deployDepth || r.reserved.taken() || r.scattered[c] || r.catalog.upgrades(c) {
		return false, nil
	}
	k, ok := r.clusterOf(c, args)
	if !ok {
		return false, nil
	}
	restore := r.ledger.checkpoint()
	if ok, err := r.fill(ctx, &k, at); ok || err != nil {
		return ok, err
	}
	restore()
	r.scattered[c] = true
	return false, nil
}

// fill makes the call that tells a cluster's registry where its members will be,
// and creates all but the last one.
func (r *registries) fill(ctx context.Context, k *cluster, at level) (bool, error) {
	r.reserved.expect(k.members, maxCluster) // not yet where they will be
	if _, err := r.proposer.handover(ctx, k.registry, k.setter, 0, at.index); err != nil {
		return false, err
	}
	for _, m := range k.members {
		if err := r.prepare(ctx, m, at); err != nil {
			return false, err
		}
	}
	r.reserved.expect(k.members, 0)
	first := r.ledger.made.next(0)
	h, err := r.proposer.handover(ctx, k.registry, k.setter, 0, at.index)
	if err != nil || r.ledger.made.next(0) != first || !h.wires(r.ledger) {
		return false, err
	}
	for _, m := range k.members[:len(k.members)-1] {
		address, err := r.builder.create(ctx, m, at.deeper())
		switch {
		case ctx.Err() != nil:
			return false, ctx.Err()
		case err != nil:
			address, err = r.ledger.deployMock(mock.Anything(), r.ledger.made.unique(mock.Anything().Name, "_"), nil)
		}
		if err != nil || address != r.reserved.expected[m] {
			return false, nil
		}
	}
	return true, nil
}

// maxCluster bounds the members of a cluster.
const maxCluster = 64

// prepare deploys what the constructor of c needs, before c.
func (r *registries) prepare(ctx context.Context, c *solc.Contract, at level) error {
	if _, err := r.builder.link(ctx, c, at); err != nil {
		return err
	}
	_, err := r.proposer.arguments(ctx, c, r.catalog.program.Constructor(c), 0, at)
	return err
}
