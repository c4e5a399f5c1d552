package demand

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

var close, approve = parse("close(uint256)"), parse("approve(address,uint256)")

// ready lists all waiting attempts.
func ready(r *rand.Rand, d *Demand) (out [][]string, origins []any) {
	for {
		a, ok := d.NextAttempt(r)
		if !ok {
			return out, origins
		}
		out, origins = append(out, show(a.Sequence)), append(origins, a.Origin)
	}
}

// A StateGoal gets the Txs that once led to its state, whichever of the two is
// added first.
func TestReadyKnowsTheWay(t *testing.T) {
	way := []string{"open 3", "deposit 1 2", "close 7"}
	s := sequence(calling(close, 7))
	dream := StateGoal{Sequence: s, Slots: wishes([]evm.Slot{plain(opened)}, 5), Origin: "close"}
	reach := func(r *rand.Rand, d *Demand) {
		d.AddSample(r, sequence(calling(open, 3)).Txs, calling(deposit, 1, 2), nil, []evm.Slot{plain(opened)}, words(3), words(5))
	}
	for _, first := range []bool{true, false} {
		r := rand.New(rand.NewPCG(1, 2))
		d := New()
		if first {
			reach(r, d)
		}
		d.AddGoal(r, dream)
		if !first {
			reach(r, d)
		}
		all, origins := ready(r, d)
		if !slices.ContainsFunc(all, func(s []string) bool { return slices.Equal(s, way) }) {
			t.Errorf("state known first %v: %v", first, all)
		}
		if slices.ContainsFunc(origins, func(o any) bool { return o != "close" }) {
			t.Errorf("%v", origins)
		}
		if again, _ := ready(r, d); len(again) > 0 {
			t.Errorf("told twice: %v", again)
		}
	}
}

// The goals of a function have their turns, however many samples write what another
// function wants.
func TestTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	d.AddSample(r, nil, calling(deposit, 1, 2), nil, []evm.Slot{plain(40)}, words(0), words(1))
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(close, 7)), Slots: wishes([]evm.Slot{plain(opened)}, 5)})
	for i := range uint64(2 * maxSatisfied) {
		d.AddSample(r, nil, calling(open, i), nil, []evm.Slot{plain(opened)}, words(0), words(5))
	}
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(withdraw, 1)), Slots: wishes([]evm.Slot{plain(40)}, 9)})
	for n := 1; ; n++ {
		a, ok := d.NextAttempt(r)
		if !ok {
			t.Fatal("the goal of withdraw got no attempt")
		}
		if a.Sequence.Last().Function == withdraw {
			if n > 2*len(d.order) {
				t.Errorf("it waited for %d attempts", n)
			}
			break
		}
	}
}

// A goal whose attempts are spent gets others when another function is found to write
// what it wants.
func TestNewWriter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	d.AddSample(r, nil, calling(open, 3), nil, []evm.Slot{plain(opened)}, words(0), words(3))
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(close, 7)), Slots: wishes([]evm.Slot{plain(opened)}, 5)})
	if all, _ := ready(r, d); len(all) != minTries {
		t.Fatalf("%d attempts", len(all))
	}
	d.AddSample(r, nil, calling(deposit, 1, 2), nil, []evm.Slot{plain(opened)}, words(0), words(4))
	all, _ := ready(r, d)
	if !slices.ContainsFunc(all, func(s []string) bool { return strings.HasPrefix(s[len(s)-2], "deposit") }) {
		t.Errorf("after a sample of deposit: %v", all)
	}
}

// Only the relevant bits have to match.
func TestMask(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		mask    uint64
		granted bool
	}{{0, false}, {0xff, true}, {0xfff, false}} {
		d := New()
		d.AddSample(r, nil, calling(open, 1), nil, []evm.Slot{plain(opened)}, words(0), words(0xa05))
		d.AddGoal(r, StateGoal{Sequence: sequence(calling(close, 7)), Slots: []SlotGoal{{Slot: plain(opened), Want: *uint256.NewInt(5), Mask: *uint256.NewInt(test.mask)}}})
		if granted := len(d.order[0].satisfied) > 0; granted != test.granted {
			t.Errorf("mask %#x: %v", test.mask, granted)
		}
	}
}

