package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
)

// agents are what is known of inputs in which the attacker's contract is
// called [ENGINE.md section 9]: only on them do scripts make a difference.
type agents struct {
	entries []asking
	known   map[called]bool
	planned map[occasion]int      // plans made for each
	plan    []*candidate          // what is tried next
	turn    int                   // counts the inputs that might have been from plan
	attacks exec.Budget           // for inputs in which the attacker's contract does more than answer, those planned apart
	arming  exec.Budget           // for such inputs of other sources
	payers  []input.Tx            // transactions that paid wei in
	again   map[called]int        // how often a path with a re-entrance was looked into
	posed   map[posed]bool        // what was tried with the attacker in an actor's place
	taken   map[cover.PathID]bool // paths on which wei was taken that was asked for again
}

// asking is an Entry in which the attacker's contract is called, and what it
// has to answer so that the contract under test goes on.
type asking struct {
	*corpus.Entry
	answer []uint256.Int
	given  uint256.Int // wei that came with the call
}

// called tells apart what is worth planning for: that wei is sent along does
// not show in the path.
type called struct {
	path    cover.PathID
	paid    bool
	entered bool // what comes after a function was re-entered, see reap
}

// An occasion is a function that calls the attacker's contract, and whether it
// pays its caller.
type occasion struct {
	demand.Callee
	pays bool
}

func newAgents() agents {
	return agents{attacks: newAttacks(), arming: newArmings(), known: map[called]bool{}, planned: map[occasion]int{}, again: map[called]int{}, posed: map[posed]bool{}, taken: map[cover.PathID]bool{}}
}

// posed tells apart what is worth a pose: on a path, who was called.
type posed struct {
	path   cover.PathID
	sender bool
}

// pose tries a sequence whose last Tx calls an actor with the attacker in that
// actor's place: only the attacker has a contract to answer with.
func (c *campaign) pose(r *result) {
	actor, ok := input.ActorOf(r.Run.Called)
	if r.Run.Suspicion&cover.ActorCalled == 0 || !ok {
		return
	}
	a := &c.agents
	this := posed{r.Run.Path, r.Sequence.Last().From == actor}
	if a.posed[this] {
		return
	}
	a.posed[this] = true
	s := input.Sequence{Deployment: r.Sequence.Deployment, Txs: slices.Clone(r.Sequence.Txs)}
	for i := range s.Txs {
		if s.Txs[i].From == actor {
			s.Txs[i].From = input.Attacker
		}
	}
	a.plan = append(a.plan, &candidate{Job: exec.Job{Sequence: s, States: []exec.State{c.start}}, change: mutate.Diff{Shape: true}})
}

// again tries to take wei twice, with deposits of others to take it from: that
// the first time left the contract as it was shows in no path.
func (c *campaign) again(r *result) {
	a := &c.agents
	if !r.takes() || a.taken[r.Run.Path] || len(a.taken) >= maxTaken {
		return
	}
	a.taken[r.Run.Path] = true
	e := c.entry(r)
	for range 6 {
		s := c.richer(e.Sequence)
		for range 2 {
			s = s.Insert(len(s.Txs), *s.Last())
			a.plan = append(a.plan, c.child(e, s, mutate.Diff{First: 0, Shape: true}))
		}
	}
}

// Bounds of what agents keeps.
const (
	maxCallers = 128
	maxPlans   = 3
	maxPayers  = 16
	maxTaken   = 32
)

// calledOut takes note of a result in which the attacker's contract was
// called, and plans what it might do then.
func (c *campaign) calledOut(r *result) {
	c.pose(r)
	c.again(r)
	a := &c.agents
	last := r.Sequence.Last()
	if r.Outcome.Status == evm.Success && !last.Value.IsZero() && len(a.payers) < maxPayers &&
		!slices.ContainsFunc(a.payers, func(tx input.Tx) bool { return tx.Function == last.Function && tx.To == last.To }) {
		a.payers = append(a.payers, *last)
		for _, e := range a.entries[:min(maxPlans, len(a.entries))] {
			c.plotRicher(e)
		}
	}
	c.reap(r)
	c.plainly(r)
	this := called{path: r.Run.Path, paid: r.takes() || !r.Run.AttackerValue.IsZero()}
	if r.Run.Suspicion&cover.AttackerCalled == 0 || last.Script != nil || a.known[this] {
		return
	}
	c.context.Scripts = true
	a.known[this] = true
	e := asking{Entry: c.entry(r), given: r.Run.AttackerValue}
	when := occasion{demand.CalleeOf(last), this.paid}
	a.planned[when]++
	if r.Outcome.Status != evm.Success && r.Run.AttackerSelector != [4]byte{} {
		e.answer = c.answer(r, a.planned[when] <= maxPlans)
	}
	if len(a.entries) < maxCallers {
		a.entries = append(a.entries, e)
	} else {
		a.entries[c.random.IntN(maxCallers)] = e
	}
	if a.planned[when] <= maxPlans {
		c.plot(e)
	}
}

