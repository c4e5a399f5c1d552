package deploy

import (
	"hash/fnv"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// An argumentSolver searches for arguments with which a call succeeds: it takes
// the last conditions before the failure, and writes the values that flip them
// into the arguments that they depend on.
type argumentSolver struct {
	chain    *chain
	call     func(*input.Tx) evm.Call
	creation int // length of the creation code in front of the arguments; 0: they are in the calldata
	observer *shadow.Observer
	queue    []input.Tx
	tried    map[uint64]bool
	stops    map[stop]int
}

// A stop is the last conditional jump before a failure.
type stop struct {
	code *evm.Code
	pc   uint64
}

// Bounds of the solver: executed calls, visits of one stop, and how many of the
// last conditions matter. Those that encode the revert reason come after them.
const (
	solverCalls    = 48
	stopVisits     = 3
	lastConditions = 6
)

// solve returns tx with arguments with which its call succeeds; nil if it finds none.
func (h *chain) solve(tx *input.Tx, creation int, call func(*input.Tx) evm.Call) *input.Tx {
	p := &argumentSolver{
		chain: h, call: call, creation: creation, observer: shadow.New(shadow.NewState()),
		queue: []input.Tx{*tx}, tried: map[uint64]bool{}, stops: map[stop]int{},
	}
	for n := 0; n < solverCalls && len(p.queue) > 0 && !h.exhausted(); n++ {
		next := p.queue[0]
		p.queue = p.queue[1:]
		outcome := h.taint(call(&next), p.observer)
		switch {
		case outcome.Unfinished():
			return nil
		case outcome.Status == evm.Success:
			return &next
		}
		p.expand(&next)
	}
	return nil
}

// expand queues transactions that may pass the stop of the latest call, in
// front if the stop is new.
func (p *argumentSolver) expand(tx *input.Tx) {
	conditions := p.observer.Branches
	if len(conditions) == 0 {
		return
	}
	last := &conditions[len(conditions)-1]
	at := stop{last.Code, last.PC}
	p.stops[at]++
	if p.stops[at] > stopVisits {
		return
	}
	behind := p.queue
	if p.stops[at] == 1 {
		p.queue = nil
	}
	for n := range min(len(conditions), lastConditions) {
		for leaf := range conditions[len(conditions)-1-n].Condition.Leaves {
			p.flip(tx, leaf)
		}
	}
	if p.stops[at] == 1 {
		p.queue = append(p.queue, behind...)
	}
}

// flip queues transactions that flip one comparison.
func (p *argumentSolver) flip(tx *input.Tx, c *shadow.Condition) {
	if c.Form == shadow.Compare {
		p.swap(tx, c)
	}
	eachSide(c, func(word shadow.Word, target *uint256.Int) { p.solve(tx, word, target) })
}

// eachSide calls yield for each side of a comparison with the values that flip it.
func eachSide(c *shadow.Condition, yield func(shadow.Word, *uint256.Int)) {
	if c.Form == shadow.Truthy {
		target := new(uint256.Int)
		if c.L.IsZero() {
			target.SetOne()
		}
		yield(c.Left, target)
		return
	}
	for _, target := range c.Relation.Targets(&c.R, c.Holds()) {
		yield(c.Left, target)
	}
	for _, target := range c.Relation.Mirror().Targets(&c.L, c.Holds()) {
		yield(c.Right, target)
	}
}

// solve queues transactions for which word becomes target.
func (p *argumentSolver) solve(tx *input.Tx, word shadow.Word, target *uint256.Int) {
	for _, flow := range word.Flows() {
		parameter, ok := p.parameter(tx, flow.Source)
		field, solved := flow.Solve(target)
		if !ok || !solved {
			continue
		}
		if isAddress(&parameter) && !p.known(&field) {
			p.eachActor(tx, &parameter)
			continue
		}
		was := input.Get(tx, &parameter)
		to := flow.Blend(&was, &field)
		if to = parameter.Word.Wrap(&to); to != was {
			p.enqueue(setArgument(tx, &parameter, to))
		}
	}
}

// eachActor queues one transaction for each actor in place of an address
// argument.
func (p *argumentSolver) eachActor(tx *input.Tx, parameter *input.Parameter) {
	for _, actor := range input.Actors {
		address := actor.Address()
		p.enqueue(input.Set(tx, parameter, *new(uint256.Int).SetBytes20(address[:])))
	}
}

// swap queues a transaction with two addresses swapped, the only way to change
// their order.
func (p *argumentSolver) swap(tx *input.Tx, c *shadow.Condition) {
	if c.Relation != shadow.Less && c.Relation != shadow.Greater {
		return
	}
	for _, l := range c.Left.Flows() {
		for _, r := range c.Right.Flows() {
			left, ok := p.parameter(tx, l.Source)
			right, too := p.parameter(tx, r.Source)
			if !ok || !too || !isAddress(&left) || !isAddress(&right) {
				continue
			}
			one, other := input.Get(tx, &left), input.Get(tx, &right)
			swapped := input.Set(tx, &left, other)
			p.enqueue(input.Set(&swapped, &right, one))
		}
	}
}

// enqueue queues a transaction that was not tried yet.
func (p *argumentSolver) enqueue(tx input.Tx) {
	hash := fnv.New64a()
	hash.Write(tx.AppendCalldata(nil))
	hash.Write(tx.Value.Bytes())
	if h := hash.Sum64(); !p.tried[h] {
		p.tried[h] = true
		p.queue = append(p.queue, tx)
	}
}

// parameter returns the argument, or the ether sent along, that a source stands
// for.
func (p *argumentSolver) parameter(tx *input.Tx, source shadow.TaintSource) (input.Parameter, bool) {
	switch source.Kind {
	case shadow.FromInitcode:
		if p.creation > 0 && source.Offset >= uint64(p.creation) {
			return input.Offsets(tx).At(int(source.Offset) - p.creation)
		}
	case shadow.FromCalldata:
		if p.creation == 0 {
			return input.Offsets(tx).At(int(source.Offset))
		}
	case shadow.FromCallValue:
		for _, parameter := range input.Parameters(tx) {
			if parameter.Kind == input.ParamWei {
				return parameter, true
			}
		}
	}
	return input.Parameter{}, false
}

func isAddress(p *input.Parameter) bool {
	return p.Kind == input.ParamArg && p.Of != nil && p.Of.Kind == input.KindAddress
}

// known reports whether an address is zero or has an actor or code. Other
// addresses make no sense in a deployment.
func (p *argumentSolver) known(address *uint256.Int) bool {
	if address.IsZero() {
		return true
	}
	at := address.Bytes20()
	_, actor := input.ActorOf(at)
	code := p.chain.made.World.Code(at)
	return actor || code != nil && len(code.Bytes) > 0
}

// setArgument sets a parameter. If a list of addresses grows, its new elements
// are different actors, as owners must be.
func setArgument(tx *input.Tx, parameter *input.Parameter, to uint256.Int) input.Tx {
	set := input.Set(tx, parameter, to)
	if parameter.Kind != input.ParamLength || parameter.Of.Elem == nil || parameter.Of.Elem.Kind != input.KindAddress {
		return set
	}
	was := input.Get(tx, parameter)
	for _, element := range input.Parameters(&set) {
		if n := len(element.Path) - 1; n == len(parameter.Path) && isAddress(&element) && startsWith(element.Path, parameter.Path) && uint64(element.Path[n]) >= was.Uint64() {
			actor := input.Actors[element.Path[n]%len(input.Actors)].Address()
			set = input.Set(&set, &element, *new(uint256.Int).SetBytes20(actor[:]))
		}
	}
	return set
}

func startsWith(path, prefix []int) bool {
	for i := range prefix {
		if path[i] != prefix[i] {
			return false
		}
	}
	return true
}
