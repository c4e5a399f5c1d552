package predict

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

func sequence(t *testing.T, signature string, args ...string) input.Sequence {
	t.Helper()
	f, err := input.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	tx := input.Tx{From: input.User1, Function: f}
	for i, a := range args {
		v, err := (*input.Names)(nil).Parse(f.Inputs[i].Type, a)
		if err != nil {
			t.Fatal(err)
		}
		tx.Args = append(tx.Args, v)
	}
	return input.Sequence{Txs: []input.Tx{tx}}
}

// A memory hashes and remembers, as a campaign does.
type memory map[common.Hash][]byte

func (m memory) keccak(parts ...[]byte) uint256.Int {
	data := bytes.Join(parts, nil)
	h := crypto.Keccak256Hash(data)
	m[h] = data
	return *new(uint256.Int).SetBytes32(h[:])
}

func (m memory) preimage(h common.Hash) ([]byte, bool) {
	data, ok := m[h]
	return data, ok
}

// An asked is a condition on the first Tx of a Sequence: its comparison and
// the signatures it checked.
type asked func(m memory, tx *input.Tx) (Comparison, []Recovery)

func argWord(tx *input.Tx, i int) uint256.Int { return tx.Args[i].Word }

func wordBytes(w uint256.Int) []byte { return bytes32(&w) }

var digest = common.Hash{1, 2, 3}

// recoverSigner is the ecrecover precompile.
func recoverSigner(v, r, s uint256.Int) Recovery { return recoverFrom(digest, v, r, s) }

func recoverFrom(digest common.Hash, v, r, s uint256.Int) Recovery {
	rec := Recovery{Digest: digest, V: v, R: r, S: s}
	sig := append(append(bytes32(&r), bytes32(&s)...), byte(v.Uint64()-27))
	if key, err := crypto.SigToPub(digest[:], sig); err == nil && v.LtUint64(29) {
		rec.Signer = crypto.PubkeyToAddress(*key)
	}
	return rec
}

func addressOf(a common.Address) uint256.Int { return *new(uint256.Int).SetBytes(a[:]) }

