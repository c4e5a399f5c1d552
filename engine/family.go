package engine

import (
	"slices"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// maxBorn bounds the contracts of one creation that Txs call: a factory may
// make a hundred of the same.
const maxBorn = 8

// birth notes what a contract creates.
func (d *deployer) birth(f *evm.Frame) {
	if f.Depth > 1 && (f.Kind == evm.FrameCreate || f.Kind == evm.FrameCreate2) {
		d.born = append(d.born, f.Self)
	}
}

// settle enters a contract that was created just now, and those of the project
// that it created on its part.
func (d *deployer) settle(made deployed, creation input.Creation) {
	class := made.contract.Name
	creation.Name, creation.File, creation.Address = d.unique(class, ""), made.contract.File, made.address
	if creation.Name != class {
		creation.Contract = class
	}
	d.scene.deployment.Creations = append(d.scene.deployment.Creations, creation)
	d.scene.contracts = append(d.scene.contracts, made)
	d.adopt(creation.Name)
}

// adopt enters the contracts of the project that the newest contract has just
// created, in front of it: the contract under test stays last.
func (d *deployer) adopt(maker string) {
	s := &d.scene
	for n, address := range d.born {
		c := d.program.ContractAt(s.world, address)
		if n >= maxBorn || c == nil || c.Kind == solc.KindLibrary || s.deployment.Find(address) != nil {
			continue
		}
		creation := input.Creation{Name: d.unique(c.Name, ""), File: c.File, Address: address, By: maker}
		if creation.Name != c.Name {
			creation.Contract = c.Name
		}
		last := len(s.deployment.Creations) - 1
		s.deployment.Creations = slices.Insert(s.deployment.Creations, last, creation)
		last = len(s.contracts) - 1
		s.contracts = slices.Insert(s.contracts, last, deployed{contract: c, address: address, born: true})
	}
}