// plainly has a loan that the attacker's contract was given while it did
// something else be given to it once more while it does nothing, so that it is
// planned for.
func (c *campaign) plainly(r *result) {
	last := *r.Sequence.Last()
	if last.Script == nil || r.Run.AttackerValue.IsZero() || c.agents.planned[occasion{demand.CalleeOf(&last), true}] >= maxPlans {
		return
	}
	last.Script = nil
	at := len(r.Sequence.Txs) - 1
	if s := r.Sequence.WithTx(at, last); c.novel(s) {
		c.agents.plan = append(c.agents.plan, c.child(c.entry(r), s, mutate.Diff{First: at, Shape: true}))
	}
}

// reap has the attacker call every function after it re-entered one, in case
// that is what pays.
func (c *campaign) reap(r *result) {
	last := r.Sequence.Last()
	this := called{path: r.Run.Path, entered: true}
	if r.Outcome.Status != evm.Success || last.Script == nil || last.Script.Mode != input.Reenter || c.agents.known[this] {
		return
	}
	c.agents.known[this] = true
	e := c.entry(r)
	for _, callee := range c.callees {
		if !callee.Function.Constant() {
			tx := c.exampleOf(callee.Callee)
			tx.From, tx.Script = input.Attacker, nil
			s := e.Sequence.Insert(len(e.Sequence.Txs), tx)
			c.agents.plan = append(c.agents.plan, c.child(e, s, mutate.Diff{First: len(e.Sequence.Txs), Shape: true}))
		}
	}
}

// reentering makes the script that makes a call.
func reentering(tx input.Tx) *input.Script {
	return &input.Script{Mode: input.Reenter, Target: tx.To, Data: tx.Calldata(), Value: tx.Value, Depth: 1}
}

// exampleOf is a call of callee that succeeded, or one that is drawn.
func (c *campaign) exampleOf(callee demand.Callee) input.Tx {
	entries := c.byCallee[callee]
	for range min(4, len(entries)) {
		if e := entries[c.random.IntN(len(entries))]; e.Success {
			return *e.Sequence.Last()
		}
	}
	return c.newTx(callee)
}

// scripted gives the last Tx of s a script. s has the last Tx of e.
func (c *campaign) scripted(e *corpus.Entry, s input.Sequence, script *input.Script) *candidate {
	last := len(s.Txs) - 1
	tx := s.Txs[last]
	tx.Script = script
	first := last
	if len(s.Txs) != len(e.Sequence.Txs) {
		first = 0
	}
	return c.child(e, s.WithTx(last, tx), mutate.Diff{First: first, Shape: first == 0})
}

// richer puts deposits of others in front of s: what the attacker may take has
// to come from somebody. Some contracts pay only who has paid, and only as
// much: now and then the actor of the last Tx pays in too, and asks for that.
func (c *campaign) richer(s input.Sequence) input.Sequence {
	payers := slices.Clone(c.agents.payers)
	for i := range s.Txs {
		if !s.Txs[i].Value.IsZero() {
			payers = append(payers, s.Txs[i])
		}
	}
	if len(payers) == 0 {
		return s
	}
	if c.random.IntN(3) == 0 {
		s = c.alone(s)
	}
	tx := payers[c.random.IntN(len(payers))]
	others := slices.DeleteFunc([]input.Actor{input.User1, input.User2, input.Attacker}, func(a input.Actor) bool { return a == s.Last().From })
	tx.From = others[c.random.IntN(len(others))]
	tx.Script, tx.Delay = nil, input.Delay{}
	tx.Value.Lsh(&tx.Value, uint(c.random.IntN(4)))
	switch ether := uint256.NewInt(1e18); c.random.IntN(4) {
	case 0:
		tx.Value = *ether
	case 1: // what contracts pay out is written in ether
		tx.Value.Lsh(ether, uint(c.random.IntN(5)))
	}
	last := *s.Last()
	claim := uint256.Int{}
	if own := tx; c.random.IntN(2) == 0 {
		own.From, claim = last.From, tx.Value
		s = s.Insert(0, c.directed(own, uint256.Int{}))
	}
	if c.random.IntN(2) == 0 {
		s = s.WithTx(len(s.Txs)-1, c.directed(last, claim))
	}
	return s.Insert(0, tx)
}