var extensionCases = []struct {
	name      string
	extension string
	signature string
	args      []string
	ask       asked
}{
	{"x == k", "operand", "f(uint256,uint256)", []string{"77", "99"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Left: argWord(tx, 0), Right: word("123456789012345")}, nil
	}},
	{"x < y", "operand", "f(uint8,uint128)", []string{"77", "50"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Relation: Less, Left: argWord(tx, 0), Right: argWord(tx, 1)}, nil
	}},
	{"x*40 == k", "operand", "f(uint256)", []string{"3"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return affineAsked(argWord(tx, 0), "40", "0", "4000000000040"), nil
	}},
	{"x+5 == k", "operand", "f(int64)", []string{"-1000"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return affineAsked(argWord(tx, 0), "1", "5", "777"), nil
	}},
	{"x/1000 == k", "operand", "f(uint256)", []string{"5000"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		l := argWord(tx, 0)
		l.Div(&l, uint256.NewInt(1000))
		return Comparison{Left: l, Right: word("31337")}, nil
	}},
	{"bytes field", "operand", "f(bytes)", []string{"0x000102030405060708090a0b0c0d0e0f"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Left: *new(uint256.Int).SetBytes(tx.Args[0].Data[4:8]), Right: word("0xcafebabe")}, nil
	}},
	{"bytes4 as a number", "operand", "f(bytes4)", []string{"0x11223344"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		l := argWord(tx, 0)
		return Comparison{Left: *l.Rsh(&l, 224), Right: word("0xa9059cbb")}, nil
	}},
	{"array length", "operand", "f(uint256[])", []string{"[1, 2, 3]"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Left: uint256.Int{uint64(len(tx.Args[0].Elems))}, Right: uint256.Int{17}}, nil
	}},
	{"msg.sender", "operand", "f()", nil, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Left: addressOf(tx.From.Address()), Right: addressOf(input.Deployer.Address())}, nil
	}},
	{"uint64(bytes8) ^ k", "xor", "f(bytes8)", []string{"0x0011223344556677"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		l := argWord(tx, 0)
		return Comparison{Left: uint256.Int{l[3] ^ 0x1122334455667788}, Right: uint256.Int{0x0102030405060708 + 7262164059}}, nil
	}},
	{"keccak(string)", "preimage", "f(string)", []string{`"guess"`}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{Left: m.keccak(tx.Args[0].Data), Right: m.keccak([]byte("the answer"))}, nil
	}},
	{"keccak(abi.encode(x, bytes32))", "preimage", "f(uint256,bytes32)", []string{"7", "0x" + hex64("ab")}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		return Comparison{
			Left:  m.keccak(wordBytes(argWord(tx, 0)), wordBytes(argWord(tx, 1))),
			Right: m.keccak(wordBytes(word("123456")), wordBytes(word("987654321"))),
		}, nil
	}},
	{"keccak(abi.encodePacked(address, uint64))", "preimage", "f(address,uint64)", []string{"user1", "3"}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		a, n := argWord(tx, 0), argWord(tx, 1)
		pack := func(a, n uint256.Int) uint256.Int { return m.keccak(bytes32(&a)[12:], bytes32(&n)[24:]) }
		return Comparison{Left: pack(a, n), Right: pack(addressOf(input.Attacker.Address()), word("0x1122334455"))}, nil
	}},
	{"salted commitment", "preimage", "f(bytes)", []string{"0x010203"}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		salt := wordBytes(word("42424242"))
		return Comparison{Left: m.keccak(salt, tx.Args[0].Data), Right: m.keccak(salt, []byte("sealed bid"))}, nil
	}},
	{"keccak of keccak", "preimage", "f(uint256)", []string{"9"}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		twice := func(x uint256.Int) uint256.Int { return m.keccak(wordBytes(m.keccak(wordBytes(x)))) }
		return Comparison{Left: twice(argWord(tx, 0)), Right: twice(word("31415926"))}, nil
	}},
	{"signature in three words", "signature", "f(uint8,bytes32,bytes32)", []string{"5", "0x" + hex64("01"), "0x" + hex64("02")}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		r := recoverSigner(argWord(tx, 0), argWord(tx, 1), argWord(tx, 2))
		return Comparison{Left: addressOf(r.Signer), Right: addressOf(input.User2.Address())}, []Recovery{r}
	}},
	{"signature in bytes, of an argument", "signature", "f(address,bytes)", []string{"attacker", "0x" + hex64("01") + hex64("02") + "1b"}, func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
		d := tx.Args[1].Data
		var v, rr, s uint256.Int
		r := recoverSigner(*v.SetBytes(d[64:]), *rr.SetBytes(d[:32]), *s.SetBytes(d[32:64]))
		return Comparison{Left: addressOf(r.Signer), Right: argWord(tx, 0)}, []Recovery{r}
	}},
	{"signature of what names somebody who cannot sign", "signature", "f(address,uint256,uint8,bytes32,bytes32)", []string{"0x0000000000000000000000000000000000c0ffee", "7", "27", "0x" + hex64("01"), "0x" + hex64("02")}, func(m memory, tx *input.Tx) (Comparison, []Recovery) {
		inner := m.keccak(wordBytes(argWord(tx, 0)), wordBytes(argWord(tx, 1)))
		digest := m.keccak([]byte{0x19, 1}, wordBytes(word("1234")), wordBytes(inner))
		r := recoverFrom(digest.Bytes32(), argWord(tx, 2), argWord(tx, 3), argWord(tx, 4))
		return Comparison{Left: addressOf(r.Signer), Right: argWord(tx, 0)}, []Recovery{r}
	}},
}

func hex64(end string) string { return string(bytes.Repeat([]byte("0"), 64-len(end))) + end }

func affineAsked(x uint256.Int, a, b, k string) Comparison {
	l, r := affine(a, b, k)(x)
	return Comparison{Left: l, Right: r}
}

func holds(c *Comparison) bool {
	if c.Relation == Less {
		return c.Left.Lt(&c.Right)
	}
	return c.Left == c.Right
}

func TestExtensions(t *testing.T) {
	for _, row := range extensionCases {
		t.Run(row.name, func(t *testing.T) {
			s, m := sequence(t, row.signature, row.args...), memory{}
			c, recoveries := row.ask(m, &s.Txs[0])
			if holds(&c) {
				t.Fatal("holds from the start")
			}
			c.Goal = goal
			o := &Observation{Sequence: s, Comparisons: []Comparison{c}, Recoveries: recoveries, Preimage: m.preimage}
			before := string(input.AppendText(nil, s))
			reached := runProposals(t, slices.Collect(New(nil).Extend(o)), o, m, row.ask)
			if reached[row.extension] == 0 {
				t.Errorf("reached by %v, want by %s", reached, row.extension)
			}
			t.Logf("inputs until the condition held: %v", reached)
			off := New(nil)
			off.Off = map[string]bool{row.extension: true}
			if again := runProposals(t, slices.Collect(off.Extend(o)), o, m, row.ask); again[row.extension] != 0 {
				t.Errorf("%s proposes although it is off", row.extension)
			}
			if string(input.AppendText(nil, s)) != before {
				t.Error("the observed sequence was changed")
			}
		})
	}
}

