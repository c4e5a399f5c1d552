package engine

import (
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// fillContext collects what mutators may draw from (ENGINE.md section 6): what
// the code and the source spell out. What runs adds to it.
func (c *campaign) fillContext() {
	c.context = mutate.Env{
		Dictionary: mutate.NewDictionary(), Addresses: mutate.NewAddresses(),
		Donor: func(r *rand.Rand) (input.Sequence, bool) {
			if len(c.corpus.Entries) == 0 {
				return input.Sequence{}, false
			}
			return c.corpus.Entries[r.IntN(len(c.corpus.Entries))].Sequence, true
		},
	}
	for _, d := range c.base.Contracts {
		c.context.Addresses.See(d.Address)
		for _, constant := range c.cover.Bytecode(c.base.World.Code(d.Address)).Constants() {
			if constant.Role == bytecode.RolePlain || constant.Role == bytecode.RoleLabel {
				c.context.Dictionary.Add("", mutate.FromCode, constant.Word)
			}
		}
		if d.Mock == nil {
			c.spelledOut(d)
		}
	}
	for _, callee := range c.callees {
		c.context.Targets = append(c.context.Targets, mutate.Target{To: callee.Address, Function: callee.Function})
	}
}

// spelledOut adds the constants of a contract's source to the dictionary:
// those of a function, and of what it calls, for that function. A text is also
// what hashes in the code may be hashes of.
func (c *campaign) spelledOut(d deploy.Deployed) {
	if d.Contract.Node == nil {
		return
	}
	tree := d.Contract.Build.Trees()
	signatures := map[string]string{} // by selector
	for _, f := range c.program.ABI(d.Contract).Functions {
		signatures[common.Bytes2Hex(f.Selector[:])] = f.Signature
	}
	for _, n := range tree.Contracts(d.Contract.Node) {
		c.shelve("", n)
	}
	for _, f := range tree.Functions(d.Contract.Node, false) {
		selector, ok := tree.Selector(f)
		if !ok || signatures[selector] == "" {
			continue
		}
		for _, n := range reachedBy(tree, f) {
			c.shelve(signatures[selector], n)
		}
	}
}

// maxReached bounds the functions and modifiers that one function is followed
// through.
const maxReached = 32

// reachedBy returns f and the functions and modifiers that it names, and so on.
func reachedBy(tree *ast.Index, f *ast.Node) []*ast.Node {
	list := []*ast.Node{f}
	for i := 0; i < len(list); i++ {
		for _, n := range list[i].Find(ast.FunctionCall, ast.ModifierInvocation) {
			called := tree.Called(n)
			if n.Type == ast.ModifierInvocation {
				called = tree.Referenced(n.Child("modifierName"))
			}
			if called != nil && (called.Type == ast.FunctionDefinition || called.Type == ast.ModifierDefinition) &&
				len(list) < maxReached && !slices.Contains(list, called) {
				list = append(list, called)
			}
		}
	}
	return list
}

// shelve adds the constants below n for a function, or for all.
func (c *campaign) shelve(signature string, n *ast.Node) {
	for _, constant := range n.Constants() {
		switch {
		case constant.Text != nil:
			c.context.Dictionary.AddBytes(constant.Text)
			c.demand.Preimages.Add(constant.Text)
			if len(constant.Text) <= 32 {
				c.context.Dictionary.Add(signature, mutate.FromAST, *new(uint256.Int).SetBytes32(common.RightPadBytes(constant.Text, 32)))
			}
		default:
			if w, overflow := uint256.FromBig(constant.Number); !overflow {
				c.context.Dictionary.Add(signature, mutate.FromAST, *w)
				if constant.Address {
					c.context.Addresses.See(w.Bytes20())
				}
			}
		}
	}
}

// maxNoted bounds the words that one run adds from each source.
const maxNoted = 16

// noted adds what a run brought up to the dictionary: the words that it read
// and wrote, returned, and told in events.
func (c *campaign) noted(r *result) {
	signature := r.Sequence.Last().Function.Signature
	add := func(source mutate.WordOrigin, words []uint256.Int) {
		for _, w := range words[:min(len(words), maxNoted)] {
			c.context.Dictionary.Add(signature, source, w)
		}
	}
	before := r.States[len(r.States)-1].World
	add(mutate.FromStorage, words(before, r.Run.Reads))
	if r.Outcome.Status != evm.Success {
		return
	}
	add(mutate.FromStorage, words(r.After, r.Run.Writes))
	add(mutate.FromReturn, wordsIn(r.Outcome.Return))
	for _, log := range r.Outcome.Logs {
		add(mutate.FromEvent, wordsIn(log.Data))
		for _, topic := range log.Topics[min(1, len(log.Topics)):] {
			add(mutate.FromEvent, []uint256.Int{*new(uint256.Int).SetBytes32(topic[:])})
		}
	}
}

// wordsIn cuts data into words; what is left over does not count.
func wordsIn(data []byte) (list []uint256.Int) {
	for ; len(data) >= 32 && len(list) < maxNoted; data = data[32:] {
		list = append(list, *new(uint256.Int).SetBytes32(data[:32]))
	}
	return list
}

// compared adds the operands of a decision to the dictionary.
func (c *campaign) compared(signature string, d *shadow.Decision) {
	for leaf := range d.Condition.Leaves {
		if leaf.Form == shadow.Compare {
			c.context.Dictionary.Add(signature, mutate.FromComparison, leaf.L)
			c.context.Dictionary.Add(signature, mutate.FromComparison, leaf.R)
		}
	}
}
