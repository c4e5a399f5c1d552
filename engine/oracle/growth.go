package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// UnboundedLoop reports loops that others can lengthen without end, until a
// function costs more gas than a block has (SWC-128).
//
// A transaction runs a loop whose end is stored, or clears a stored list, and it costs the same amount
// more for each repetition of an earlier transaction, which another account
// without privileges sent.
var UnboundedLoop = Oracle{
	Name: "unbounded-loop", SWC: "SWC-128", Severity: finding.Warning,
	Title:        "Anyone can make a loop too long to finish",
	Hint:         succeeded(func(o *Observation) bool { return o.Sources.Loops }),
	Unexportable: "a test cannot check how much gas later calls will need",
	Watch: func(env *Env) Watcher {
		l := &loops{env: env, tried: map[calls]int{}}
		return Watcher{
			Begin: func(tx *input.Tx, w *evm.World) {
				l.history.begin(tx, w)
				l.rounds, l.compared, l.sources = map[Site]int{}, l.compared[:0], map[shadow.Set]bool{}
			},
			Flows: &shadow.Events{Branch: l.branch},
			End:   l.end,
		}
	},
}

// minRoundGas is the gas of a round of a loop that matters: that of reading one
// storage word, roughly. A block has room for 15,000 such rounds.
const minRoundGas = 2000

// manyRounds is how often a transaction is repeated to see whether there is a limit, to
// repetitions or to what they make the last transaction cost, where one account may repeat
// it. Projects limit lists to 100 or 256 elements, and loops to 20 weeks or 128 halvings.
// someRounds is what shows most limits for a tenth of the work.
const (
	someRounds = 30
	manyRounds = 300
)

// maxTried is how often it is tried in one sequence whether calls of one function make calls
// of another more expensive. What long sequences begin with was tried in shorter ones.
const maxTried = 4

// calls are the functions of two transactions.
type calls struct{ first, last *input.Function }

type loops struct {
	env *Env
	history
	tried    map[calls]int
	rounds   map[Site]int        // by branch: how often a stored number decided it in this transaction
	compared []comparison        // the first of each of rounds
	sources  map[shadow.Set]bool // of the numbers in all comparisons
}

// A comparison is a branch that a stored number decided.
type comparison struct {
	trail  []Site
	stored []shadow.TaintSource // what it depends on in storage
}

// branch counts the comparisons of a number with a stored one.
func (l *loops) branch(b *shadow.Branch) {
	if !project(l.env, b.Frame) {
		return
	}
	sets := l.env.observer.Sets()
	for leaf := range b.Condition().Leaves {
		if leaf.Form != shadow.Compare || leaf.Relation != shadow.Less && leaf.Relation != shadow.Greater {
			continue
		}
		if sets.HasKind(leaf.Left.Sources(), shadow.FromStorage) || sets.HasKind(leaf.Right.Sources(), shadow.FromStorage) {
			l.sources[leaf.Left.Sources()], l.sources[leaf.Right.Sources()] = true, true
			site := Site{b.Frame.Code, b.PC}
			if l.rounds[site]++; l.rounds[site] == 1 {
				c := comparison{trail: l.env.trail()}
				for _, word := range []shadow.Word{leaf.Left, leaf.Right} {
					for source := range sets.Members(word.Sources()) {
						if source.Kind == shadow.FromStorage && source.Offset != shadow.Anywhere {
							c.stored = append(c.stored, source)
						}
					}
				}
				l.compared = append(l.compared, c)
			}
			return
		}
	}
}

func (l *loops) end(o *evm.Outcome, _ *evm.World, report func(Report)) {
	l.history.end(o)
	victim := l.last()
	if o.Status != evm.Success || victim.Function == nil || victim.Function.Constant() {
		return
	}
	if trail, _ := l.loopOf(2, func(*comparison) bool { return true }); trail == nil {
		return
	}
	ends := l.ends()
	for i := len(l.txs) - 2; i >= 0; i-- {
		tried := calls{l.txs[i].Function, victim.Function}
		if l.tried[tried] == maxTried || !l.moves(i, ends) {
			continue
		}
		l.tried[tried]++
		if gas, again := l.grows(i, o.GasUsed); gas > 0 {
			trail, node := l.lengthened(i, again)
			report(l.report(trail, node, i, gas))
			return
		}
	}
}

