package demand

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// The functions of the tests, by what they need: withdraw reads what deposit
// wrote for the same key, which reads what open wrote.
var withdraw, deposit, open = parse("withdraw(uint256)"), parse("deposit(uint256,uint256)"), parse("open(uint256)")

func parse(signature string) *input.Function {
	f, err := input.ParseSignature(signature)
	if err != nil {
		panic(err)
	}
	return f
}

// calling makes a Tx with numbers as arguments.
func calling(f *input.Function, args ...uint64) input.Tx {
	tx := input.Tx{From: input.User1, To: here, Function: f, Args: f.Zero()}
	for i, a := range args {
		tx.Args[i].Word.SetUint64(a)
	}
	return tx
}

func sequence(txs ...input.Tx) input.Sequence { return input.Sequence{Txs: txs} }

// entry is the word of a mapping at a slot.
func (d *Demand) entry(slot, key uint64) evm.Slot {
	var in [64]byte
	uint256.NewInt(key).WriteToSlice(in[:32])
	uint256.NewInt(slot).WriteToSlice(in[32:])
	d.Preimages.Add(in[:])
	return evm.Slot{Address: here, Key: crypto.Keccak256Hash(in[:])}
}

func plain(slot uint64) evm.Slot { return evm.Slot{Address: here, Key: uint256.NewInt(slot).Bytes32()} }

// Variables of the tests.
const (
	balances = 1 // a mapping
	opened   = 9 // a word
)

// bank is a Demand with samples of deposit and open.
func bank(r *rand.Rand) *Demand {
	d := New()
	d.AddSample(r, nil, calling(open, 3), nil, []evm.Slot{plain(opened)}, words(0), words(3))
	d.AddSample(r, nil, calling(deposit, 77, 5), []evm.Slot{plain(opened)}, []evm.Slot{d.entry(balances, 77)}, words(0), words(5))
	return d
}

func words(list ...uint64) (out []uint256.Int) {
	for _, n := range list {
		out = append(out, *uint256.NewInt(n))
	}
	return out
}

// wishes returns goals for words that are zero.
func wishes(slots []evm.Slot, want ...uint64) []SlotGoal {
	out := make([]SlotGoal, len(slots))
	for i := range slots {
		out[i] = SlotGoal{Slot: slots[i], Want: *uint256.NewInt(want[i])}
	}
	return out
}

// show makes a Sequence readable.
func show(s input.Sequence) (out []string) {
	for i := range s.Txs {
		line := s.Txs[i].Function.Name
		for j := range s.Txs[i].Args {
			line += " " + s.Txs[i].Args[j].Word.Dec()
		}
		out = append(out, line)
	}
	return out
}

// Lengthen inserts a writer of a wanted variable, mostly with the same key;
// sometimes it inserts before it a writer of what the writer reads.
func TestLengthenInsertsWriters(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := bank(r)
	s := sequence(calling(withdraw, 1234))
	reads := []evm.Slot{d.entry(balances, 1234)}
	if _, _, ok := d.Lengthen(r, s, reads); ok {
		t.Error("a function that is not marked is lengthened")
	}
	d.Mark(CalleeOf(s.Last()), reads)
	aligned, chained := 0, 0
	for range 400 {
		longer, first, ok := d.Lengthen(r, s, reads)
		if !ok || first != 0 {
			t.Fatalf("not lengthened: %v, %d, %v", show(longer), first, ok)
		}
		n := len(longer.Txs)
		if n < 2 || longer.Txs[n-1].Function != withdraw || longer.Txs[n-2].Function != deposit {
			t.Fatalf("%v", show(longer))
		}
		if longer.Txs[n-2].Args[0].Word == longer.Txs[n-1].Args[0].Word {
			aligned++
		}
		if n > 2 {
			if n > 3 || longer.Txs[0].Function != open {
				t.Fatalf("%v", show(longer))
			}
			chained++
		}
	}
	if aligned < 300 || chained < 100 || chained > 300 {
		t.Errorf("of 400, %d are aligned and %d chained", aligned, chained)
	}
	if len(s.Txs) != 1 || s.Txs[0].Args[0].Word.Uint64() != 1234 {
		t.Errorf("the sequence itself is changed: %v", show(s))
	}
}

// A mapping entry whose key is an actor is written by the same actor.
func TestWritersAreOfTheSameActor(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	of := func(a input.Actor) evm.Slot {
		var in [64]byte
		address := a.Address()
		copy(in[12:], address[:])
		in[63] = balances
		d.Preimages.Add(in[:])
		return evm.Slot{Address: here, Key: crypto.Keccak256Hash(in[:])}
	}
	buy := calling(parse("buy()"))
	buy.From = input.User2
	d.AddSample(r, nil, buy, nil, []evm.Slot{of(input.User2)}, words(0), words(1))
	s := sequence(calling(withdraw, 0)) // by User1
	reads := []evm.Slot{of(input.User1)}
	d.Mark(CalleeOf(s.Last()), reads)
	same := 0
	for range 100 {
		longer, _, ok := d.Lengthen(r, s, reads)
		if !ok || len(longer.Txs) != 2 {
			t.Fatalf("%v, %v", show(longer), ok)
		}
		if longer.Txs[0].From == longer.Txs[1].From {
			same++
		}
	}
	if same < 80 {
		t.Errorf("of 100, %d are by the same actor", same)
	}
}

