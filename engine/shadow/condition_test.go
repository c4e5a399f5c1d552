package shadow

import (
	"fmt"
	"sort"
	"strings"
	"testing"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
)

// conditions are calls of testdata/Conditions.sol with the distance at which
// the condition of the source turns over; 0 where the source leaves it open.
var conditions = []struct {
	method string
	args   []any
	wei    uint64
	flip   uint64
}{
	{"uintLess", []any{10, 3}, 0, 8},
	{"uintLess", []any{3, 10}, 0, 7},
	{"uintLessEqual", []any{10, 3}, 0, 7},
	{"uintLessEqual", []any{3, 10}, 0, 8},
	{"uintGreater", []any{3, 10}, 0, 8},
	{"uintGreater", []any{10, 3}, 0, 7},
	{"uintGreaterEqual", []any{3, 10}, 0, 7},
	{"uintGreaterEqual", []any{10, 3}, 0, 8},
	{"uintEqual", []any{10, 3}, 0, 7},
	{"uintEqual", []any{3, 3}, 0, 1},
	{"uintDiffer", []any{10, 3}, 0, 7},
	{"uintDiffer", []any{3, 3}, 0, 1},
	{"uint8Less", []any{200, 30}, 0, 171},
	{"uint64Equal", []any{500, 30}, 0, 470},
	{"uint128Differ", []any{500, 30}, 0, 470},
	{"int256Less", []any{-5, -10}, 0, 6},
	{"int256Less", []any{-10, 25}, 0, 35},
	{"int8Greater", []any{-100, 100}, 0, 201},
	{"int64Equal", []any{50, 20}, 0, 30},
	{"int64Equal", []any{-5, 20}, 0, 25},
	{"intNegative", []any{44}, 0, 45},
	{"intNegative", []any{-44}, 0, 44},
	{"addressEqual", []any{0x99, 0x42}, 0, 0x57},
	{"senderEqual", []any{0x99}, 0, 0},
	{"boolBare", []any{1}, 0, 1},
	{"boolBare", []any{0}, 0, 1},
	{"boolEqual", []any{0, 1}, 0, 1},
	{"enumEqual", []any{0}, 0, 1},
	{"enumEqual", []any{1}, 0, 1},
	{"bytes4Equal", []any{common.Hash{0xde, 0xad, 0xbe, 0xef}}, 0, 1},
	{"bytes4Equal", []any{common.Hash{0xde, 0xad}}, 0, 0},
	{"bytes32Equal", []any{100, 42}, 0, 58},
	{"both", []any{10, 9}, 0, 7},
	{"both", []any{2, 9}, 0, 4},
	{"either", []any{2, 9}, 0, 7},
	{"either", []any{11, 9}, 0, 6},
	{"negated", []any{7, 4}, 0, 3},
	{"negated", []any{7, 7}, 0, 1},
	{"ternary", []any{40, 3}, 0, 60},
	{"ternaryBool", []any{9, 1}, 0, 3},
	{"ternaryBool", []any{3, 4}, 0, 6},
	{"nested", []any{2, 9}, 0, 41},
	{"nested", []any{17, 9}, 0, 15},
	{"modified", []any{3, 10}, 0, 8},
	{"modifiedTwice", []any{30, 10}, 0, 16},
	{"inner", []any{3, 10}, 0, 8},
	{"innerNot", []any{23, 10}, 0, 13},
	{"innerEarly", []any{3, 10}, 0, 8},
	{"innerEarly", []any{13, 10}, 0, 3},
	{"innerNamed", []any{3, 10}, 0, 7},
	{"innerNamed", []any{10, 10}, 0, 1},
	{"innerBoth", []any{10, 9}, 0, 7},
	{"stored", []any{3, 10}, 0, 8},
	{"stored", []any{30, 10}, 0, 20},
	{"libraryCall", []any{33}, 0, 13},
	{"libraryCall", []any{3}, 0, 7},
	{"structMember", []any{400}, 0, 600},
	{"structSigned", []any{-50}, 0, 31},
	{"packedCredit", []any{700}, 0, 201},
	{"packedSince", []any{100}, 0, 23},
	{"packedActive", []any{1}, 0, 1},
	{"packedActive", []any{0}, 0, 1},
	{"packedPhase", []any{2}, 0, 1},
	{"packedOwner", []any{0x1200}, 0, 0x34},
	{"memoryStruct", []any{100, 5}, 0, 16},
	{"memoryStruct", []any{4, 5}, 0, 7},
	{"mapped", []any{77}, 0, 77},
	{"mappedBool", []any{0x99}, 0, 1},
	{"arrayLength", []any{7}, 0, 6},
	{"arrayElement", []any{1, 20}, 0, 11},
	{"arrayElement", []any{5, 20}, 0, 4},
	{"stringLength", []any{"leveret"}, 0, 2},
	{"stringEqual", []any{"lever"}, 0, 0},
	{"stringEqual", []any{"leveret"}, 0, 1},
	{"bytesElement", []any{"AAA"}, 0, 1},
	{"bytesElement", []any{"ABA"}, 0, 0},
	{"value", nil, 700, 300},
	{"time", []any{1_700_000_009}, 0, 10},
	{"blockNumber", []any{160}, 0, 60},
	{"loop", []any{5}, 0, 5},
	{"doWhile", []any{100}, 0, 0},
	{"arrayLoop", []any{[]int{1, 50, 42}}, 0, 41},
	{"remainder", []any{17}, 0, 4},
	{"affine", []any{10, 100}, 0, 63},
	{"masked", []any{0x1ff, 0x33}, 0, 0xcc},
	{"shifted", []any{0x1ff, 0x10}, 0, 0xf},
	{"narrowed", []any{0x1ff, 0x33}, 0, 0xcc},
	{"bit", []any{8}, 0, 1},
	{"bit", []any{7}, 0, 1},
	{"xored", []any{17, 5}, 0, 12},
	{"complement", []any{17, 5}, 0, 0},
	{"asserted", []any{20}, 0, 11},
	{"asserted", []any{31}, 0, 1},
	{"required", []any{20, 7}, 0, 17},
	{"subtract", []any{20, 37}, 0, 17},
	{"multiply", []any{20, 37}, 0, 1},
	{"checkedNarrow", []any{100, 50}, 0, 0},
	{"external1", []any{3, 10}, 0, 8},
	{"sends", []any{3, 10}, 0, 4},
	{"recover", []any{5, 27, 7, 9, 0x1234}, 0, 0},
	{"flagged", []any{1}, 0, 1},
	{"boolCompared", []any{10, 2}, 0, 4},
	{"boolDiffers", []any{12, 8}, 0, 3},
	{"isTrue", []any{9}, 0, 4},
	{"isFalse", []any{1}, 0, 5},
}

