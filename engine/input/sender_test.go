package input

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	whale  = Actor(common.HexToAddress("0x00000000219ab540356cBB839Cbe05303d7705Fa"))
	tester = Actor(common.HexToAddress("0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38"))
)

func TestActorsAreReadAsNamesAndAddresses(t *testing.T) {
	for _, row := range []struct {
		text string
		want Actor
		back string
	}{
		{"user1", User1, "user1"},
		{User1.Address().Hex(), User1, "user1"},
		{strings.ToLower(whale.Address().Hex()), whale, whale.Address().Hex()},
		{"0x0000000000000000000000000000000000000000", Actor{}, common.Address{}.Hex()},
	} {
		if got, ok := ParseActor(row.text); !ok || got != row.want || got.String() != row.back {
			t.Errorf("%s: %s, %t", row.text, got, ok)
		}
	}
	for _, text := range []string{"", "user3", "0x", "0x12", whale.Address().Hex()[2:], "0X" + whale.Address().Hex()[2:], whale.Address().Hex() + "00"} {
		if got, ok := ParseActor(text); ok {
			t.Errorf("%q is %s", text, got)
		}
	}
}

// The parameter of a function with senders of its own runs over them. A sender
// outside of the list keeps sending until the parameter is set.
func TestSenderParameter(t *testing.T) {
	plain := mustSignature(t, "f(uint256)")
	f := plain.SentBy([]Actor{tester, User2, whale})
	index := func(f *Function) *Parameter {
		params := Parameters(&Tx{Function: f, Args: f.Zero()})
		if last := params[len(params)-1]; last.Kind == ParamActor {
			return &last
		}
		return nil
	}
	for i, a := range f.Senders {
		tx := Tx{From: a, Function: f, Args: f.Zero()}
		if w := Get(&tx, index(f)); w.Uint64() != uint64(i) {
			t.Errorf("%s has index %v", a, &w)
		}
		for k, other := range f.Senders {
			if got := Set(&tx, index(f), *uint256.NewInt(uint64(k))); got.From != other {
				t.Errorf("index %d is %s", k, got.From)
			}
		}
	}
	outside := Tx{From: Deployer, Function: f, Args: f.Zero()}
	if w := Get(&outside, index(f)); w.Uint64() != 3 {
		t.Errorf("a sender outside has index %v", &w)
	}
	if w := Get(&outside, index(f)); !slices.Contains(f.Senders, Set(&outside, index(f), w).From) {
		t.Error("the parameter sets a sender outside")
	}
	if p := index(plain); p == nil || p.Word.Limit != 3 {
		t.Errorf("the function itself has %+v", p)
	}
	if p := index(f.SentBy([]Actor{whale})); p != nil {
		t.Errorf("a single sender is a parameter: %+v", p)
	}
	many := make([]Actor, 300)
	for i := range many {
		many[i] = Actor{18: byte(i >> 8), 19: byte(i)}
	}
	g := f.SentBy(many)
	if got := Set(&Tx{Function: g, Args: g.Zero()}, index(g), *uint256.NewInt(299)); got.From != many[299] {
		t.Errorf("index 299 of many senders is %s", got.From)
	}
}

func TestRandomSendersAreTheFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f := mustSignature(t, "f()").SentBy([]Actor{tester, whale})
	seen := map[Actor]int{}
	for range 100 {
		seen[RandomTx(r, f, common.Address{1}, nil).From]++
	}
	if len(seen) != 2 || seen[tester] < 20 || seen[whale] < 20 {
		t.Errorf("%v", seen)
	}
}

// Senders are written as addresses; a contract of the deployment has its name
// in reports. Both forms read back.
func TestFormsOfOtherSenders(t *testing.T) {
	s := sampleSequence(t)
	s.Txs[0].From, s.Txs[1].From = whale, Actor(tokenAddress)
	text := string(AppendText(nil, s))
	if !strings.Contains(text, "\n"+whale.Address().Hex()+" Wallet.SetY") || !strings.Contains(text, "\n"+tokenAddress.Hex()+" Wallet.pay") {
		t.Errorf("written as\n%s", text)
	}
	back, err := ReadText([]byte(text), nil)
	if err != nil || string(AppendText(nil, back)) != text {
		t.Errorf("%v, reads back as\n%s", err, AppendText(nil, back))
	}
	start := BlockTime{Number: 1, Timestamp: 2}
	creations, txs := s.JSON(start)
	if txs[0].From != whale.Address().Hex() || txs[1].From != "Token" {
		t.Errorf("JSON has the senders %s and %s", txs[0].From, txs[1].From)
	}
	back, err = FromJSON(creations, txs, start, nil)
	if err != nil || string(AppendText(nil, back)) != text {
		t.Errorf("%v, JSON reads back as\n%s", err, AppendText(nil, back))
	}
	if line := s.Describe(nil)[1]; !strings.HasPrefix(line, "Token calls Wallet.pay(") {
		t.Error(line)
	}
}

func TestDigestTellsSendersApart(t *testing.T) {
	seen := map[uint64]Actor{}
	for _, a := range []Actor{Deployer, User1, User2, Attacker, whale, tester, {}, {19: 1}} {
		d := Digest(Sequence{Txs: []Tx{{From: a}}})
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have one digest", a, other)
		}
		seen[d] = a
	}
}
