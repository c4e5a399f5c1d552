package replay

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// TestDropIsMinimal demands a result that fails, that is a part of the
// original in its order, and that no single element can be taken from; for
// predicates of all sorts, monotone or not.
func TestDropIsMinimal(t *testing.T) {
	predicates := map[string]func([]int) bool{
		"one element":      func(s []int) bool { return slices.Contains(s, 7) },
		"two elements":     func(s []int) bool { return slices.Contains(s, 3) && slices.Contains(s, 12) },
		"an order":         func(s []int) bool { i, k := slices.Index(s, 2), slices.Index(s, 9); return i >= 0 && k > i },
		"a number of them": func(s []int) bool { return len(s) >= 5 },
		"an odd number":    func(s []int) bool { return len(s)%2 == 1 },
		"a sum": func(s []int) bool {
			n := 0
			for _, x := range s {
				n += x
			}
			return n >= 40
		},
		"anything": func([]int) bool { return true },
	}
	for name, fails := range predicates {
		for length := 1; length <= 17; length++ {
			seq := make([]int, length)
			for i := range seq {
				seq[i] = i
			}
			if !fails(seq) {
				continue
			}
			original := slices.Clone(seq)
			budget := 10000
			got := Drop(seq, fails, &budget)
			if !fails(got) || !partOf(got, original) || !slices.Equal(seq, original) {
				t.Fatalf("%s: %v from %v", name, got, original)
			}
			for i := range got {
				if shorter := slices.Concat(got[:i], got[i+1:]); fails(shorter) {
					t.Errorf("%s: %v is not minimal, %v fails too", name, got, shorter)
				}
			}
		}
	}
}

