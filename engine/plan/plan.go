package plan

import (
	"maps"
	"math"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// A plan is the search for a state in which a transaction takes a branch. Its nodes
// are the states that calls led to, by the words that matter.
type plan struct {
	branch  cover.Branch
	entry   *corpus.Entry     // the nearest to the branch
	goal    input.Tx          // the last transaction of the entry
	like    []cover.Branch    // that the goal has to take
	wants   []demand.SlotGoal // of which one suffices to take the branch, at the end of the path
	latest  *corpus.Entry     // that was considered as the entry
	nearest uint256.Int       // cost of the entry
	entries int               // of the corpus when the effects were asked for

	calls   []call
	known   map[uint64]bool          // calls, by digest
	counted map[demand.Variable]bool // their words tell states apart
	version int                      // of counted
	frontier
	patience
}

// A frontier is what a plan has reached, and what it tries next.
type frontier struct {
	nodes   []*node          // in order of arrival
	blocked []*node          // whose goal left the path, to be repaired
	seen    map[uint64]*node // by state
	pending []trial
	tried   map[uint64]bool // sequences
	best    fitness         // of all nodes
	away    uint256.Int     // the least of all nodes
	turns   turns
}

// A patience counts what a plan spent, which decides when others have their turns.
type patience struct {
	repairs int
	useless int // repairs since the last progress
	after   int // trials since the last progress
	vain    int // turns without progress
	rest    int // turns to leave out
}

// A call leads from one state to another.
type call struct {
	tx    input.Tx
	depth int            // of the goals that it was made for; 0: it was known
	like  []cover.Branch // that it took where it helped; nil: it never did
}

// A node is a state that a sequence leads to.
type node struct {
	number  int   // order of arrival
	from    *node // nil: the tail is the whole sequence
	call    *input.Tx
	times   int        // of the call in a row that leads from there
	tail    []input.Tx // leads from there if there is no call
	length  int        // transactions of the sequence
	digest  uint64     // of the sequence
	state   uint64     // identity of the state
	version int        // of the variables that count in it
	goal    *input.Tx  // as it came nearest to the branch from there; nodes share it
	fitness fitness
	away    uint256.Int // of the state from the wanted storage
	next    int         // call to try next
	repairs int         // that led to the goal
}

// sequence returns the transactions that lead to the node. The caller owns the list.
func (n *node) sequence() []input.Tx {
	txs := make([]input.Tx, n.length)
	n.write(txs)
	return txs
}

// write writes the transactions that lead to the node.
func (n *node) write(txs []input.Tx) {
	for at := n; at != nil; at = at.from {
		copy(txs[at.length-len(at.tail):], at.tail)
		for i := range at.times {
			txs[at.length-1-i] = *at.call
		}
	}
}

// A fitness says how near the goal comes to the branch from a node: how many branches
// of the entry's path it does not take, and the distance from the branch [approach
// level and branch distance: Wegener, Baresel and Sthamer, Information and Software
// Technology 2001]. Less is better.
type fitness struct {
	level int
	cost  uint256.Int
}

// farthest is the fitness of what was not seen.
func farthest() fitness { return fitness{math.MaxInt, *new(uint256.Int).SetAllOne()} }

// less reports whether a comes nearer than b.
func (a *fitness) less(b *fitness) bool {
	return a.level < b.level || a.level == b.level && a.cost.Lt(&b.cost)
}

// A trial is a call of the plan at a node, repeated, and then the goal: the purpose
// of a candidate.
type trial struct {
	plan    *plan
	from    *node
	via     int // the call; negative: none of the plan
	times   int
	repairs int // in a row that led to it
	goal    *input.Tx
	txs     []input.Tx // with the goal
	digest  uint64     // of txs without the goal
}

// Bounds of a plan: variables after which none is added, nodes, transactions of a
// sequence, how deep goals follow from goals, calls, trials that are remembered, repairs
// in a row, and trials in a row without progress after which the next plan has its turn.
const (
	maxCounted = 24
	maxNodes   = 2048
	maxLength  = 128
	maxDepth   = 4
	maxCalls   = 96
	maxTried   = 1 << 14
	maxRepairs = 3
	maxAfter   = 64
)

func newPlan(b cover.Branch) *plan {
	return &plan{branch: b, known: map[uint64]bool{}, frontier: frontier{
		seen: map[uint64]*node{}, tried: map[uint64]bool{}, best: farthest(), away: *new(uint256.Int).SetAllOne(),
	}}
}

// restart forgets the nodes.
func (f *frontier) restart() {
	f.nodes, f.blocked, f.pending = nil, nil, nil
	f.turns.reorder()
	clear(f.seen)
	clear(f.tried)
}

// learn adds a call unless it is known, or there are too many.
func (p *plan) learn(tx *input.Tx, depth int) {
	digest := input.DigestTx(input.NoTxs, tx)
	if p.known[digest] || len(p.calls) >= maxCalls || tx.Function.Constant() {
		return
	}
	p.known[digest] = true
	p.calls = append(p.calls, call{tx: *tx, depth: depth})
	p.turns.reorder() // nodes whose calls were all tried have one more
}

// count adds variables to those whose words tell states apart, up to a limit. While the plan
// has nodes, it removes none: the samples of the campaign change, and with them the variables
// that matter, but nodes with different variables cannot be compared.
func (p *plan) count(variables map[demand.Variable]bool) {
	switch before := len(p.counted); {
	case len(p.nodes) == 0:
		if !maps.Equal(p.counted, variables) {
			p.counted = variables
			p.version++
		}
	case before < maxCounted:
		if maps.Copy(p.counted, variables); len(p.counted) > before {
			p.version++
		}
	}
}

// at makes a trial of a sequence and a goal behind it; it is no use if they were
// tried before or are too long. With a call of the plan, the sequence is that of the
// node.
func (p *plan) at(from *node, via, times int, txs []input.Tx, goal *input.Tx) (trial, bool) {
	t := trial{plan: p, from: from, via: via, times: times, goal: goal, digest: input.NoTxs}
	length := len(txs)
	if via >= 0 {
		length, t.digest = from.length, from.digest
	}
	for i := range txs {
		t.digest = input.DigestTx(t.digest, &txs[i])
	}
	for range times {
		t.digest = input.DigestTx(t.digest, &p.calls[via].tx)
	}
	digest := input.DigestTx(t.digest, goal)
	if p.tried[digest] || length+times+1 > maxLength {
		return t, false
	}
	if len(p.tried) == maxTried {
		clear(p.tried)
	}
	p.tried[digest] = true
	if t.txs = make([]input.Tx, length, length+times+1); via >= 0 {
		from.write(t.txs)
	} else {
		copy(t.txs, txs)
	}
	for range times {
		t.txs = append(t.txs, p.calls[via].tx)
	}
	t.txs = append(t.txs, *goal)
	return t, true
}

// nodeOf makes a node of the state before the goal of a trial.
func nodeOf(t *trial, f fitness, away uint256.Int) *node {
	last := len(t.txs) - 1
	n := &node{length: last, digest: t.digest, goal: t.goal, fitness: f, away: away, repairs: t.repairs}
	if t.via >= 0 {
		n.from = t.from
		n.call, n.times = &t.plan.calls[t.via].tx, t.times
	} else {
		n.tail = slices.Clone(t.txs[:last])
	}
	return n
}

// propose queues a trial of a sequence that ends with a goal.
func (p *plan) propose(from *node, txs []input.Tx, repairs int) {
	last := len(txs) - 1
	goal := txs[last]
	if t, ok := p.at(from, -1, 0, txs[:last], &goal); ok {
		t.repairs = repairs
		p.pending = append(p.pending, t)
	}
}

// take returns the next trial: what is pending, or else the next call at a node. It
// returns false if no call is left to try.
func (p *plan) take() (trial, bool) {
	if len(p.pending) > 0 {
		t := p.pending[0]
		p.pending = p.pending[1:]
		return t, true
	}
	p.turns.n++
	for {
		n := p.turns.first(p.nodes, len(p.calls))
		if n == nil {
			return trial{}, false
		}
		via := n.next
		n.next++
		if t, ok := p.at(n, via, 1, nil, n.goal); ok {
			return t, true
		}
	}
}

// add adds the node that a trial led to.
func (p *plan) add(t *trial, f fitness, away uint256.Int) *node {
	n := nodeOf(t, f, away)
	n.number = len(p.nodes)
	p.nodes = append(p.nodes, n)
	p.turns.arrive(n)
	p.rate(n)
	return n
}

// better takes over the goal of a trial that led to the state of a node, if it comes
// nearer to the branch.
func (p *plan) better(n *node, t *trial, f fitness) bool {
	if !f.less(&n.fitness) {
		return false
	}
	n.goal, n.fitness, n.repairs = t.goal, f, t.repairs
	p.turns.reorder()
	p.blocked = slices.DeleteFunc(p.blocked, func(b *node) bool { return b == n })
	p.rate(n)
	return true
}

// block has the goal of a trial repaired that left the path.
func (p *plan) block(t *trial, f fitness, away uint256.Int) {
	if len(p.blocked) >= maxNodes {
		return
	}
	p.blocked = append(p.blocked, nodeOf(t, f, away))
}

// rate compares a node that is new or better with the others.
func (p *plan) rate(n *node) {
	f, away := n.fitness, n.away
	if f.level > 0 || n.away.IsZero() {
		p.blocked = append(p.blocked, n)
	}
	if f.level < p.best.level || isProgress(&p.best.cost, &f.cost) && f.level == p.best.level || isProgress(&p.away, &away) {
		p.after, p.vain, p.useless = 0, 0, 0
	}
	if f.less(&p.best) {
		p.best = f
	}
	if away.Lt(&p.away) {
		p.away = away
	}
}

// isProgress reports whether a distance is shorter by so much that some hundred steps
// may lead to the goal.
func isProgress(before, after *uint256.Int) bool {
	var least uint256.Int
	least.Rsh(before, 9)
	least.Sub(before, &least)
	return after.Lt(before) && !after.Gt(&least)
}

// repeat queues a call that came nearer to the branch once more, as often as it takes
// if each time brings as much: counters and sums need nothing else.
func (p *plan) repeat(n *node, t *trial) {
	var gain, times uint256.Int
	if t.from == nil || t.via < 0 || n.fitness.level != t.from.fitness.level {
		return
	}
	gain.Sub(&t.from.fitness.cost, &n.fitness.cost)
	gain.Div(&gain, uint256.NewInt(uint64(t.times)))
	if gain.IsZero() {
		return
	}
	times.Div(&n.fitness.cost, &gain)
	if !times.LtUint64(maxLength) || times.Uint64() < 2 {
		return
	}
	if more, ok := p.at(n, t.via, int(times.Uint64()), nil, n.goal); ok {
		p.pending = append(p.pending, more)
	}
}

// identity returns the identity of a state: the sum of a hash for each word that
// matters and differs from the start of the campaign. The caller gives the identity of
// another state, and the differences from that.
func (p *plan) identity(of uint64, diffs []evm.AccountDiff, start *evm.World, variable func(evm.Slot) demand.Variable, balances bool) uint64 {
	for i := range diffs {
		d := &diffs[i]
		address := common.BytesToHash(d.Address[:])
		for _, s := range d.Storage {
			slot := evm.Slot{Address: d.Address, Key: s.Key}
			if !p.counted[variable(slot)] {
				continue
			}
			first := start.Storage(slot.Address, slot.Key)
			if s.Before != first {
				of -= input.DigestWords(input.NoTxs, address, slot.Key, s.Before)
			}
			if s.After != first {
				of += input.DigestWords(input.NoTxs, address, slot.Key, s.After)
			}
		}
		if !balances || d.Balance[0] == d.Balance[1] {
			continue
		}
		first := start.Balance(d.Address)
		if d.Balance[0] != first {
			of -= input.DigestWords(input.NoTxs, address, d.Balance[0].Bytes32())
		}
		if d.Balance[1] != first {
			of += input.DigestWords(input.NoTxs, address, d.Balance[1].Bytes32())
		}
	}
	return of
}
