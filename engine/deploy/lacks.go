package deploy

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/shadow"
)

// A call of a deployment may fail because of the state of another contract: a
// feed without a price, a token whose minter nobody set, a list without this
// contract. What the call reverts with depends on a storage word of that
// contract, and who may write it can be found: the deployer calls functions of
// that contract until the word has the value that lets the call pass.

// A lack is a storage word that makes a call fail, and what it should be.
type lack struct {
	at    common.Address
	slot  common.Hash
	want  common.Hash   // the word
	value uint256.Int   // the part of it that the condition depends on
	keys  []common.Hash // of mappings that the word is in, the innermost first
}

// allows reports whether the word says what a contract may do.
func (l *lack) allows(who common.Address) bool {
	word := common.BytesToHash(who[:])
	return l.value.Bytes32() == word || slices.Contains(l.keys, word)
}

// A supplier has calls succeed that lack something.
type supplier struct {
	program  *program.Program
	chain    *chain
	ledger   *ledger
	supplied map[storedWord]bool // values that words had
}

// execute makes a call. If that fails, it makes the call with arguments that the solver
// finds, or after others that supply what the call lacks.
func (s *supplier) execute(tx *input.Tx, creation int, call func(*input.Tx) evm.Call) evm.Outcome {
	outcome := s.chain.execute(call(tx))
	if outcome.Status == evm.Success {
		return outcome
	}
	if better := s.chain.solve(tx, creation, call); better != nil {
		*tx = *better
	} else if !s.provide(call(tx), anyLack) {
		return outcome
	}
	return s.chain.execute(call(tx))
}

// maxProvided is how many calls are made for one call that fails.
const maxProvided = 10

// provide makes calls by the deployer to other contracts, which supply what suits,
// until a call succeeds. It reports whether that is so. Of several calls of one function in a row
// for one word, only the last one stays if it does without the others.
func (s *supplier) provide(call evm.Call, suits func(*lack) bool) bool {
	observer := shadow.New(shadow.NewState())
	var last supply
	supplies := func(l lack) bool {
		if !suits(&l) {
			return false
		}
		this := supply{of: l, undo: s.ledger.checkpoint()}
		if this.tx = s.supply(&l); this.tx == nil {
			return false
		}
		s.replace(&last, &this)
		last = this
		return true
	}
	for range maxProvided {
		if s.chain.exhausted() {
			return false
		}
		outcome := s.chain.taint(call, observer)
		if outcome.Status == evm.Success {
			return true
		}
		if outcome.Unfinished() || !slices.ContainsFunc(s.lacks(observer, call.To), supplies) {
			return false
		}
	}
	return false
}

// A supply is a call that was made for a lack.
type supply struct {
	of   lack
	tx   *input.Tx
	undo func()
}

// replace undoes a call if the next one is of the same function, for the same word, and does
// without it.
func (s *supplier) replace(last, next *supply) {
	if last.tx == nil || last.tx.To != next.tx.To || last.tx.Function != next.tx.Function || last.of.at != next.of.at || last.of.slot != next.of.slot {
		return
	}
	both := s.ledger.checkpoint()
	last.undo()
	if s.chain.call(next.tx).Status != evm.Success || s.chain.made.World.Storage(next.of.at, next.of.slot) != next.of.want {
		both()
		return
	}
	s.ledger.recordSetup(next.tx)
	next.undo = last.undo
}

// anyLack suits every lack.
func anyLack(*lack) bool { return true }

// lacks lists the words of contracts other than the called one that the last
// conditions of a failed call depend on.
func (s *supplier) lacks(observer *shadow.Observer, called common.Address) (list []lack) {
	conditions := observer.Branches
	for n := range min(len(conditions), lastConditions) {
		for leaf := range conditions[len(conditions)-1-n].Condition.Leaves {
			eachSide(leaf, func(word shadow.Word, target *uint256.Int) {
				for _, flow := range word.Flows() {
					from := flow.Source
					field, ok := flow.Solve(target)
					if !ok || from.Kind != shadow.FromStorage || from.Address == called || s.chain.made.at(from.Address) == nil {
						continue
					}
					was := s.chain.made.World.Storage(from.Address, from.Slot)
					to := flow.Blend(new(uint256.Int).SetBytes32(was[:]), &field)
					list = append(list, lack{from.Address, from.Slot, to.Bytes32(), field, keysOf(observer, from.Slot)})
				}
			})
		}
	}
	return list
}