// A function that counts up is called as often as needed.
func TestCounting(t *testing.T) {
	for _, test := range []struct {
		before, after, have, want uint64
		times                     int
	}{{0, 1, 0, 5, 5}, {4, 7, 1, 10, 3}, {9, 8, 6, 2, 4}, {0, 3, 0, 5, 1}, {0, 1, 0, 1000, 1}, {3, 3, 0, 2, 1}, {0, 1, 5, 2, 1}} {
		s := Sample{Before: words(test.before), Values: words(test.after)}
		wish := SlotGoal{Have: *uint256.NewInt(test.have), Want: *uint256.NewInt(test.want)}
		if times := s.times(0, &wish); times != test.times {
			t.Errorf("%+v: %d", test, times)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	d.AddSample(r, nil, calling(open, 1), nil, []evm.Slot{plain(opened)}, words(0), words(1))
	s := sequence(calling(close, 7))
	counted := 0
	for range 200 {
		if longer, _ := d.satisfy(r, &StateGoal{Sequence: s, Slots: wishes([]evm.Slot{plain(opened)}, 5)}, -1); len(longer.Txs) == 6 {
			counted++
		}
	}
	if counted < 20 {
		t.Errorf("of 200, %d count", counted)
	}
}

// If an address is both the actor's and an argument, either may be the key to
// replace.
func TestAlignmentOfTheSameAddressTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one, two := input.User1.Address(), input.User2.Address()
	word := func(a common.Address) uint256.Int { return *new(uint256.Int).SetBytes20(a[:]) }
	tx := input.Tx{From: input.User1, To: here, Function: approve, Args: approve.Zero()}
	tx.Args[0].Word = word(one)
	have := VariableWord{Keys: []uint256.Int{word(one), word(one)}}
	want := VariableWord{Keys: []uint256.Int{word(two), word(one)}}
	right := 0
	for range 100 {
		aligned, at := New().alignTo(r, tx, have, want)
		if aligned.From == input.User2 && aligned.Args[0].Word == word(one) && slices.Equal(at.Keys, want.Keys) {
			right++
		}
	}
	if right < 25 {
		t.Errorf("of 100, %d have another owner", right)
	}
}

// Another sender is the key only if it may send the transaction.
func TestAlignmentOfSenders(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	whale := input.Actor{0xaa}
	key := func(a input.Actor) VariableWord {
		address := a.Address()
		return VariableWord{Keys: []uint256.Int{*new(uint256.Int).SetBytes20(address[:])}}
	}
	f := withdraw.SentBy([]input.Actor{input.User1, whale})
	tx := input.Tx{From: input.User1, To: here, Function: f, Args: f.Zero()}
	if aligned, _ := New().alignTo(r, tx, key(input.User1), key(whale)); aligned.From != whale {
		t.Errorf("sent by %s", aligned.From)
	}
	if aligned, _ := New().alignTo(r, tx, key(input.User1), key(input.User2)); aligned.From != input.User1 {
		t.Errorf("sent by %s, who may not", aligned.From)
	}
}

// Values besides the wanted one that satisfy a goal.
func TestElse(t *testing.T) {
	for _, row := range []struct {
		have, want, mask, got uint64
		or                    Accept
		granted               bool
	}{
		{10, 20, 0, 20, Exact, true}, {10, 20, 0, 21, Exact, false},
		{10, 20, 0, 21, Beyond, true}, {10, 20, 0, 19, Beyond, false},
		{10, 5, 0, 4, Beyond, true}, {10, 5, 0, 20, Beyond, false},
		{10, 11, 0, 3, AnyOther, true}, {10, 11, 0, 10, AnyOther, false},
		{0xa10, 0xa20, 0xff, 0xb21, Beyond, true}, {0xa10, 0xa20, 0xff, 0xb1f, Beyond, false},
	} {
		w := SlotGoal{Have: *uint256.NewInt(row.have), Want: *uint256.NewInt(row.want), Mask: *uint256.NewInt(row.mask), Accept: row.or}
		if w.satisfied(uint256.NewInt(row.got)) != row.granted {
			t.Errorf("%+v", row)
		}
	}
}

// A goal moves towards the present value, within its bits.
func TestMove(t *testing.T) {
	for _, row := range []struct{ have, want, mask, far, to, moved uint64 }{
		{10, 50, 0, 40, 8, 18}, {50, 10, 0, 40, 8, 42},
		{0x1230, 0x5630, 0xff00, 0x44, 1, 0x1330}, {0x5630, 0x1230, 0xff00, 0x44, 4, 0x5230},
	} {
		w := SlotGoal{Have: *uint256.NewInt(row.have), Want: *uint256.NewInt(row.want), Mask: *uint256.NewInt(row.mask)}
		if far := w.Distance(); far.Uint64() != row.far {
			t.Errorf("%+v: distance %v", row, &far)
		}
		if w.Move(uint256.NewInt(row.to)); w.Want.Uint64() != row.moved {
			t.Errorf("%+v: moved to %#x", row, w.Want.Uint64())
		}
	}
}

// A transfer is changed so that the wanted account gets the missing amount,
// even if the sender's balance would allow the unchanged one.
func TestTransfersBringTheDifference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	pay := parse("pay(uint256,uint256)") // to whom, how much
	both := []evm.Slot{d.entry(balances, 5), d.entry(balances, 77)}
	d.AddSample(r, nil, calling(pay, 77, 9), both, both, words(1000, 30), words(991, 39))
	wish := SlotGoal{Slot: d.entry(balances, 1234), Have: *uint256.NewInt(200), Want: *uint256.NewInt(700), Accept: Beyond}
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(withdraw, 1234)), Slots: []SlotGoal{wish}})
	if a, ok := d.NextAttempt(r); !ok || !slices.Equal(show(a.Sequence), []string{"pay 1234 500", "withdraw 1234"}) {
		t.Errorf("%v, %v comes first", show(a.Sequence), ok)
	}
}