// partOf reports whether part is what is left of whole.
func partOf(part, whole []int) bool {
	for _, x := range whole {
		if len(part) > 0 && part[0] == x {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func TestDropKeepsToItsBudget(t *testing.T) {
	for budget := range 40 {
		seq := make([]int, 30)
		asked, left := 0, budget
		Drop(seq, func(s []int) bool { asked++; return len(s) > 3 }, &left)
		if asked > budget || left != budget-asked {
			t.Fatalf("budget %d: asked %d times, %d left", budget, asked, left)
		}
	}
}

// transfer is a function whose Parameters are of several kinds.
func transfer(t testing.TB) *input.Function {
	f, err := input.ParseSignature("f(uint256,int64,address,bytes4,bool)")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// randomSequence draws Txs of f.
func randomSequence(r *rand.Rand, f *input.Function, txs int) input.Sequence {
	var s input.Sequence
	for range txs {
		tx := input.Tx{From: input.Actors[r.IntN(len(input.Actors))], To: common.HexToAddress("0xaa"), Function: f, Args: f.Zero()}
		for _, p := range input.Parameters(&tx) {
			w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
			tx = input.Set(&tx, &p, *w.Rsh(&w, uint(r.IntN(256))))
		}
		s.Txs = append(s.Txs, tx)
	}
	return s
}

// weight orders words by how plain they are to a reader.
func weight(tx *input.Tx) (sum []uint256.Int) {
	for _, p := range input.Parameters(tx) {
		w := input.Get(tx, &p)
		size, _ := magnitude(p.Word, w)
		sum = append(sum, size)
	}
	return sum
}

// TestShrinkSimplifies runs Shrink with predicates of which the plainest
// answer is known.
func TestShrinkSimplifies(t *testing.T) {
	f := transfer(t)
	args := func(s input.Sequence, i int) *input.Value { return &s.Last().Args[i] }
	for name, c := range map[string]struct {
		fails func(input.Sequence) bool
		want  string
	}{
		"nothing matters": {func(s input.Sequence) bool { return true },
			"f(0, 0, 0x0000000000000000000000000000000000000000, 0x00000000, false)"},
		"a bound": {func(s input.Sequence) bool { return args(s, 0).Word.GtUint64(41) },
			"f(42, 0, 0x0000000000000000000000000000000000000000, 0x00000000, false)"},
		"a sign": {func(s input.Sequence) bool { return args(s, 1).Word.Sign() < 0 },
			"f(0, -1, 0x0000000000000000000000000000000000000000, 0x00000000, false)"},
		"somebody": {func(s input.Sequence) bool { return !args(s, 2).Word.IsZero() },
			"f(0, 0, user1, 0x00000000, false)"},
		"left-aligned": {func(s input.Sequence) bool { return !args(s, 3).Word.IsZero() },
			"f(0, 0, 0x0000000000000000000000000000000000000000, 0x00000001, false)"},
		"a flag": {func(s input.Sequence) bool { return !args(s, 4).Word.IsZero() },
			"f(0, 0, 0x0000000000000000000000000000000000000000, 0x00000000, true)"},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		s := randomSequence(r, f, 6)
		for !c.fails(s) {
			s = randomSequence(r, f, 6)
		}
		got := Shrink(s, c.fails, 5000)
		if len(got.Txs) != 1 {
			t.Errorf("%s: %d transactions are left", name, len(got.Txs))
		}
		if line := got.Describe(nil)[0]; line != "user1 calls 0x00000000000000000000000000000000000000AA."+c.want {
			t.Errorf("%s: %s, want %s", name, line, c.want)
		}
	}
}

// TestShrinkNeverLies holds Shrink against predicates without any sense: it
// returns nothing that does not fail, makes no word larger, keeps to its budget
// and leaves what it was given alone.
func TestShrinkNeverLies(t *testing.T) {
	f := transfer(t)
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := randomSequence(r, f, 1+r.IntN(5))
		before := s.String()
		salt := r.Uint64()
		asked := 0
		fails := func(s input.Sequence) bool {
			asked++
			return s.String() == before || hash(s.String(), salt)%3 == 0
		}
		budget := r.IntN(800)
		got := Shrink(s, fails, budget)
		if asked > budget {
			t.Fatalf("seed %d: asked %d times of %d", seed, asked, budget)
		}
		if !fails(got) || s.String() != before || len(got.Txs) == 0 {
			t.Fatalf("seed %d: %s became %s", seed, before, got)
		}
	}
}

// TestSimplifyIsMonotone checks every single step: a proposed word is plainer
// than the one it replaces, so that shrinking ends.
func TestSimplifyIsMonotone(t *testing.T) {
	f := transfer(t)
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		s := randomSequence(r, f, 1)
		tx := &s.Txs[0]
		for i, p := range input.Parameters(tx) {
			was := weight(tx)
			for _, w := range plainerWords(tx, &p) {
				next := input.Set(tx, &p, w)
				now := weight(&next)
				if p.Kind == input.ParamActor || p.Of != nil && p.Of.Kind == input.KindAddress {
					continue // ordered by who they are
				}
				if !now[i].Lt(&was[i]) {
					t.Fatalf("%s: %s is no plainer than %s", tx.Function.Signature, now[i].Hex(), was[i].Hex())
				}
			}
		}
	}
}

// TestPlainerActorsEnd walks down the order of actors and addresses.
func TestPlainerActorsEnd(t *testing.T) {
	f := transfer(t)
	senders := func(w uint256.Int) (list []uint256.Int) {
		tx := input.Tx{From: input.Actor(w.Bytes20()), Function: f}
		for _, index := range plainerSenders(&tx) {
			address := f.MaySend()[index.Uint64()].Address()
			list = append(list, *new(uint256.Int).SetBytes(address[:]))
		}
		return list
	}
	for _, list := range []func(uint256.Int) []uint256.Int{senders, plainerAddresses} {
		longest := 0
		var walk func(w uint256.Int, depth int)
		walk = func(w uint256.Int, depth int) {
			if longest = max(longest, depth); depth > 8 {
				t.Fatal("the order has a circle")
			}
			for _, next := range list(w) {
				walk(next, depth+1)
			}
		}
		for _, a := range input.Actors {
			address := a.Address()
			walk(*new(uint256.Int).SetBytes(address[:]), 0)
		}
		if longest == 0 {
			t.Error("nothing is plainer than anything")
		}
	}
}

// Senders become simpler: first the actors of every campaign, then those that
// are listed before.
func TestPlainerSenders(t *testing.T) {
	whale, other := input.Actor{1}, input.Actor{2}
	f := transfer(t).SentBy([]input.Actor{whale, input.Deployer, other, input.User2})
	for _, row := range []struct {
		from input.Actor
		want []uint64
	}{
		{input.User2, nil},
		{input.Deployer, []uint64{3}},
		{whale, []uint64{3, 1}},
		{other, []uint64{3, 1, 0}},
		{input.Actor{3}, []uint64{3, 1, 0, 2}}, // not in the list
	} {
		var got []uint64
		for _, w := range plainerSenders(&input.Tx{From: row.from, Function: f}) {
			got = append(got, w.Uint64())
		}
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: %v, want %v", row.from, got, row.want)
		}
	}
	s := input.Sequence{Txs: []input.Tx{{From: other, Function: f, Args: f.Zero()}}}
	strangers := func(s input.Sequence) bool { return s.Last().From == whale || s.Last().From == other }
	if got := Shrink(s, strangers, 100); got.Last().From != whale {
		t.Errorf("shrunk to %s", got.Last().From)
	}
}

func hash(s string, salt uint64) uint64 {
	h := salt
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h >> 8
}

// A Shrinking that stops after every attempt, as a copy of its data, gives the
// same result as one that goes on, with the same attempts.
func TestShrinkingResumes(t *testing.T) {
	f := transfer(t)
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := randomSequence(r, f, 1+r.IntN(6))
		before, salt, budget := s.String(), r.Uint64(), 1+r.IntN(900)
		var asked, again []string
		fails := func(s input.Sequence) bool { return s.String() == before || hash(s.String(), salt)%3 == 0 }
		want := Shrink(s, func(s input.Sequence) bool { asked = append(asked, s.String()); return fails(s) }, budget)
		all := NewShrinking(s, budget)
		for {
			stopped := *all
			all = &stopped
			attempt, ok := all.Next()
			if same, still := all.Next(); still != ok || same.Sequence.String() != attempt.Sequence.String() {
				t.Fatalf("seed %d: another attempt without an answer", seed)
			}
			if !ok {
				break
			}
			if !slices.EqualFunc(attempt.Sequence.Txs[:attempt.First], all.Best().Txs[:attempt.First], sameTx) {
				t.Fatalf("seed %d: an attempt differs before transaction %d", seed, attempt.First)
			}
			again = append(again, attempt.Sequence.String())
			all.Tell(fails(attempt.Sequence))
		}
		if got := all.Best(); got.String() != want.String() || !slices.Equal(asked, again) {
			t.Fatalf("seed %d: %s after %d attempts, not %s after %d", seed, got, len(again), want, len(asked))
		}
	}
}

