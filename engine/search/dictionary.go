package search

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/deploy"
	"leveret/engine/mutate"
	"leveret/engine/shadow"
)

// fillDictionary collects the constants of the code and of the source. Runs add
// to them.
func (g *Generator) fillDictionary() {
	base := g.subject.Deployment
	for _, d := range base.Contracts {
		g.Mutation.Addresses.See(d.Address)
		for _, constant := range g.subject.Cover.Bytecode(base.World.Code(d.Address)).Constants() {
			if constant.Role == bytecode.RolePlain || constant.Role == bytecode.RoleLabel {
				g.Mutation.Dictionary.Add("", mutate.FromCode, constant.Word)
			}
			if constant.Role == bytecode.RolePlain && constant.Bytes == common.AddressLength {
				g.Mutation.Addresses.See(constant.Word.Bytes20())
			}
		}
		if d.Mock == nil {
			g.addSource(d)
		}
	}
	for _, callee := range g.subject.Callees {
		g.Mutation.Targets = append(g.Mutation.Targets, mutate.Target{To: callee.Address, Function: callee.Function})
	}
}

// addSource adds the constants of a contract's source: those of a function and
// of what it calls for that function alone. Texts are also candidates for the
// preimages of hashes in the code.
func (g *Generator) addSource(d deploy.Deployed) {
	dictionary := g.Mutation.Dictionary
	for _, constant := range g.subject.Program.Constants(d.Contract) {
		switch {
		case constant.Text != nil:
			dictionary.AddBytes(constant.Text)
			g.Demand.Preimages.Add(constant.Text)
			if len(constant.Text) <= 32 {
				dictionary.Add(constant.Function, mutate.FromAST, *new(uint256.Int).SetBytes32(common.RightPadBytes(constant.Text, 32)))
			}
		default:
			if w, overflow := uint256.FromBig(constant.Number); !overflow {
				dictionary.Add(constant.Function, mutate.FromAST, *w)
				if constant.Address {
					g.Mutation.Addresses.See(w.Bytes20())
				}
			}
		}
	}
}

// maxWordsOfRun bounds the words that one run adds from each kind of source.
const maxWordsOfRun = 16

// AddRun adds the words that a run read, wrote, returned and emitted.
func (g *Generator) AddRun(r *Result) {
	signature := r.Sequence.Last().Function.Signature
	add := func(source mutate.WordOrigin, words []uint256.Int) {
		for _, w := range words[:min(len(words), maxWordsOfRun)] {
			g.Mutation.Dictionary.Add(signature, source, w)
		}
	}
	add(mutate.FromStorage, Words(r.Before(), r.Run.Reads))
	if !r.Succeeded() {
		return
	}
	add(mutate.FromStorage, Words(r.After, r.Run.Writes))
	add(mutate.FromReturn, wordsIn(r.Outcome.Return))
	for _, log := range r.Outcome.Logs {
		add(mutate.FromEvent, wordsIn(log.Data))
		for _, topic := range log.Topics[min(1, len(log.Topics)):] {
			add(mutate.FromEvent, []uint256.Int{*new(uint256.Int).SetBytes32(topic[:])})
		}
	}
}

// wordsIn cuts data into whole words.
func wordsIn(data []byte) (list []uint256.Int) {
	for ; len(data) >= 32 && len(list) < maxWordsOfRun; data = data[32:] {
		list = append(list, *new(uint256.Int).SetBytes32(data[:32]))
	}
	return list
}

// AddOperands adds the operands of a decision.
func (g *Generator) AddOperands(signature string, d *shadow.Decision) {
	for leaf := range d.Condition.Leaves {
		if leaf.Form == shadow.Compare {
			g.Mutation.Dictionary.Add(signature, mutate.FromComparison, leaf.L)
			g.Mutation.Dictionary.Add(signature, mutate.FromComparison, leaf.R)
		}
	}
}