// ends returns the words of storage that comparisons depend on, one of Offset Anywhere for
// those that are not known.
func (l *loops) ends() []shadow.TaintSource {
	var list []shadow.TaintSource
	known := map[shadow.TaintSource]bool{}
	for set := range l.sources {
		for s := range l.env.observer.Sets().Members(set) {
			if s.Kind == shadow.FromStorage && !known[s] {
				known[s], list = true, append(list, s)
			}
		}
	}
	return list
}

// moves reports whether the ith transaction changes one of some words of storage.
func (l *loops) moves(i int, words []shadow.TaintSource) bool {
	return slices.ContainsFunc(words, func(s shadow.TaintSource) bool {
		return s.Offset == shadow.Anywhere || l.worlds[i].Storage(s.Address, s.Slot) != l.worlds[i+1].Storage(s.Address, s.Slot)
	})
}

// loopOf returns the first loop with one of some comparisons that was made at least so often,
// and the trail to its branch; nil if there is none.
func (l *loops) loopOf(times int, of func(*comparison) bool) ([]Site, *ast.Node) {
	for i := range l.compared {
		trail := l.compared[i].trail
		if l.rounds[trail[0]] >= times && of(&l.compared[i]) {
			if node := l.loop(trail); node != nil {
				return trail, node
			}
		}
	}
	return nil, nil
}

// lengthened returns the first loop whose end is stored where another sender's repetition
// of the ith transaction changes it, one that ran before others, or else the first loop.
func (l *loops) lengthened(i int, again input.Actor) ([]Site, *ast.Node) {
	txs := slices.Insert(slices.Clone(l.txs[:len(l.txs)-1]), i+1, l.again(i, again))
	before, after := l.before(), l.env.Rerun(txs).World
	changed := func(c *comparison) bool {
		return slices.ContainsFunc(c.stored, func(s shadow.TaintSource) bool {
			was, is := before.Storage(s.Address, s.Slot), after.Storage(s.Address, s.Slot)
			return was != is
		})
	}
	for times := 2; times > 0; times-- {
		if trail, node := l.loopOf(times, changed); node != nil {
			return trail, node
		}
	}
	return l.loopOf(2, func(*comparison) bool { return true })
}

// loop returns the loop that the branch at the end of a trail belongs to, or the
// expression that replaces a stored list, for which the compiler writes one; nil if
// there is none.
func (l *loops) loop(trail []Site) *ast.Node {
	n := l.env.Blame(trail[:1]).Node
	written := n != nil
	if !written {
		n = l.env.Blame(trail).Node
	}
	for ; n != nil && !IsDefinition(n); n = n.Parent {
		if replacesList(n) || written && isLoop(n) {
			return n
		}
	}
	return nil
}

// Loops reports whether n is a loop, or replaces a stored list, for which the
// compiler writes one.
func Loops(n *ast.Node) bool { return isLoop(n) || replacesList(n) }

func isLoop(n *ast.Node) bool {
	return n.Type == ast.ForStatement || n.Type == ast.WhileStatement || n.Type == ast.DoWhileStatement
}

// replacesList reports whether n is delete x or x = y for a list x in storage.
func replacesList(n *ast.Node) bool {
	if n.Operator() != "delete" && n.Operator() != "=" {
		return false
	}
	return strings.HasSuffix(n.Operands()[0].TypeString(), "[] storage ref")
}

