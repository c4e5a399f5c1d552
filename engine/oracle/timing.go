package oracle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// maxDeviation is the deviation in seconds that a block producer can choose for a
// timestamp (SWC-116).
const maxDeviation = 900

// blockSeconds is the time between blocks.
const blockSeconds = 12

// Timestamp reports transfers that depend on the block's timestamp within a
// producer's control (sFuzz, ICSE 2020, section 3.4: timestamp dependency).
var Timestamp = Oracle{
	Name: "timestamp", SWC: "SWC-116", Severity: finding.Warning,
	Title:        "A transfer depends on the block's timestamp",
	Hint:         succeeded((*Observation).paysByBlock),
	Unexportable: "no change of the block alone shows it",
	Watch: watchBlock(blockOracle{
		reads:  map[byte]shadow.Kind{bytecode.TIMESTAMP: shadow.FromTimestamp},
		far:    maxDeviation,
		delay:  func(d input.Delay) uint64 { return d.Seconds },
		shifts: []int64{1, 2, 13, 450, maxDeviation, -1, -2, -13, -450, -maxDeviation},
		shift:  func(b *evm.BlockContext, by int64) { b.Timestamp = uint64(int64(b.Timestamp) + by) },
	}),
}

// BlockNumber reports transfers that depend on other block properties.
var BlockNumber = Oracle{
	Name: "block-number", SWC: "SWC-120", Severity: finding.Warning,
	Title:        "A transfer depends on block properties",
	Hint:         succeeded((*Observation).paysByBlock),
	Unexportable: "no change of the block alone shows it",
	Watch: watchBlock(blockOracle{
		reads: map[byte]shadow.Kind{
			bytecode.NUMBER: shadow.FromNumber, bytecode.BLOCKHASH: shadow.FromBlockHash,
			bytecode.PREVRANDAO: shadow.FromPrevrandao, bytecode.COINBASE: shadow.FromCoinbase,
			bytecode.GASLIMIT: shadow.FromGasLimit,
		},
		far:    maxDeviation / blockSeconds,
		delay:  func(d input.Delay) uint64 { return d.Blocks },
		shifts: []int64{1, 2, 3, 36, maxDeviation / blockSeconds, -1, -2, -3, -36, -maxDeviation / blockSeconds},
		shift:  shiftBlock,
	}),
}

// shiftBlock changes the block: its number, producer and randomness.
func shiftBlock(b *evm.BlockContext, by int64) {
	b.Number = uint64(int64(b.Number) + by)
	b.GasLimit = uint64(int64(b.GasLimit) + by)
	b.Prevrandao[31] += byte(by)
	b.Coinbase[19] += byte(by)
}

// facts names the block property of each opcode.
var facts = map[byte]string{
	bytecode.TIMESTAMP: "the time of the block", bytecode.NUMBER: "the number of the block",
	bytecode.BLOCKHASH: "the hash of a block", bytecode.PREVRANDAO: "the randomness of the block",
	bytecode.COINBASE: "who makes the block", bytecode.GASLIMIT: "the gas limit of the block",
}

// A blockOracle is what distinguishes the two oracles.
type blockOracle struct {
	reads  map[byte]shadow.Kind     // opcodes and the taint kinds of their results
	far    int64                    // maximum of one shift
	delay  func(input.Delay) uint64 // delay of a transaction after the one before it
	shifts []int64
	shift  func(b *evm.BlockContext, by int64)
}

func watchBlock(o blockOracle) func(*Env) Watcher {
	return func(env *Env) Watcher {
		t := &timings{blockOracle: &o, env: env}
		return Watcher{
			Begin: func(tx *input.Tx, _ *evm.World) {
				t.late = o.delay(tx.Delay)
				t.clock = append(t.clock, t.passed+t.late)
				t.blockReads, t.decisions, t.reports = t.blockReads[:0], t.decisions[:0], t.reports[:0]
			},
			Flows: &shadow.Events{Asked: t.asked, Branch: t.branch, Call: t.call, SelfDestruct: t.destroy},
			End: func(out *evm.Outcome, _ *evm.World, report func(Report)) {
				if out.Status == evm.Success {
					t.passed = t.clock[len(t.clock)-1]
				}
				for _, r := range t.reports {
					if out.Status == evm.Success {
						report(r)
					}
				}
			},
		}
	}
}

