package deploy

import (
	"slices"

	"leveret/engine/input"
	"leveret/solc"
)

// maxChildren is how many contracts of one creation a campaign calls; a factory
// may create a hundred equal ones.
const maxChildren = 8

// register adds a contract that was just created, and the project's contracts
// that it created.
func (d *deployer) register(made Deployed, creation input.Creation) {
	class := made.Contract.Name
	creation.Name, creation.File, creation.Address = d.unique(class, ""), made.Contract.File, made.Address
	if creation.Name != class {
		creation.Contract = class
	}
	d.made.Record.Creations = append(d.made.Record.Creations, creation)
	made.remote = d.isWired()
	d.made.Contracts = append(d.made.Contracts, made)
	d.registerChildren(creation.Name)
}

// registerChildren adds the project's contracts that the newest contract just
// created, in front of it: the contract under test stays last.
func (d *deployer) registerChildren(maker string) {
	s := &d.made
	for n, address := range d.chain.created {
		c := d.createdAt(address)
		if n >= maxChildren || c == nil || c.Kind == solc.KindLibrary || s.Record.Find(address) != nil {
			continue
		}
		creation := input.Creation{Name: d.unique(c.Name, ""), File: c.File, Address: address, By: maker}
		if creation.Name != c.Name {
			creation.Contract = c.Name
		}
		last := len(s.Record.Creations) - 1
		s.Record.Creations = slices.Insert(s.Record.Creations, last, creation)
		last = len(s.Contracts) - 1
		s.Contracts = slices.Insert(s.Contracts, last, Deployed{Contract: c, Address: address, child: true, remote: d.isWired()})
	}
}