// The sender is solved if the wanted address may send the transaction.
func TestOperandsAreSenders(t *testing.T) {
	whale := input.Actor{0xaa, 19: 1}
	s := sequence(t, "f()")
	s.Txs[0].Function = s.Txs[0].Function.SentBy([]input.Actor{input.User1, input.User2, whale})
	for _, row := range []struct {
		want input.Actor
		may  bool
	}{{whale, true}, {input.User2, true}, {input.Attacker, false}} {
		ask := func(_ memory, tx *input.Tx) (Comparison, []Recovery) {
			return Comparison{Goal: goal, Left: addressOf(tx.From.Address()), Right: addressOf(row.want.Address())}, nil
		}
		c, _ := ask(nil, &s.Txs[0])
		o := &Observation{Sequence: s, Comparisons: []Comparison{c}}
		if reached := runProposals(t, slices.Collect(New(nil).Extend(o)), o, nil, ask)["operand"]; (reached > 0) != row.may {
			t.Errorf("%s: reached after %d inputs", row.want, reached)
		}
	}
}

// runProposals gives, by extension, how many inputs it took; 0 is never.
func runProposals(t *testing.T, list []Proposal, o *Observation, m memory, ask asked) map[string]int {
	t.Helper()
	reached, runs := map[string]int{}, map[string]int{}
	for i := range list {
		p := &list[i]
		child := Apply(o.Sequence, p.Moves)
		for k := range child.Txs[0].Args {
			if err := child.Txs[0].Args[k].Check(); err != nil {
				t.Fatal(err)
			}
		}
		runs[p.Extension]++
		if c, _ := ask(m, &child.Txs[0]); holds(&c) && reached[p.Extension] == 0 {
			reached[p.Extension] = runs[p.Extension]
		}
	}
	return reached
}

func TestPairsMoveAlongAGuard(t *testing.T) {
	// if (a - b == 5) if (a + 2*b == k): either alone breaks the first.
	guard := cover.BranchMetric(7, 0)
	costs := func(a, b uint256.Int) []cover.Cost {
		var l, r uint256.Int
		l.Sub(&a, &b)
		if five := uint256.NewInt(5); l != *five {
			c := cover.Cost{Metric: guard}
			absDiff(&c.Value, &l, five)
			return []cover.Cost{c}
		}
		r.Mul(&b, uint256.NewInt(2))
		r.Add(&r, &a)
		return costsOf(func(x uint256.Int) (uint256.Int, uint256.Int) { return x, word("3000000005") }, r)
	}
	s := sequence(t, "f(uint256,uint256)", "1005", "1000")
	params := input.Parameters(&s.Txs[0])
	a, b := s.Txs[0].Args[0].Word, s.Txs[0].Args[1].Word
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		p := New(r)
		x, y := a, b
		x.AddUint64(&x, 1+r.Uint64N(100))
		y.AddUint64(&y, 1+r.Uint64N(100))
		sessions := p.StartPair(goal, costs(a, b),
			Trial{Param: params[0], Before: a, After: x, Execution: Execution{Costs: costs(x, b)}},
			Trial{Param: params[1], Before: b, After: y, Execution: Execution{Costs: costs(a, y)}})
		reached := false
		for _, session := range sessions {
			for moves, ok := session.Next(); ok && !reached; moves, ok = session.Next() {
				child := Apply(s, moves)
				c := costs(child.Txs[0].Args[0].Word, child.Txs[0].Args[1].Word)
				session.Feed(c, false)
				reached = Reached(goal, c)
			}
		}
		if !reached || p.Stats.Runs > 12 {
			t.Fatalf("reached: %t after %d inputs of %d sessions", reached, p.Stats.Runs, len(sessions))
		}
	}
}

func TestSignaturesAreTheActors(t *testing.T) {
	half, _ := new(big.Int).SetString("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", 16)
	for _, a := range input.Actors {
		s, err := Sign(a, digest)
		if err != nil {
			t.Fatal(err)
		}
		if r := recoverSigner(uint256.Int{uint64(s.V)}, s.R, s.S); r.Signer != a.Address() {
			t.Errorf("%s: signature of %s", a, r.Signer)
		}
		if s.S.ToBig().Cmp(half) > 0 {
			t.Errorf("%s: S in the upper half", a)
		}
	}
}