// timings follows block properties through one transaction.
type timings struct {
	*blockOracle
	env        *Env
	clock      []uint64    // by transaction, since the deployment
	passed     uint64      // of the latest successful one
	late       uint64      // delay of the current one after the one before it
	blockReads []blockRead // in order
	decisions  []decision
	reports    []Report
}

// A blockRead is an instruction that read the block, with the mark of its result.
type blockRead struct {
	site Site
	mark shadow.TaintSource
}

// A decision is a branch that depends on the block.
type decision struct {
	read     Site      // what read the block
	named    *ast.Node // where the condition names the property; may be nil
	deadline bool      // it only waits for a distant point in time
}

// tainted reports whether the current block flows into a set.
func (t *timings) tainted(set shadow.Set) bool {
	observer := t.env.observer
	for _, kind := range t.reads {
		if observer.Sets().Has(set, shadow.TaintSource{Kind: kind, Tx: observer.State().Txs - 1}) {
			return true
		}
	}
	return false
}

func (t *timings) asked(a *shadow.Asked) {
	if _, ok := t.reads[byte(a.Op)]; ok && project(t.env, a.Frame) {
		t.blockReads = append(t.blockReads, blockRead{Site{a.Frame.Code, a.PC}, t.env.observer.Mark(a.Answer)})
	}
}

// read returns the newest instruction whose result flows into one of the sets,
// preferably the first ones.
func (t *timings) read(into ...shadow.Set) (Site, bool) {
	for _, set := range into {
		newest := -1
		for s := range t.env.observer.Sets().Members(set) {
			if s.Kind != shadow.FromMark {
				continue
			}
			i, found := slices.BinarySearchFunc(t.blockReads, s.Offset, func(r blockRead, mark uint64) int { return cmp.Compare(r.mark.Offset, mark) })
			if found && t.blockReads[i].mark == s {
				newest = max(newest, i)
			}
		}
		if newest >= 0 {
			return t.blockReads[newest].site, true
		}
	}
	return Site{}, false
}

func (t *timings) branch(b *shadow.Branch) {
	read, ok := t.read(b.Cond.Sources(), b.Cond.Index())
	if !ok || !t.written(b) {
		return
	}
	d, near := decision{read: read, named: t.named(Site{b.Frame.Code, b.PC})}, false
	for leaf := range b.Condition().Leaves {
		if t.tainted(leaf.Left.Sources()) || leaf.Form == shadow.Compare && t.tainted(leaf.Right.Sources()) {
			d.deadline = true
			near = near || !t.distant(leaf)
		}
	}
	d.deadline = d.deadline && !near
	t.decisions = append(t.decisions, d)
}

// written reports whether the source has a branch, as opposed to a compiler-inserted
// arithmetic check. Via IR, such checks have no source of their own; they compare a result
// with what it was computed from.
func (t *timings) written(b *shadow.Branch) bool {
	site := Site{b.Frame.Code, b.PC}
	if at, ok := t.env.source(site); !ok || at.Node == nil || operatorOf(at.Node) != "" {
		return false
	}
	if t.env.Blame([]Site{site}).Node != nil {
		return true
	}
	for leaf := range b.Condition().Leaves {
		if !t.tainted(leaf.Left.Sources()) || !t.tainted(leaf.Right.Sources()) {
			return true
		}
	}
	return false
}