// keysOf returns the keys of the mappings that a slot is in.
func keysOf(observer *shadow.Observer, slot common.Hash) (keys []common.Hash) {
	for {
		p, ok := observer.Preimage(slot)
		data := p.Input.Value()
		if !ok || len(data) != 64 {
			return keys
		}
		keys, slot = append(keys, common.Hash(data[:32])), common.Hash(data[32:])
	}
}

// A storedWord is a word of a contract.
type storedWord struct {
	at         common.Address
	slot, word common.Hash
}

// supply searches for a call by the deployer that gives a word the value that it
// lacks and never had, and keeps that; nil if there is none.
func (s *supplier) supply(l *lack) *input.Tx {
	before := s.chain.made.World
	s.supplied[storedWord{l.at, l.slot, before.Storage(l.at, l.slot)}] = true
	if s.supplied[storedWord{l.at, l.slot, l.want}] {
		return nil
	}
	for _, f := range s.program.ABI(s.chain.made.at(l.at).Contract).Functions {
		args, ok := l.arguments(f)
		if f.Constant() || !ok {
			continue
		}
		supplied := func(word common.Hash) bool { return word == l.want }
		if !s.knows(args) { // any address but zero will do
			args = s.withDeployer(args)
			supplied = func(word common.Hash) bool { return word == common.BytesToHash(input.Deployer.Address().Bytes()) }
		} else if decides(f) {
			continue
		}
		tx := input.Tx{From: input.Deployer, To: l.at, Function: f, Args: args}
		if s.chain.call(&tx).Status == evm.Success && supplied(s.chain.made.World.Storage(l.at, l.slot)) {
			s.ledger.recordSetup(&tx)
			return &tx
		}
		s.chain.reset(before)
	}
	return nil
}

// withDeployer puts the deployer in the place of unknown addresses.
func (s *supplier) withDeployer(args []input.Value) []input.Value {
	args = slices.Clone(args)
	for i := range args {
		if args[i].Type.Kind == input.KindAddress && !s.knows(args[i:i+1]) {
			deployer := input.Deployer.Address()
			args[i].Word.SetBytes20(deployer[:])
		}
	}
	return args
}

// knows reports whether all addresses in some values are actors' or contracts'.
func (s *supplier) knows(values []input.Value) bool {
	return !slices.ContainsFunc(addressesIn(values), func(a common.Address) bool {
		_, actor := input.ActorOf(a)
		return !actor && s.chain.made.at(a) == nil
	})
}

// arguments returns the arguments of f that may supply a word: the keys of its
// mapping by their types, else the value. It is false if there are more addresses
// than that.
func (l *lack) arguments(f *input.Function) ([]input.Value, bool) {
	args, keys, addresses := f.Zero(), slices.Clone(l.keys), 0
	for i := range args {
		t := args[i].Type
		value := l.value
		fits := func(key common.Hash) bool {
			address := [12]byte(key[:]) == [12]byte{} && [4]byte(key[12:]) != [4]byte{}
			return address == (t.Kind == input.KindAddress)
		}
		if at := slices.IndexFunc(keys, fits); at >= 0 && t.Kind != input.KindBool {
			value.SetBytes32(keys[at][:])
			keys = slices.Delete(keys, at, at+1)
		} else if t.Kind == input.KindAddress {
			addresses++
		}
		switch t.Kind {
		case input.KindUint, input.KindInt, input.KindAddress, input.KindBool, input.KindFixedBytes:
			args[i].Word = t.WordType().Wrap(&value)
		}
	}
	return args, addresses <= 1
}

// decides reports whether f ends something, or decides who may do what.
func decides(f *input.Function) bool {
	name := strings.ToLower(f.Name)
	return slices.ContainsFunc(decisions, func(part string) bool { return strings.Contains(name, part) })
}
