package deploy

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Code may compute the address of what a factory outside of the project creates with CREATE2
// (EIP-1014), as a router does for the pools of an exchange, and call that. There is no such
// contract, and the address depends on the arguments. So mocks take the places that some
// inputs ask for most.

// Bounds of the mocks at computed addresses, of the addresses that are remembered, and of the
// missing contracts among them.
const (
	maxComputed = 4
	maxHashed   = 1 << 14
	maxMissing  = 256
)

// computedSize is how many bytes are hashed to a computed address: 0xff, the creator, a salt
// and the hash of the creation code.
const computedSize = 1 + 20 + 32 + 32

// Computed collects the contracts that are missing at computed addresses.
type Computed struct {
	program *program.Program
	made    *Deployment
	hashed  map[common.Address]bool
	sized   map[int]common.Address // by depth of an open frame, whose code it looked at last
	missing []missing              // in the order in which they were asked
}

// A missing contract was asked so often, by calls with so many selectors.
type missing struct {
	address   common.Address
	asked     int
	selectors map[[4]byte]bool
}

// NewComputed returns an empty collection for a deployment.
func NewComputed(p *program.Program, made *Deployment) *Computed {
	return &Computed{program: p, made: made, hashed: map[common.Address]bool{}, sized: map[int]common.Address{}}
}

// Any reports whether an address was computed.
func (c *Computed) Any() bool { return len(c.hashed) > 0 }

// Execute collects what the transactions of a sequence ask.
func (c *Computed) Execute(x *exec.Executor, at exec.State, s input.Sequence) {
	hooks := c.hooks()
	for i := range s.Txs {
		next, outcome := x.Transact(at, &s.Txs[i], nil, hooks)
		at = x.Then(at, next, &s.Txs[i], &outcome)
	}
}

func (c *Computed) hooks() *evm.Hooks {
	return &evm.Hooks{
		Ops: []byte{bytecode.KECCAK256, bytecode.EXTCODESIZE},
		Step: func(s *evm.Step) {
			if s.Op == bytecode.KECCAK256 {
				c.hash(s)
			} else {
				c.sized[s.Frame.Depth] = s.Top(0).Bytes20()
			}
		},
		Enter: func(f *evm.Frame) {
			delete(c.sized, f.Depth-1)
			if f.Depth > 1 && (f.Code == nil || len(f.Code.Bytes) == 0) {
				c.ask(f.To, f.Input)
			}
		},
		Exit: func(f *evm.Frame, status evm.Status, returned []byte, _ uint64, _ error) {
			if a, ok := c.sized[f.Depth]; ok && status == evm.Revert && len(returned) == 0 {
				c.ask(a, nil) // compilers before 0.8.10 look for code before they call
			}
			delete(c.sized, f.Depth)
		},
	}
}

// hash records an address that is computed, unless its creator is a contract of the project,
// which may create it yet.
func (c *Computed) hash(s *evm.Step) {
	offset, size := s.Top(0), s.Top(1)
	if !size.IsUint64() || size.Uint64() != computedSize || !offset.IsUint64() || offset.Uint64()+computedSize > uint64(len(s.Memory)) {
		return
	}
	data := s.Memory[offset.Uint64():][:computedSize]
	creator := c.made.at(common.BytesToAddress(data[1:21]))
	if data[0] != 0xff || creator != nil && creator.Mock == nil || len(c.hashed) == maxHashed {
		return
	}
	c.hashed[common.BytesToAddress(crypto.Keccak256(data)[12:])] = true
}

func (c *Computed) ask(a common.Address, data []byte) {
	if code := c.made.World.Code(a); !c.hashed[a] || code != nil && len(code.Bytes) > 0 {
		return
	}
	i := slices.IndexFunc(c.missing, func(m missing) bool { return m.address == a })
	if i < 0 && len(c.missing) == maxMissing {
		return
	}
	if i < 0 {
		i = len(c.missing)
		c.missing = append(c.missing, missing{address: a, selectors: map[[4]byte]bool{}})
	}
	if c.missing[i].asked++; len(data) >= 4 {
		c.missing[i].selectors[[4]byte(data)] = true
	}
}

// Place returns the deployment with mocks at the addresses that were asked most; nil if none was.
func (c *Computed) Place(m *evm.Machine) (*Deployment, error) {
	if len(c.missing) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(c.missing, func(a, b missing) int { return cmp.Compare(b.asked, a.asked) })
	b := newBuilder(c.program, m, nil, nil)
	made, under := b.ledger.made, c.made.UnderTest().Address
	*made = copied(c.made)
	made.asked = maps.Clone(c.made.asked)
	for _, missing := range c.missing[:min(len(c.missing), maxComputed)] {
		named := namedMock{b.proposer.catalog, b.ledger, c.program.UnderTest, missing.address, map[*solc.Contract]bool{}}
		if err := named.place(c.typesOf(missing.selectors)); err != nil {
			return nil, err
		}
	}
	made.MarkTested(under)
	return made, nil
}

// typesOf returns the interface of the project with functions of all these selectors, the one
// with the most functions; none if there is none.
func (c *Computed) typesOf(selectors map[[4]byte]bool) []string {
	var found *solc.Contract
	for _, t := range c.program.Project {
		abi := c.program.ABI(t)
		if t.Kind != solc.KindInterface || len(selectors) == 0 || found != nil && len(found.Methods) >= len(t.Methods) {
			continue
		}
		if !slices.ContainsFunc(slices.Collect(maps.Keys(selectors)), func(s [4]byte) bool { return abi.Select(s[:]) == nil }) {
			found = t
		}
	}
	if found == nil {
		return nil
	}
	return []string{"contract " + found.Name}
}