// distant reports whether a comparison only checks whether a deadline has
// passed that was, when set, beyond a producer's control.
func (t *timings) distant(leaf *shadow.Condition) bool {
	if leaf.Form != shadow.Compare || leaf.Relation != shadow.Less && leaf.Relation != shadow.Greater {
		return false
	}
	now, bound := leaf.Left, leaf.Right
	if !t.tainted(now.Sources()) {
		now, bound = bound, now
	}
	if t.tainted(bound.Sources()) {
		return false
	}
	limit := bound.Value()
	switch op, _, _ := now.Made(); byte(op) {
	case bytecode.TIMESTAMP, bytecode.NUMBER:
		return t.since(bound, now)
	case bytecode.ADD, bytecode.SUB:
		return t.long(bound, &limit) // elapsed time against a duration
	case bytecode.DIV: // in a unit, such as hours
		elapsed, unit := now.Operands()
		length := unit.Value()
		if op, _, _ := elapsed.Made(); byte(op) != bytecode.SUB || t.tainted(unit.Sources()) {
			return false
		}
		_, over := limit.MulOverflow(&limit, &length)
		return over || t.long(bound, &limit)
	}
	return false
}

// long reports whether a duration, which a bound says, is beyond a producer's control, or
// harmless.
func (t *timings) long(bound shadow.Word, duration *uint256.Int) bool {
	return !duration.LtUint64(uint64(t.far)) || t.harmless(bound, duration)
}

// nextBlock is the longest wait, in seconds or blocks, that tells only what happens in one
// block from what happens later. No producer decides that by what it writes into a block.
const nextBlock = 1

// harmless reports whether a short time is not the code's choice or only a wait for the next
// block: somebody chose it by an argument or at deployment, or it is at most nextBlock.
func (t *timings) harmless(bound shadow.Word, duration *uint256.Int) bool {
	if !duration.GtUint64(nextBlock) {
		return true
	}
	for s := range t.env.observer.Sets().Members(bound.Sources()) {
		if s.Kind == shadow.FromCalldata && s.Offset != 0 {
			return true
		}
	}
	return slices.ContainsFunc(t.env.Deployment.Creations, func(c input.Creation) bool { return hasNumber(c.Args, duration) })
}

// hasNumber reports whether values have a number.
func hasNumber(values []input.Value, n *uint256.Int) bool {
	return slices.ContainsFunc(values, func(v input.Value) bool {
		return v.Type.Kind == input.KindUint && v.Word == *n || hasNumber(v.Elems, n)
	})
}

// since reports whether a point in time is far from when it was set. If no
// transaction of the Sequence set it, it is taken to be far.
func (t *timings) since(bound, now shadow.Word) bool {
	limit, here := bound.Value(), now.Value()
	last := len(t.clock) - 1
	near := false
	for s := range t.env.observer.Sets().Members(bound.Sources()) {
		if t.is(s.Kind) && s.Tx < last && s.Tx >= 0 {
			var set, reach, duration uint256.Int
			set.SubUint64(&here, t.clock[last]-t.clock[s.Tx])
			reach.AddUint64(&set, uint64(t.far))
			duration.Sub(&limit, &set)
			near = near || limit.Lt(&reach) && !t.harmless(bound, &duration)
		}
	}
	return !near
}

// is reports whether the oracle covers a taint kind.
func (t *timings) is(k shadow.Kind) bool {
	for _, kind := range t.reads {
		if kind == k {
			return true
		}
	}
	return false
}

func (t *timings) call(c *shadow.Call) {
	if wei := c.Value.Value(); c.Op == bytecode.CALL && !wei.IsZero() {
		t.transfer(c.Site, c.Value, c.Target)
	}
}

func (t *timings) destroy(s *shadow.SelfDestruct) { t.transfer(s.Site, s.Beneficiary) }