func sameTx(a, b input.Tx) bool {
	return input.Digest(input.Sequence{Txs: []input.Tx{a}}) == input.Digest(input.Sequence{Txs: []input.Tx{b}})
}

// Deposits that matter by their sum become one.
func TestShrinkMerges(t *testing.T) {
	f := transfer(t)
	amount := func(tx *input.Tx) uint64 { return tx.Args[1].Word.Uint64() }
	s := randomSequence(rand.New(rand.NewPCG(1, 6)), f, 12)
	for i := range s.Txs {
		s.Txs[i].Args = slices.Clone(s.Txs[i].Args)
		s.Txs[i].Args[1].Word.SetUint64(uint64(10 + i))
	}
	got := Shrink(s, func(s input.Sequence) bool {
		sum := uint64(0)
		for i := range s.Txs {
			sum += amount(&s.Txs[i])
		}
		return sum >= 150
	}, 2000)
	if len(got.Txs) != 1 || amount(&got.Txs[0]) != 150 {
		t.Errorf("shrunk to %s", got)
	}
}

// Calls of one function whose scripts have as many Parameters, in other places, are
// not merged.
func TestShrinkMergesOnlyAlike(t *testing.T) {
	s := randomSequence(rand.New(rand.NewPCG(1, 6)), transfer(t), 2)
	call := s.Txs[0]
	call.Script, call.Delay = nil, input.Delay{}
	raw := input.Tx{To: call.To, Data: []byte{1, 2, 3, 4}}
	s.Txs[0].Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: call, First: 1, Times: 1}}}
	s.Txs[1].Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: raw, First: 1, Times: 1}}, Answers: [][]uint256.Int{nil}}
	count := func(i int) int { return len(input.Parameters(&s.Txs[i])) }
	for count(1) < count(0) {
		s.Txs[1].Script.Answers[0] = append(s.Txs[1].Script.Answers[0], uint256.Int{1})
	}
	if count(0) != count(1) {
		t.Fatalf("%d and %d Parameters", count(0), count(1))
	}
	if got := Shrink(s, func(s input.Sequence) bool { return len(s.Txs) == 2 }, 2000); len(got.Txs) != 2 {
		t.Errorf("shrunk to %s", got)
	}
}

// Numbers that have to be equal become plain together, and lists that have to be equally
// long become shorter together.
func TestShrinkChangesTogether(t *testing.T) {
	sequence := func(id uint64, listed ...uint64) (s input.Sequence) {
		for _, signature := range []string{"request(uint256)", "approve(uint256[],int64[])"} {
			f, err := input.ParseSignature(signature)
			if err != nil {
				t.Fatal(err)
			}
			s.Txs = append(s.Txs, input.Tx{From: input.User1, Function: f, Args: f.Zero()})
		}
		s.Txs[0].Args[0].Word.SetUint64(id)
		for i := range s.Txs[1].Args {
			list := &s.Txs[1].Args[i]
			for _, n := range listed {
				list.Elems = append(list.Elems, input.NewWord(list.Type.Elem, uint256.NewInt(n)))
			}
		}
		return s
	}
	got := Shrink(sequence(1<<60+5, 7, 8, 1<<60+5), func(s input.Sequence) bool {
		if len(s.Txs) < 2 {
			return false
		}
		ids, other := s.Txs[1].Args[0].Elems, s.Txs[1].Args[1].Elems
		return len(ids) > 0 && len(ids) == len(other) && ids[len(ids)-1].Word == s.Txs[0].Args[0].Word
	}, 600)
	if want := sequence(0, 0); got.String() != want.String() {
		t.Errorf("shrunk to\n%s\nnot to\n%s", got, want)
	}
}

