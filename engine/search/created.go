package search

import (
	"sync"

	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Created has the functions that transactions may call of contracts that other
// transactions create. It is safe for concurrent use.
type Created struct {
	program   *program.Program
	called    func(*solc.Contract) []*input.Function // less the restrictions of a campaign
	mu        sync.Mutex
	functions map[*solc.Contract][]*input.Function
	owners    map[*input.Function]*solc.Contract
}

// NewCreated returns Created with the functions that called chooses.
func NewCreated(p *program.Program, called func(*solc.Contract) []*input.Function) *Created {
	return &Created{program: p, called: called, functions: map[*solc.Contract][]*input.Function{}, owners: map[*input.Function]*solc.Contract{}}
}

// Functions returns what transactions may call of a contract, always the same.
func (c *Created) Functions(of *solc.Contract) []*input.Function {
	c.mu.Lock()
	defer c.mu.Unlock()
	list, known := c.functions[of]
	if !known {
		list = c.called(of)
		c.functions[of] = list
		for _, f := range list {
			c.owners[f] = of
		}
	}
	return list
}

// Owner returns the contract that Functions returned a function of; nil for other
// functions.
func (c *Created) Owner(f *input.Function) *solc.Contract {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.owners[f]
}

// Function returns a function by signature; nil if no contract of the project has
// it.
func (c *Created) Function(signature string) *input.Function {
	for _, of := range c.program.Project {
		if !of.Deployable() || c.program.ABI(of).Method(signature) == nil {
			continue
		}
		for _, f := range c.Functions(of) {
			if f.Signature == signature {
				return f
			}
		}
	}
	return nil
}