// alone lets one actor without privileges do everything that s does.
func (c *campaign) alone(s input.Sequence) input.Sequence {
	from := s.Last().From
	if c.judge.privileged[from] {
		from = []input.Actor{input.User1, input.User2, input.Attacker}[c.random.IntN(3)]
	}
	for i := range s.Txs {
		tx := s.Txs[i]
		tx.From = from
		s = s.WithTx(i, c.directed(tx, uint256.Int{}))
	}
	return s
}

// directed makes most addresses that a Tx is told of its sender's, and most
// numbers an amount, if there is one.
func (c *campaign) directed(tx input.Tx, amount uint256.Int) input.Tx {
	tx.Args = slices.Clone(tx.Args)
	for i := range tx.Args {
		v := &tx.Args[i]
		switch sender := tx.From.Address(); {
		case c.random.IntN(4) == 0:
		case v.Type.Kind == input.KindAddress:
			v.Word.SetBytes20(sender[:])
		case v.Type.Kind == input.KindUint && !amount.IsZero():
			v.Word = v.Type.WordType().Wrap(&amount)
		}
	}
	return tx
}

// attack makes the attacker's contract do something else in an input that
// calls it.
func (c *campaign) attack() *candidate {
	a := &c.agents
	if next := take(&a.plan); next != nil {
		return next
	}
	if len(a.entries) == 0 || !a.attacks.Allows(c.work) {
		return nil
	}
	e := a.entries[c.random.IntN(len(a.entries))]
	if near := c.nearCallers(); len(near) > 0 && c.keepsTo() {
		e = near[c.random.IntN(len(near))]
	}
	s := e.Sequence
	if c.random.IntN(2) == 0 {
		s = c.richer(s)
	}
	script := &input.Script{Returns: e.answer}
	switch n := c.random.IntN(8); {
	case n == 0:
		script.Mode = input.Refuse
	case n == 1:
		script.Mode = input.BurnGas
	case n == 2:
		script.Returns = nil
		for range 1 + c.random.IntN(3) {
			script.Returns = append(script.Returns, input.RandomWord(c.random, input.WordType{Bits: 256}, c.context.Pool(e.Function())))
		}
	case n < 5:
		script = reentering(*s.Last())
		script.Returns = e.answer
	default:
		script = reentering(c.exampleOf(c.callees[c.random.IntN(len(c.callees))].Callee))
		script.Returns = e.answer
	}
	if script.Mode == input.Reenter {
		script.Depth += c.random.IntN(2)
	}
	return c.scripted(e.Entry, s, script)
}

// nearCallers are the inputs that call the attacker's contract on a way to a
// target.
func (c *campaign) nearCallers() []asking {
	if c.direction == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(c.agents.entries), func(e asking) bool {
		return !c.direction.near[demand.CalleeOf(e.Sequence.Last())]
	})
}

// fund lets somebody pay in before a sequence that is known: whether a
// contract has wei is not in its storage, so demand does not ask for it. Now
// and then that is done on behalf of a stranger.
func (c *campaign) fund() *candidate {
	if len(c.corpus.Entries) == 0 {
		return nil
	}
	e := c.anyEntry()
	s, entitled := e.Sequence, false
	if poor := len(c.agents.payers) == 0; poor || c.random.IntN(3) == 0 {
		if s, entitled = c.entitled(e); poor && !entitled {
			return nil
		}
	}
	s = c.richer(s)
	if c.random.IntN(4) == 0 {
		s = s.Insert(len(s.Txs), *s.Last())
	}
	return c.child(e, s, mutate.Diff{First: 0, Shape: true})
}

// entitled lets a stranger do what e does, after something that may entitle
// it: where the deployer was let through, no path tells that anybody can be.
func (c *campaign) entitled(e *corpus.Entry) (input.Sequence, bool) {
	if c.options.NoDemand || !e.Success {
		return e.Sequence, false
	}
	s, ok := c.demand.Precede(c.random, e.Sequence, e.Reads)
	if !ok {
		return e.Sequence, false
	}
	return c.alone(s), true
}
