package mutate

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

var vault = common.HexToAddress("0x00000000000000000000000000000000000000aa")

func functions(t testing.TB) []Target {
	var targets []Target
	for _, s := range []string{
		"none()", "one(uint256)", "two(address,bool)", "many(int8[3],(bytes4,string)[],bytes)", "fallback()",
	} {
		f, err := input.ParseSignature(s)
		if err != nil {
			t.Fatal(err)
		}
		targets = append(targets, Target{vault, f})
	}
	return targets
}

func context(t testing.TB) *Env {
	d := NewDictionary()
	d.Add("one(uint256)", FromComparison, *uint256.NewInt(123456))
	d.Add("", FromCode, uint256.Int{0, 0, 0, 0x6162630000000000})
	d.AddBytes([]byte("literal"))
	env := &Env{Targets: functions(t), Dictionary: d, Addresses: NewAddresses(nil, vault), Tx: -1, MaxTxs: 5, Scripts: true}
	env.Donor = func(r *rand.Rand) (input.Sequence, bool) { return randomSequence(r, env), true }
	return env
}

func randomSequence(r *rand.Rand, env *Env) (s input.Sequence) {
	for n := 1 + r.IntN(4); n > 0; n-- {
		t := env.Targets[r.IntN(len(env.Targets))]
		tx := input.RandomTx(r, t.Function, t.To, env.Pool(t.Function))
		if env.Scripts && r.IntN(2) == 0 {
			tx.Script = randomScript(r, env, &tx)
		}
		s.Txs = append(s.Txs, tx)
	}
	return s
}

// line is a Tx in full.
func line(tx *input.Tx) string {
	return string(input.AppendText(nil, input.Sequence{Txs: []input.Tx{*tx}}))
}

func TestEveryRowMakesSomethingNewAndSaysWhat(t *testing.T) {
	env := context(t)
	for _, m := range All {
		t.Run(m.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, 2))
			applied := 0
			for n := 0; n < 3000 && applied < 200; n++ {
				s := randomSequence(r, env)
				before := input.AppendText(nil, s)
				child, change, ok := m.Apply(r, env, s)
				if !bytes.Equal(before, input.AppendText(nil, s)) {
					t.Fatalf("changed its parent\n%s", before)
				}
				if !ok {
					continue
				}
				applied++
				checkChild(t, env, s, child, change)
			}
			if applied < 50 {
				t.Errorf("applied %d times only", applied)
			}
		})
	}
}

func checkChild(t *testing.T, env *Env, s, child input.Sequence, change Diff) {
	t.Helper()
	if len(child.Txs) == 0 || len(child.Txs) > env.MaxTxs {
		t.Fatalf("child of %d transactions", len(child.Txs))
	}
	for i := range child.Txs {
		for k := range child.Txs[i].Args {
			if err := child.Txs[i].Args[k].Check(); err != nil {
				t.Fatal(err)
			}
		}
		if i < change.First && line(&child.Txs[i]) != line(&s.Txs[i]) {
			t.Fatalf("transaction %d differs before First %d", i, change.First)
		}
	}
	if change.Tx >= len(child.Txs) || change.First > len(child.Txs) {
		t.Fatalf("change %+v of a child of %d", change, len(child.Txs))
	}
	if !change.Single {
		return
	}
	for i := range child.Txs {
		if i != change.Tx && line(&child.Txs[i]) != line(&s.Txs[i]) {
			t.Fatalf("single change of %d altered %d", change.Tx, i)
		}
	}
	old, now := &s.Txs[change.Tx], &child.Txs[change.Tx]
	if line(old) == line(now) {
		t.Fatalf("nothing new: %s", line(now))
	}
	if again := input.Set(old, &change.Param, input.Get(now, &change.Param)); line(&again) != line(now) {
		t.Fatalf("more than parameter %d differs\n%s\n%s", change.Param.Index, line(old), line(now))
	}
}

func TestAnyAndStackAreDeterministicAndTruthful(t *testing.T) {
	env := context(t)
	run := func() []byte {
		r := rand.New(rand.NewPCG(3, 4))
		var log []byte
		for n := 0; n < 400; n++ {
			s := randomSequence(r, env)
			child, change, ok := Any(r, env, s)
			if !ok {
				t.Fatal("no row fits")
			}
			checkChild(t, env, s, child, change)
			log = input.AppendText(log, child)
			if child, change, ok = Stack(r, env, s); ok && change.Single && line(&s.Txs[change.Tx]) != line(&child.Txs[change.Tx]) {
				checkChild(t, env, s, child, change)
			}
			log = input.AppendText(log, child)
		}
		return log
	}
	if !bytes.Equal(run(), run()) {
		t.Error("same seed, other children")
	}
}

// A list of transactions that is the caller's alone is changed in place, as it would be
// otherwise. Nothing that it shares with others changes.
func TestOwned(t *testing.T) {
	env := context(t)
	r := rand.New(rand.NewPCG(7, 8))
	inPlace := 0
	for n := range uint64(4000) {
		s := randomSequence(r, env)
		before := input.AppendText(nil, s)
		copied := input.Sequence{Txs: slices.Clone(s.Txs)}
		env.Owned = false
		child, change, ok := Any(rand.New(rand.NewPCG(n, 0)), env, s)
		env.Owned = true
		owned, same, made := Any(rand.New(rand.NewPCG(n, 0)), env, copied)
		if ok != made || !ok {
			t.Fatalf("%t in a copy, %t in place", ok, made)
		}
		if a, b := input.AppendText(nil, child), input.AppendText(nil, owned); !bytes.Equal(a, b) || change.Tx != same.Tx || change.First != same.First || change.Shape != same.Shape {
			t.Fatalf("in a copy: %+v\n%s\nin place: %+v\n%s", change, a, same, b)
		}
		if !bytes.Equal(before, input.AppendText(nil, s)) {
			t.Fatalf("changed what the list shares with\n%s", before)
		}
		if !change.Shape && &owned.Txs[0] == &copied.Txs[0] {
			inPlace++
		}
	}
	if inPlace < 1000 {
		t.Errorf("%d changes in place", inPlace)
	}
}