// All functions that can write the wanted value take turns.
func TestHopesTakeTurns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	for _, f := range []*input.Function{open, deposit, close} {
		d.AddSample(r, nil, calling(f, 1), nil, []evm.Slot{plain(opened)}, words(0), words(1))
	}
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(withdraw, 7)), Slots: wishes([]evm.Slot{plain(opened)}, 50)})
	who := map[string]bool{}
	all, _ := ready(r, d)
	for _, s := range all[:3] {
		who[strings.Fields(s[0])[0]] = true
	}
	if len(who) != 3 || len(all) != 6 {
		t.Errorf("%v", all)
	}
}

// No transaction before the reported first new one is new, also if a StateGoal
// has other transactions before its last.
func TestNothingNewBeforeTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	d.AddSample(r, []input.Tx{calling(open, 3)}, calling(open, 1), nil, []evm.Slot{plain(opened)}, words(0), words(1))
	d.AddGoal(r, StateGoal{Sequence: sequence(calling(open, 2), calling(close, 7)), Slots: wishes([]evm.Slot{plain(opened)}, 5)})
	s := sequence(calling(open, 9), calling(open, 8), calling(close, 7))
	made := 0
	for range 200 {
		longer, first, ok := d.Lengthen(r, s, []evm.Slot{plain(opened)})
		if !ok {
			continue
		}
		made++
		for i := range longer.Txs[:first] {
			if longer.Txs[i].Args[0].Word != s.Txs[i].Args[0].Word {
				t.Fatalf("transaction %d is new, before %d", i, first)
			}
		}
	}
	if made < 100 {
		t.Errorf("only %d are longer", made)
	}
}
