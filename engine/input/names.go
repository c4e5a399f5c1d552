package input

import (
	"github.com/ethereum/go-ethereum/common"
)

// Names are the readable names of addresses: of actors and of the contracts of
// a deployment. A nil *Names has the actors only.
type Names struct {
	byAddress map[common.Address]string
	byName    map[string]common.Address
	labels    map[common.Address]string // precede all other names
	brief     bool                      // shorten long values
}

// NewNames returns the names of a deployment, which may be nil. A contract
// whose name is ambiguous or an actor's has no name.
func NewNames(d *Deployment) *Names {
	n := &Names{byAddress: map[common.Address]string{}, byName: map[string]common.Address{}}
	if d == nil {
		return n
	}
	for i := range d.Creations {
		n.add(&d.Creations[i])
	}
	return n
}

func (n *Names) add(c *Creation) {
	if _, isActor := ParseActor(c.Name); isActor || !identifier(c.Name) {
		return
	}
	if _, isActor := ActorOf(c.Address); isActor {
		return
	}
	_, nameTaken := n.byName[c.Name]
	_, addressTaken := n.byAddress[c.Address]
	if !nameTaken && !addressTaken {
		n.byName[c.Name], n.byAddress[c.Address] = c.Address, c.Name
	}
}

// Address returns the name of a, or its checksummed hexadecimal form.
func (n *Names) Address(a common.Address) string {
	if n != nil && n.labels[a] != "" {
		return n.labels[a]
	}
	if actor, ok := ActorOf(a); ok {
		return actor.String()
	}
	if n != nil {
		if name, ok := n.byAddress[a]; ok {
			return name
		}
	}
	return a.Hex()
}

// Resolve is the inverse of Address.
func (n *Names) Resolve(s string) (common.Address, bool) {
	if n != nil {
		if a, ok := n.byName[s]; ok {
			return a, true
		}
	}
	actor, ok := ParseActor(s)
	return actor.Address(), ok
}