// A change in place that makes arguments too large is taken back.
func TestOwnedOutgrown(t *testing.T) {
	env := context(t)
	f := env.Targets[3]
	huge := input.Tx{To: f.To, Function: f.Function, Args: f.Function.Zero()}
	for !huge.Oversized() {
		list := &huge.Args[1]
		list.Elems = append(list.Elems, input.Zero(list.Type.Elem))
	}
	defer func(rows []*Mutator) { byWeight = rows }(byWeight)
	byWeight = repeated([]Mutator{{"grow", 9, func(_ *rand.Rand, env *Env, s input.Sequence) (input.Sequence, Diff, bool) {
		return env.with(s, 0, huge), Diff{}, true
	}}, {"delay", 1, newDelay}})
	env.Owned = true
	r, made := rand.New(rand.NewPCG(9, 1)), 0
	for range 100 {
		s := input.Sequence{Txs: []input.Tx{{To: f.To, Function: f.Function, Args: f.Function.Zero()}}}
		child, _, ok := Any(r, env, s)
		if child.Txs[0].Oversized() || s.Txs[0].Oversized() {
			t.Fatal("the arguments stay too large")
		}
		if ok {
			made++
		}
	}
	if made < 50 {
		t.Errorf("%d changes", made)
	}
}

func TestMostChangesAreSingle(t *testing.T) {
	env := context(t)
	env.MaxTxs, env.Scripts = 1, false
	r := rand.New(rand.NewPCG(5, 6))
	single, all := 0, 2000
	f := env.Targets[1]
	for range all {
		s := input.Sequence{Txs: []input.Tx{input.RandomTx(r, f.Function, f.To, nil)}}
		if _, change, ok := Any(r, env, s); ok && change.Single {
			single++
		}
	}
	if single < all*3/4 {
		t.Errorf("%d of %d changes are of one parameter; prediction needs most", single, all)
	}
}

func TestCrossoverSwapsTails(t *testing.T) {
	env := context(t)
	r := rand.New(rand.NewPCG(7, 8))
	done := 0
	for range 300 {
		a, b := randomSequence(r, env), randomSequence(r, env)
		ab, ba, cut, ok := crossoverOf(r, a, b, 5)
		if !ok {
			continue
		}
		done++
		if len(ab.Txs)+len(ba.Txs) != len(a.Txs)+len(b.Txs) {
			t.Fatalf("%d and %d transactions became %d and %d", len(a.Txs), len(b.Txs), len(ab.Txs), len(ba.Txs))
		}
		for i := 0; i < cut; i++ {
			if line(&ab.Txs[i]) != line(&a.Txs[i]) {
				t.Fatalf("head differs at %d before the cut %d", i, cut)
			}
		}
	}
	if done < 150 {
		t.Errorf("%d crossovers of 300", done)
	}
}

// A word that was changed several times without effect is idle; one that ever had
// an effect is not.
func TestEffectMap(t *testing.T) {
	env := context(t)
	f := env.Targets[3].Function // many(int8[3],(bytes4,string)[],bytes)
	tx := input.Tx{From: input.Deployer, To: vault, Function: f, Args: f.Zero()}
	parameters := input.Parameters(&tx)
	var effects EffectMap
	for n := range idleAfter {
		for i := range 2 {
			if effects.Idle(0, &parameters[i]) {
				t.Errorf("word %d is idle after %d changes", i, n)
			}
			effects.Record(Diff{Single: true, Param: parameters[i]}, i == 1 && n == 0)
		}
		effects.Record(Diff{Param: parameters[2]}, false) // not a change of one word
	}
	for i, want := range []bool{true, false, false} {
		if got := effects.Idle(0, &parameters[i]); got != want {
			t.Errorf("word %d: idle is %v, want %v", i, got, want)
		}
	}
	if (*EffectMap)(nil).Idle(0, &parameters[0]) {
		t.Error("a nil map knows of an idle word")
	}
}

func TestSegmentsStayInTheirPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 5000 {
		wt := input.WordType{Bits: 8 * (1 + r.IntN(32)), Left: r.IntN(2) == 0}
		n := []int{1, 2, 4}[r.IntN(3)]
		if wt.Bits < 8*n {
			continue
		}
		at := r.IntN(wt.Bits/8 - n + 1)
		w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		w = wt.Wrap(&w)
		value := r.Uint64()
		got := setSegment(wt, &w, n, at, value)
		want := w.Bytes32() // an independent way: bytes of the encoding
		end := 32 - at
		if wt.Left {
			end = wt.Bits/8 - at
		}
		for k := range n {
			want[end-1-k] = byte(value >> (8 * k))
		}
		if got.Bytes32() != want {
			t.Fatalf("%+v: segment of %d at %d: %x, want %x", wt, n, at, got.Bytes32(), want)
		}
		back := addAt(wt, &w, n, at, 7)
		if back = addAt(wt, &back, n, at, -7); back != w {
			t.Fatalf("%+v: adding and subtracting gives %s, not %s", wt, back.Hex(), w.Hex())
		}
	}
}