// The sequence for a StateGoal writes the wanted values to the wanted words.
func TestDreamsAreFulfilled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := bank(r)
	s := sequence(calling(withdraw, 1234))
	d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes([]evm.Slot{d.entry(balances, 1234), plain(opened)}, 4321, 99)})
	fulfilled := 0
	for range 400 {
		longer, _, ok := d.Lengthen(r, s, nil)
		if !ok {
			t.Fatalf("not lengthened: %v", show(longer))
		}
		deposits := slices.ContainsFunc(longer.Txs, func(tx input.Tx) bool {
			return tx.Function == deposit && tx.Args[0].Word.Uint64() == 1234 && tx.Args[1].Word.Uint64() == 4321
		})
		opens := slices.ContainsFunc(longer.Txs, func(tx input.Tx) bool {
			return tx.Function == open && tx.Args[0].Word.Uint64() == 99
		})
		if deposits && opens {
			fulfilled++
		}
	}
	if fulfilled < 30 {
		t.Errorf("of 400, %d fulfil the dream", fulfilled)
	}
}

// A mark gets credit whenever it is marked, spends it on every sequence, and is
// inactive without credit.
func TestCredit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := bank(r)
	s := sequence(calling(withdraw, 1))
	callee := CalleeOf(s.Last())
	reads := []evm.Slot{d.entry(balances, 1)}
	if d.MarkOf(callee) != nil || len(d.Marked()) != 0 {
		t.Error("marked before anybody wants anything")
	}
	for range 2 {
		d.Mark(callee, reads)
		d.Mark(callee, reads) // credit is reset, not added up
		for i := range credits {
			if m := d.MarkOf(callee); m == nil || len(d.Marked()) != 1 || d.Marked()[0] != m {
				t.Fatalf("spent after %d sequences", i)
			}
			d.Lengthen(r, s, reads)
		}
		if _, _, ok := d.Lengthen(r, s, reads); ok || d.MarkOf(callee) != nil || len(d.Marked()) != 0 {
			t.Error("more sequences than credit")
		}
	}
}

// Sequences keep their maximal length and their Deployment.
func TestLengthIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := bank(r)
	s := sequence(calling(withdraw, 1))
	s.Deployment = &input.Deployment{}
	reads := []evm.Slot{d.entry(balances, 1)}
	d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes(reads, 7)})
	longest := 0
	for range 2000 {
		longer, first, ok := d.Lengthen(r, s, reads)
		if !ok {
			continue
		}
		if len(longer.Txs) > maxLength || first < 0 || first >= len(longer.Txs) || longer.Deployment != s.Deployment || longer.Last().Function != withdraw {
			t.Fatalf("first new %d: %v", first, show(longer))
		}
		if longest = max(longest, len(longer.Txs)); len(longer.Txs) > len(s.Txs) {
			s = longer
		}
	}
	if longest < maxLength-maxChain {
		t.Errorf("the longest has %d", longest)
	}
}

// UnwrittenGoal draws all words of StateGoals that no sample writes.
func TestUnwritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := bank(r)
	s := sequence(calling(withdraw, 1))
	if _, _, ok := d.UnwrittenGoal(r); ok {
		t.Error("no dream asks for anything")
	}
	d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes([]evm.Slot{d.entry(balances, 1)}, 1)})
	if _, _, ok := d.UnwrittenGoal(r); ok {
		t.Error("deposit writes all that is asked for")
	}
	d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes([]evm.Slot{plain(50), plain(opened), plain(51)}, 2, 3, 4)})
	seen := map[common.Hash]int{}
	for range 200 {
		dream, i, ok := d.UnwrittenGoal(r)
		if !ok {
			t.Fatal("nothing is unwritten")
		}
		seen[dream.Slots[i].Key]++
	}
	if len(seen) != 2 || seen[plain(50).Key] < 50 || seen[plain(51).Key] < 50 {
		t.Errorf("%v", seen)
	}
}

// Pools are bounded, and the newest StateGoals are kept.
func TestPoolsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	s := sequence(calling(withdraw, 1))
	for i := range uint64(5 * poolSize) {
		d.AddSample(r, s.Txs, calling(open, i), nil, []evm.Slot{plain(opened)}, words(0), words(i+1))
		d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes([]evm.Slot{plain(opened)}, i)})
	}
	mark := d.MarkOf(CalleeOf(s.Last()))
	dreams := mark.goals
	if len(mark.satisfied) > maxSatisfied {
		t.Errorf("%d attempts wait", len(mark.satisfied))
	}
	if len(d.samples) != 1 || len(d.sequences) != poolSize || len(dreams) != maxGoals || dreams[maxGoals-1].Slots[0].Want.Uint64() != 5*poolSize-1 {
		t.Errorf("%d functions, %d sequences, %d dreams", len(d.samples), len(d.sequences), len(dreams))
	}
	for _, list := range d.samples {
		if len(list) != poolSize {
			t.Errorf("%d samples", len(list))
		}
	}
	d.AddSample(r, nil, calling(deposit, 1, 2), nil, nil, nil, nil)
	if len(d.samples) != 1 {
		t.Error("a transaction that wrote nothing is kept")
	}
}

// Equal seeds give equal sequences.
func TestDeterminism(t *testing.T) {
	story := func() (lines []string) {
		r := rand.New(rand.NewPCG(7, 8))
		d := bank(r)
		s := sequence(calling(open, 1), calling(withdraw, 1))
		for i := range uint64(300) {
			reads := []evm.Slot{d.entry(balances, i%5), plain(opened)}
			switch i % 3 {
			case 0:
				d.AddSample(r, s.Txs, calling(deposit, i, i), reads, []evm.Slot{d.entry(balances, i)}, words(0), words(i))
			case 1:
				d.AddGoal(r, StateGoal{Sequence: s, Slots: wishes(reads, i, i)})
			}
			longer, first, ok := d.Lengthen(r, s, reads)
			lines = append(lines, fmt.Sprint(show(longer), first, ok))
		}
		return lines
	}
	once := story()
	for range 3 {
		if again := story(); !slices.Equal(once, again) {
			t.Fatal("two runs differ")
		}
	}
}