// An account that sends several transactions, or is named in its own, is replaced everywhere.
func TestShrinkRenamesTogether(t *testing.T) {
	deposit, err := input.ParseSignature("deposit()")
	if err != nil {
		t.Fatal(err)
	}
	withdraw, err := input.ParseSignature("withdraw(address)")
	if err != nil {
		t.Fatal(err)
	}
	sequence := func(who input.Actor) input.Sequence {
		return input.Sequence{Txs: []input.Tx{
			{From: who, Function: deposit, Args: deposit.Zero()},
			{From: who, Function: withdraw, Args: []input.Value{input.NewAddress(who.Address())}},
		}}
	}
	owner := func(s input.Sequence) bool { // of the deposit takes it
		return len(s.Txs) == 2 && s.Txs[0].From == s.Txs[1].From && s.Txs[1].Args[0].Address() == s.Txs[0].From.Address()
	}
	for _, who := range []input.Actor{input.User2, input.Attacker, input.Deployer, input.Actor{9}} {
		if got, want := Shrink(sequence(who), owner, 600), sequence(input.User1); got.String() != want.String() {
			t.Errorf("shrunk to\n%s\nnot to\n%s", got, want)
		}
	}
	privileged := func(s input.Sequence) bool { return owner(s) && s.Txs[0].From == input.Deployer }
	if got, want := Shrink(sequence(input.Deployer), privileged, 600), sequence(input.Deployer); got.String() != want.String() {
		t.Errorf("shrunk to\n%s\nnot to\n%s", got, want)
	}
}

// No attempt is made twice.
func TestShrinkingTriesNothingTwice(t *testing.T) {
	f := transfer(t)
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		s, salt := randomSequence(r, f, 1+r.IntN(4)), r.Uint64()
		tried := map[string]bool{}
		Shrink(s, func(s input.Sequence) bool {
			if text := s.String(); tried[text] {
				t.Fatalf("seed %d: tried twice: %s", seed, text)
			} else {
				tried[text] = true
			}
			return hash(s.String(), salt)%4 == 0
		}, 2000)
	}
}

// Of a script stays what the failure needs: calls in their order, made as early and
// as rarely as possible, and answers with as many words as are read.
func TestShrinkScripts(t *testing.T) {
	f, err := input.ParseSignature("f(uint256)")
	if err != nil {
		t.Fatal(err)
	}
	call := func(n uint64, first, times int) input.Reentry {
		return input.Reentry{Tx: input.Tx{Function: f, Args: []input.Value{input.NewWord(f.Inputs[0].Type, uint256.NewInt(n))}}, First: first, Times: times}
	}
	argument := func(s *input.Script, i int) uint64 { return s.Calls[i].Tx.Args[0].Word.Uint64() }
	words := func(list ...uint64) (words []uint256.Int) {
		for _, n := range list {
			words = append(words, *uint256.NewInt(n))
		}
		return words
	}
	s := input.Sequence{Txs: []input.Tx{{Function: f, Args: f.Zero(), Script: &input.Script{
		Mode: input.Reenter, Calls: []input.Reentry{call(9, 1, 2), call(5000, 2, 3), call(7, 3, 1), call(800, 1, 1)},
		Answers: [][]uint256.Int{words(1, 1, 1, 1), words(50, 60, 70, 80), words(3)},
	}}}}
	needs := func(s input.Sequence) bool {
		script := s.Txs[0].Script
		if script == nil || script.Mode != input.Reenter || len(script.Answers) == 0 || script.Answers[0] == nil || script.Answers[len(script.Answers)-1] == nil {
			return false
		}
		large := 0
		for i := range script.Calls {
			if argument(script, i) >= 500 {
				large++
			}
		}
		return large >= 2 && slices.ContainsFunc(script.Answers, func(w []uint256.Int) bool { return len(w) > 1 && w[1].Uint64() >= 42 })
	}
	got := Shrink(s, needs, 600).Txs[0].Script
	if len(got.Calls) != 2 || argument(got, 0) != 500 || argument(got, 1) != 500 || got.Calls[0].First > 1 || got.Calls[0].Times > 1 {
		t.Errorf("calls %+v", got.Calls)
	}
	if len(got.Answers) != 1 || len(got.Answers[0]) != 2 || got.Answers[0][1].Uint64() != 42 || !got.Answers[0][0].IsZero() {
		t.Errorf("answers %v", got.Answers)
	}
}