// transfer handles a transfer: its amount, its recipient (directly or as a list
// index), or whether it happens may depend on the block.
func (t *timings) transfer(at shadow.Site, what ...shadow.Word) {
	if !project(t.env, at.Frame) {
		return
	}
	var sets []shadow.Set
	for _, w := range what {
		sets = append(sets, w.Sources(), w.Index())
	}
	read, found := t.read(sets...)
	amount := found
	var named *ast.Node
	if !found && t.tainted(at.Control) {
		for _, d := range t.decisions {
			if !d.deadline {
				read, named, found = d.read, d.named, true
			}
		}
	}
	if found {
		r := t.suspect(read, at, amount)
		if r.Node = named; named == nil {
			r.Node = t.elsewhere(read, at.Frame)
		}
		t.reports = append(t.reports, r)
	}
}

// named finds where the condition of a branch names a covered property.
// Optimisers read a block property once for several uses.
func (t *timings) named(branch Site) *ast.Node {
	at, ok := t.env.source(branch)
	if !ok || at.Node == nil {
		return nil
	}
	condition := conditionOf(at.Node)
	if condition == nil && !at.Node.IsStatement() && !at.Imprecise() {
		condition = at.Node
	}
	return t.mention(condition)
}

// elsewhere returns the node to blame if a read is in another function than the
// called one: optimisers share code between functions.
func (t *timings) elsewhere(read Site, f *evm.Frame) *ast.Node {
	function, by := t.env.called(f), t.env.Blame([]Site{read}).Node
	if function == nil || by == nil {
		return nil
	}
	if in := by.Function(); in == function || in != nil && in.Attr("functionSelector") == "" {
		return nil
	}
	return t.mention(function.Child("body"))
}

// mention returns the first node below n that names a covered property.
func (t *timings) mention(n *ast.Node) *ast.Node {
	if n == nil {
		return nil
	}
	for _, n := range n.Find(ast.MemberAccess, ast.Identifier, ast.FunctionCall) {
		name, _, _ := strings.Cut(t.env.Text(n), "(")
		if kind, ok := answers[name]; ok && t.is(kind) {
			return n
		}
	}
	return nil
}

// answers are Solidity's names of block properties.
var answers = map[string]shadow.Kind{
	"block.timestamp": shadow.FromTimestamp, "now": shadow.FromTimestamp,
	"block.number": shadow.FromNumber, "block.coinbase": shadow.FromCoinbase, "block.gaslimit": shadow.FromGasLimit,
	"block.prevrandao": shadow.FromPrevrandao, "block.difficulty": shadow.FromPrevrandao,
	"blockhash": shadow.FromBlockHash, "block.blockhash": shadow.FromBlockHash,
}

// suspect returns the report of a transfer, to be confirmed in other blocks. If
// the block only decides what is paid, a transaction that fails in another block
// shows nothing: its sender says what it pays at most.
func (t *timings) suspect(read Site, at shadow.Site, amount bool) Report {
	trail := []Site{read}
	transfer := []Site{{at.Frame.Code, at.PC}}
	r := Report{
		Trail: trail, Contract: at.Frame.Self,
		Message: fmt.Sprintf("the block producer can choose what %s does: it depends on %s", t.env.Blame(transfer).name(), facts[read.Code.Bytes[read.PC]]),
		Related: []Related{{Trail: transfer, Message: "the transfer that depends on it"}},
	}
	seen := map[int64]*TxSummary{}
	for _, by := range t.shifts {
		by = max(by, -int64(min(t.late, uint64(t.far)))) // no block is older than its parent
		r.Variants = append(r.Variants, Variant{Block: func(b *evm.BlockContext) { t.shift(b, by) }})
	}
	r.Discriminators, r.Discriminates = r.Variants, pays
	next := 0
	r.Confirm = func(before, after *TxSummary) bool {
		if !amount || after.Status == before.Status {
			seen[t.shifts[next]] = after
		}
		next = (next + 1) % len(t.shifts)
		return next == 0 && blockMatters(before, seen)
	}
	return r
}
