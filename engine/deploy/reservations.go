package deploy

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/solc"
)

// Reservations say which contracts come next and at which addresses. A parameter that
// stands for one of them takes its address before it exists.
type reservations struct {
	catalog *catalog
	made    *Deployment

	expected     map[*solc.Contract]common.Address // of contracts that come next
	promises     map[*solc.Contract]*promise       // of contracts that are being deployed
	initializing bool                              // a contract waits for its initializer: nothing else may be deployed now
	wiring       bool                              // the contract under test is deployed and may be handed over
}

// expectedFor returns the address that the contract which a parameter stands for
// has or will have; false if that is not fixed.
func (r *reservations) expectedFor(consumer *solc.Contract, field input.Field) (common.Address, bool) {
	if len(r.expected) == 0 && !r.wiring {
		return common.Address{}, false
	}
	list := r.catalog.collaborators(consumer, field)
	if len(list) == 0 {
		return common.Address{}, false
	}
	if address, ok := r.expected[list[0]]; ok {
		return address, true
	}
	if !r.wiring || list[0] != r.catalog.program.UnderTest || consumer == list[0] {
		return common.Address{}, false
	}
	return r.made.find(list[0])
}

// promised returns the address that a contract gets which is being deployed and
// which a parameter stands for; false if there is none.
func (r *reservations) promised(consumer *solc.Contract, field input.Field) (common.Address, bool) {
	for _, c := range r.catalog.collaborators(consumer, field) {
		if p := r.promises[c]; p != nil && c != consumer {
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

// promise lets others take an address for that of c until it is withdrawn.
func (r *reservations) promise(c *solc.Contract, address common.Address) *promise {
	r.promises[c] = &promise{address: address}
	return r.promises[c]
}

func (r *reservations) withdraw(c *solc.Contract) { delete(r.promises, c) }

// expect sets where some contracts will be: they come one after another, after
// some other creations.
func (r *reservations) expect(members []*solc.Contract, after int) {
	r.expected = map[*solc.Contract]common.Address{}
	for i, m := range members {
		r.expected[m] = r.made.next(after + i)
	}
}

// isWired reports whether what is deployed now is only part of the wiring.
func (r *reservations) isWired() bool { return r.wiring || len(r.expected) > 0 }

// taken reports whether the next creation or call is fixed, so that no factory may come
// before it.
func (r *reservations) taken() bool { return r.initializing || len(r.expected) > 0 }