// grows returns by how much gas each repetition of the ith transaction makes the
// last one, which took so much, more expensive, and who repeats it; zero if that is little, if it does not do so evenly or
// without end, or if its sender may be privileged. Another account repeats what the
// sender of the last one sent.
func (l *loops) grows(i int, none uint64) (uint64, input.Actor) {
	from := l.txs[i].From
	if from == l.last().From && from != input.Deployer {
		from = input.User1
		if from == l.last().From {
			from = input.User2
		}
	}
	if l.failed[i] || from == input.Deployer || l.env.knownAtDeployment(from.Address()) || l.env.OwnersOnly(l.txs[:i+1]) {
		return 0, from
	}
	if two, repeats := l.gasAfter(i, []input.Actor{from, from}); repeats {
		one, _ := l.gasAfter(i, []input.Actor{from})
		gas := slope(none, one, two)
		if gas > 0 && (l.limited(i, from, none, gas, someRounds) || l.limited(i, from, none, gas, manyRounds)) {
			return 0, from
		}
		return gas, from
	}
	others := []input.Actor{input.User2, input.User1, input.Attacker}
	for k, first := range others {
		one, repeats := l.gasAfter(i, []input.Actor{first})
		if !repeats {
			continue
		}
		for _, second := range others[k+1:] {
			if two, ok := l.gasAfter(i, []input.Actor{first, second}); ok {
				if gas := slope(none, one, two); gas > 0 {
					return gas, first
				}
			}
		}
	}
	return 0, from
}

// limited reports whether the ith transaction cannot be repeated so often, or whether the last
// one does not cost so much gas more for each of all repetitions.
func (l *loops) limited(i int, from input.Actor, none, gas uint64, rounds int) bool {
	all, repeats := l.gasAfter(i, slices.Repeat([]input.Actor{from}, rounds))
	return !repeats || all < min(none+uint64(rounds)*gas, evm.DefaultGas)/10*9
}

// slope returns by how much gas each of two repetitions makes the last transaction more
// expensive, which takes so much with none, one and two of them; zero if that is little or
// uneven.
func slope(none, one, two uint64) uint64 {
	if one < none+minRoundGas || two <= one {
		return 0
	}
	least, most := min(one-none, two-one), max(one-none, two-one)
	if most-least > least/4 || least < minRoundGas {
		return 0
	}
	return least
}

// gasAfter returns the gas of the last transaction if some senders repeat the
// ith one before it; false if one of these fails other than by the last one's
// need of more gas than there is.
func (l *loops) gasAfter(i int, senders []input.Actor) (uint64, bool) {
	txs := slices.Clone(l.txs)
	for _, from := range senders {
		txs = slices.Insert(txs, i+1, l.again(i, from))
	}
	ending := l.env.Rerun(txs)
	for k := range senders {
		if ending.Outcomes[i+1+k].Status != evm.Success {
			return 0, false
		}
	}
	last := ending.Last()
	return last.GasUsed, last.Status == evm.Success || errors.Is(last.Halt, evm.ErrOutOfGas)
}

// again returns the ith transaction from another sender, at once.
func (l *loops) again(i int, from input.Actor) input.Tx {
	tx := l.txs[i]
	tx.From, tx.Delay = from, input.Delay{}
	return tx
}

func (l *loops) report(trail []Site, node *ast.Node, i int, gas uint64) Report {
	head, what := node, "to"
	if isLoop(node) {
		what = "to the loop until"
		if condition := node.Child("condition"); condition != nil {
			head = condition
		}
	}
	grower, victim := l.describe(&l.txs[i]), l.describe(l.last())
	return Report{
		Trail: trail, Node: head, Contract: l.last().To, ByAnyone: true,
		Message: fmt.Sprintf("anyone can make %s too expensive for everybody: each %s adds %d gas %s `%s`, and no block has more than %d million",
			victim, grower, gas, what, l.env.Text(head), evm.DefaultGas/1_000_000),
		Evidence: []finding.Evidence{
			{Name: "gas for each " + grower, Value: fmt.Sprint(gas)},
			{Name: "how many fill a block", Value: fmt.Sprint(evm.DefaultGas / gas)},
		},
	}
}

// describe names the function that a transaction calls.
func (l *loops) describe(tx *input.Tx) string {
	if tx.Function == nil || tx.Function.Raw {
		return "a payment"
	}
	return tx.Function.Name + "()"
}