// share counts branches of user source and those that got a cost.
type share struct{ seen, costed, fixed, inferred, static, learned int }

func (s share) String() string {
	p := func(n int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(1, s.seen))) }
	return fmt.Sprintf("%5d branches, cost %s (%d of constants, %d inferred), static %s, static or learned %s",
		s.seen, p(s.costed), s.fixed, s.inferred, p(s.static), p(s.learned))
}

// TestConditions runs every row under every compiler and setting: the share
// of executed JUMPIs of user source that get a cost, and that the cost is
// zero for the outcome taken only.
func TestConditions(t *testing.T) {
	for _, c := range contracts(t) {
		t.Run(c.name(), func(t *testing.T) {
			o := New(NewState())
			o.Resolver = NewResolver()
			s := deploy(t, c.code(), o.Hooks())
			user := c.userSource()
			var total share
			unresolved := map[string]int{}
			for _, row := range conditions {
				state := o.State().clone()
				o.Attach(state)
				s.call(c.pack(t, row.method, row.args), row.wei, o.Hooks())
				if o.Desyncs > 0 {
					t.Fatalf("%s: %d words lost", row.method, o.Desyncs)
				}
				flips := checkDecisions(t, o, row.method)
				if row.flip != 0 && !flips[row.flip] {
					t.Errorf("%s%v: no branch flips at distance %d\n%s", row.method, row.args, row.flip, decisions(o))
				}
				tally(o, c.Text, s.world.Code(s.at), user, &total, func(d *Decision) {
					span := user[d.PC]
					unresolved[row.method+": "+oneLine(c.Text[span[0]:span[1]])+" "+d.Condition.String()]++
				})
			}
			t.Logf("%-24s %s", c.name(), total)
			for _, line := range keys(unresolved) {
				t.Logf("no cost: %s", line)
			}
			if 100*total.costed < 98*total.seen {
				t.Errorf("only %d of %d branches have a cost", total.costed, total.seen)
			}
		})
	}
}

// checkDecisions demands what Cost promises and returns the distances of the
// outcomes that did not happen.
func checkDecisions(t *testing.T, o *Observer, method string) map[uint64]bool {
	t.Helper()
	flips := map[uint64]bool{}
	for _, d := range o.Branches {
		took, other := d.Condition.Cost(d.Taken), d.Condition.Cost(!d.Taken)
		if d.Condition.Holds() != d.Taken || !took.IsZero() || other.IsZero() {
			t.Errorf("%s: pc %d taken %v, cost %s and %s of %s", method, d.PC, d.Taken, took.Hex(), other.Hex(), d.Condition)
		}
		if other.IsUint64() {
			flips[other.Uint64()] = true
		}
	}
	return flips
}

func tally(o *Observer, text string, code *evm.Code, user map[uint64][2]int, total *share, missing func(*Decision)) {
	for _, d := range o.Branches {
		if span, ok := user[d.PC]; !ok || d.Code != code || made(text[span[0]:span[1]]) {
			continue
		}
		total.seen++
		if d.Condition.Resolved() {
			total.costed++
		} else {
			missing(&d)
		}
		if d.Condition.Fixed() {
			total.fixed++
		}
		for l := range d.Condition.Leaves {
			if l.Inferred {
				total.inferred++
				break
			}
		}
		list := o.Resolver.Lookup(code, d.PC)
		if len(list) == 1 && !list[0].Learned {
			total.static++
		}
		if !o.Resolver.needsShadow(code, d.PC) {
			total.learned++
		}
	}
}

// made reports whether the branches of a span are the compiler's: of the
// dispatcher or of the decoding of arguments.
func made(text string) bool {
	return strings.HasPrefix(text, "contract ") || strings.HasPrefix(text, "function ")
}

func decisions(o *Observer) string {
	var b strings.Builder
	for _, d := range o.Branches {
		cost := d.Condition.Cost(!d.Taken)
		fmt.Fprintf(&b, "  pc %d taken %v: %s  flip %s\n", d.PC, d.Taken, d.Condition, cost.Hex())
	}
	return b.String()
}

func oneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 60 {
		s = s[:60] + "…"
	}
	return s
}

func keys(m map[string]int) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
