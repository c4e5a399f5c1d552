package deploy

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/shadow"
)

// Many contracts let only an account call a function whose address is a constant,
// or that a constructor stored without being told: an owner, an oracle, an entry
// point. None of the actors is that account. So campaigns send from it, too, where
// a function compares its sender with it and it has no code, or only that of a mock which
// never calls anybody: what stands at that address on a chain does.

// minFixedBits is the size of the smallest word that is taken for such an address.
const minFixedBits = 64

// findFixed searches the functions that transactions call for accounts that they
// compare with their sender. Suites have senders of their own.
func findFixed(p *program.Program, h *chain) {
	if suiteOf(p.ABI(p.UnderTest)) != noSuite {
		return
	}
	observer := shadow.New(shadow.NewState())
	for _, callee := range h.made.Callees(p) {
		if callee.Remote || h.exhausted() {
			continue
		}
		tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		h.taint(txCall(&tx), observer)
		for _, branch := range observer.Branches {
			for leaf := range branch.Condition.Leaves {
				if who, ok := h.made.requiredSender(leaf); ok {
					h.made.addFixed(fixedSender{callee.Address, callee.Function.Signature, who, branch.Code, branch.PC})
				}
			}
		}
	}
	required := h.made.Fixed()
	for _, callee := range h.made.Callees(p) {
		if !callee.Remote {
			h.made.findCompared(callee, required)
		}
	}
}

// addFixed adds a sender that a function is not known to require.
func (s *Deployment) addFixed(f fixedSender) {
	same := func(other fixedSender) bool {
		return other.at == f.at && other.signature == f.signature && other.who == f.who
	}
	if !slices.ContainsFunc(s.fixed, same) {
		s.fixed = append(s.fixed, f)
	}
}

// maxCompared bounds the accounts of one contract that only its code shows.
const maxCompared = 4

// findCompared adds the accounts with which code compares the sender behind
// conditions that the first runs of its functions did not meet: no function is known
// to require them. Which one does, the code does not tell.
func (s *Deployment) findCompared(callee Callee, required []input.Actor) {
	code := s.World.Code(callee.Address)
	if code == nil {
		return
	}
	found := 0
	b := code.Analysis()
	for _, block := range b.Blocks {
		var words []uint256.Int
		asks, compares := false, false
		for i := block.First; i <= block.Last && int(i) < b.Count; i++ {
			switch op := b.Instructions[i].Op; {
			case op == bytecode.CALLER || op == bytecode.ORIGIN:
				asks = true
			case op == bytecode.EQ || op == bytecode.SUB || op == bytecode.XOR:
				compares = true
			case bytecode.IsPush(op):
				words = append(words, *b.Push(int(i), new(uint256.Int)))
			}
		}
		for i := range words {
			if found < maxCompared && asks && compares && s.mayBeSender(&words[i]) && !slices.Contains(required, input.Actor(words[i].Bytes20())) {
				found++
				s.addFixed(fixedSender{callee.Address, callee.Function.Signature, input.Actor(words[i].Bytes20()), code, uint64(b.Instructions[block.Last].PC)})
			}
		}
	}
}

// mayBeSender reports whether a constant is the address of an account that is no actor and
// has no code, or that of a mock which calls nobody.
func (s *Deployment) mayBeSender(w *uint256.Int) bool {
	var next uint256.Int
	next.AddUint64(w, 1)
	if mask := next.And(&next, w).IsZero(); mask || w.BitLen() < minFixedBits || w.BitLen() > 160 {
		return false
	}
	address := common.Address(w.Bytes20())
	if at := s.at(address); at != nil {
		return at.Mock != nil && at.Mock.Silent()
	}
	_, actor := input.ActorOf(address)
	code := s.World.Code(address)
	return !actor && (code == nil || len(code.Bytes) == 0)
}

// requiredSender returns the account that a comparison requires the sender to be.
func (s *Deployment) requiredSender(c *shadow.Condition) (who input.Actor, ok bool) {
	if c.Form != shadow.Compare || c.Relation != shadow.Equal && c.Relation != shadow.Differ {
		return who, false
	}
	at, other := c.R, c.Right
	if !isSender(c.Left) {
		at, other = c.L, c.Left
		if !isSender(c.Right) {
			return who, false
		}
	}
	return input.Actor(at.Bytes20()), isFixed(other) && s.mayBeSender(&at)
}

// isSender reports whether a word is the address of the transaction's sender.
func isSender(w shadow.Word) bool {
	value := w.Value()
	user := input.User1.Address()
	return value == *new(uint256.Int).SetBytes20(user[:]) && slices.ContainsFunc(w.Flows(), func(f shadow.Flow) bool {
		return f.Source.Kind == shadow.FromCaller || f.Source.Kind == shadow.FromOrigin
	})
}

// isFixed reports whether a word is a constant or a word of storage.
func isFixed(w shadow.Word) bool {
	return w.Fixed() || slices.ContainsFunc(w.Flows(), func(f shadow.Flow) bool { return f.Source.Kind == shadow.FromStorage })
}

// A fixedSender is an account that may call a function, as its contract fixes.
type fixedSender struct {
	at        common.Address
	signature string
	who       input.Actor
	code      *evm.Code // that compares the sender with it, with the comparison's jump
	pc        uint64
}

// withFixed returns a function of a contract with the senders that this fixes in
// front of the actors.
func (s *Deployment) withFixed(at common.Address, f *input.Function) *input.Function {
	var who []input.Actor
	for _, fixed := range s.fixed {
		if fixed.at == at && fixed.signature == f.Signature {
			who = append(who, fixed.who)
		}
	}
	if len(who) == 0 {
		return f
	}
	return f.SentBy(append(who, input.Actors[:]...))
}

// Requiring returns the jump of the code that compares the sender with an account;
// false if none does.
func (s *Deployment) Requiring(who input.Actor) (code *evm.Code, pc uint64, ok bool) {
	for _, fixed := range s.fixed {
		if fixed.who == who {
			return fixed.code, fixed.pc, true
		}
	}
	return nil, 0, false
}

// Fixed lists the accounts that contracts fix as senders.
func (s *Deployment) Fixed() (list []input.Actor) {
	for _, fixed := range s.fixed {
		list = append(list, fixed.who)
	}
	return list
}
