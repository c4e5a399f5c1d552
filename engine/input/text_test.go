package input

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	walletAddress = common.HexToAddress("0x00000000000000000000000000000000000000aa")
	tokenAddress  = common.HexToAddress("0x00000000000000000000000000000000000000bb")
)

func sampleSequence(t testing.TB) Sequence {
	set := mustSignature(t, "SetY(int256)")
	pay := mustSignature(t, "pay(address,(string,bytes4)[],uint8[2],bool,bytes)")
	values := func(f *Function, texts ...string) []Value {
		args, err := NewNames(sampleDeployment()).parseAll(f, texts)
		if err != nil {
			t.Fatal(err)
		}
		return args
	}
	return Sequence{Deployment: sampleDeployment(), Txs: []Tx{
		{From: User1, To: walletAddress, Function: set, Args: values(set, "-42")},
		{From: Attacker, To: walletAddress, Function: pay, Value: pow10(18), Delay: Delay{Blocks: 3, Seconds: 60},
			Args: values(pay, "Token", `[("a\" ,)b", 0x01020304)]`, "[1, 255]", "true", "0x"),
			Script: &Script{
				Mode: Reenter, Answers: [][]uint256.Int{{{1}, {2}}, {}, {{3}}},
				Calls: []Reentry{
					{Tx: Tx{From: Attacker, To: walletAddress, Function: mustSignature(t, "fallback()"), Data: []byte{1, 2}, Value: *uint256.NewInt(5)}, Times: 2},
					{Tx: Tx{From: Attacker, To: walletAddress, Function: mustSignature(t, "f(string)"), Args: []Value{{Type: mustSignature(t, "f(string)").Inputs[0].Type, Data: []byte("} {")}}}, First: 2},
				},
			}},
		{From: Deployer, To: tokenAddress, Function: mustSignature(t, "fallback()"), Data: []byte{0xde, 0xad}, Script: &Script{Mode: Refuse}},
		{From: User2, To: common.Address{1}, Function: mustSignature(t, "receive()"), Value: *uint256.NewInt(7)},
		{From: User1, To: walletAddress, Function: Forced, Value: *uint256.NewInt(9)},
	}}
}

func sampleDeployment() *Deployment {
	initialize, err := ParseSignature("initialize(address)")
	if err != nil {
		panic(err)
	}
	return &Deployment{Creations: []Creation{
		{Name: "Token", Address: tokenAddress, Args: []Value{NewWord(&Type{Kind: KindUint, Size: 256}, uint256.NewInt(1000))}, Named: true},
		{Name: "Purse", File: "src/Purse.sol", Address: common.Address{19: 0xcc}, By: "Wallet"},
		{Name: "Logic", Contract: "Wallet", File: "src/a \"b\".sol", Address: common.Address{19: 0xdd}},
		{Name: "Wallet", File: "src/a \"b\".sol", Address: walletAddress, Args: []Value{NewAddress(tokenAddress)}, Value: pow10(9), Of: "Logic", Tested: true,
			Setup: []Tx{{From: Deployer, To: walletAddress, Function: initialize, Args: []Value{NewAddress(walletAddress)}}}},
	}}
}

const sampleText = `leveret input v1
deploy Token constructor(uint256)(1000) at 0x00000000000000000000000000000000000000bb named
deploy Purse constructor()() at 0x00000000000000000000000000000000000000cc file="src/Purse.sol" by=Wallet
deploy Logic constructor()() at 0x00000000000000000000000000000000000000dd file="src/a \"b\".sol" contract=Wallet
deploy Wallet constructor(address)(Token) at 0x00000000000000000000000000000000000000AA file="src/a \"b\".sol" value=1gwei of=Logic tested
setup deployer Wallet.initialize(address)(Wallet)
user1 Wallet.SetY(int256)(-42)
attacker Wallet.pay(address,(string,bytes4)[],uint8[2],bool,bytes)(Token, [("a\" ,)b", 0x01020304)], [1, 255], true, 0x) value=1ether +3 blocks +60s agent=reenter {Wallet.fallback()(0x0102) value=5wei times=2} {Wallet.f(string)("} {") first=2} returns=[1,2];[];[3]
deployer Token.fallback()(0xdead) agent=refuse
user2 0x0100000000000000000000000000000000000000.receive()() value=7wei
user1 Wallet.selfdestruct()() value=9wei
`

func TestTextForm(t *testing.T) {
	s := sampleSequence(t)
	got := string(AppendText(nil, s))
	if got != sampleText {
		t.Errorf("got\n%s\nwant\n%s", got, sampleText)
	}
	for _, lookup := range []Lookup{nil, func(_, sig string) *Function { return mustSignature(t, sig) }} {
		back, err := ReadText([]byte(got), lookup)
		if err != nil {
			t.Fatal(err)
		}
		if again := string(AppendText(nil, back)); again != got {
			t.Errorf("reads back as\n%s", again)
		}
		for i := range s.Txs {
			if !bytes.Equal(s.Txs[i].Calldata(), back.Txs[i].Calldata()) || !reflect.DeepEqual(s.Txs[i].Script, back.Txs[i].Script) {
				t.Errorf("transaction %d differs", i)
			}
		}
	}
}

// Files that older versions wrote have one re-entrant call with calldata, and one
// answer.
func TestOlderScripts(t *testing.T) {
	const before = textHeader + "\nuser1 attacker.f()() "
	s, err := ReadText([]byte(before+"agent=reenter target=attacker data=0x0102 wei=5wei depth=2 returns=[1,2]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const want = before + "agent=reenter {attacker.fallback()(0x0102) value=5wei times=2} returns=[1,2]\n"
	if got := string(AppendText(nil, s)); got != want {
		t.Errorf("read as\n%s", got)
	}
	for _, bad := range []string{
		"agent=sleep", "agent=reenter {attacker.f()()", "agent=reenter {attacker.f()() last=1}", "agent=reenter {attacker.f(uint8)()}",
		"agent=reenter {nobody.f()()}", "agent=reenter {attacker.f()() first=-1}", "returns=[1];", "returns=[1][2]", "returns=1", "target=nobody", "depth=70000",
	} {
		if s, err := ReadText([]byte(before+bad), nil); err == nil {
			t.Errorf("accepted %q as %v", bad, s)
		}
	}
}

func TestTextFormRefuses(t *testing.T) {
	for _, bad := range []string{
		"", "leveret input v3\n", "user1 Wallet.f()()",
		textHeader + "\nuser9 Wallet.f()()",
		textHeader + "\nuser1 Wallet.f()()",
		textHeader + "\nuser1 attacker.f(uint8)(256)",
		textHeader + "\nuser1 attacker.f(uint8)()",
		textHeader + "\nuser1 attacker.f(uint8)(1) value=1finney",
		textHeader + "\nuser1 attacker.f(uint8)(1) speed=1",
		textHeader + "\nuser1 attacker.f(uint8)(1) +3",
		textHeader + "\nuser1 attacker.f(uint8)(1) +99999999999s",
		textHeader + "\nuser1 attacker.constructor(uint8)(1)",
		textHeader + "\nuser1 attacker.f(uint8)(1)\ndeploy A constructor()() at 0x00000000000000000000000000000000000000bb",
		textHeader + "\ndeploy A constructor()()",
	} {
		if s, err := ReadText([]byte(bad), nil); err == nil {
			t.Errorf("accepted %q as %v", bad, s)
		}
	}
	gone := func(contract, sig string) *Function { return nil }
	if _, err := ReadText([]byte(sampleText), gone); err == nil || !strings.Contains(err.Error(), "has no") {
		t.Errorf("function that is gone: %v", err)
	}
}

func TestJSONForm(t *testing.T) {
	s := sampleSequence(t)
	start := BlockTime{Number: 10, Timestamp: 1000}
	creations, txs := s.JSON(start)
	if b := txs[1].Block; b.Number != 13 || b.Timestamp != 1060 {
		t.Errorf("block %+v", b)
	}
	var again []JSONTx
	raw, err := json.Marshal(txs)
	if err == nil {
		err = json.Unmarshal(raw, &again)
	}
	if err != nil {
		t.Fatal(err)
	}
	back, err := FromJSON(creations, again, start, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(AppendText(nil, back)); got != sampleText {
		t.Errorf("reads back as\n%s", got)
	}
}

func TestDescribe(t *testing.T) {
	s := sampleSequence(t)
	want := []string{
		`user1 calls Wallet.SetY(-42)`,
		`attacker calls Wallet.pay(Token, [("a\" ,)b", 0x01020304)], [1, 255], true, 0x) with 1 ether, 3 blocks and 60 seconds later; the attacker's contract re-enters Wallet with calldata 0x0102 with 5 wei, 2 times deep, then Wallet.f("} {") from call 2 on and returns 1, 2, then nothing, then 3`,
		`deployer sends Token raw calldata 0xdead; the attacker's contract reverts when called`,
		`user2 sends 7 wei to 0x0100000000000000000000000000000000000000`,
		`user1 forces 9 wei on Wallet, as by selfdestruct`,
	}
	if got := s.Describe(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	s.Txs[1].Script.Calls[0].Tx.Data = s.Txs[0].Calldata()
	if got := s.Describe(nil)[1]; !strings.Contains(got, "re-enters Wallet.SetY(-42) with 5 wei") {
		t.Errorf("re-entry is told as %q", got)
	}
}

// Long values are cut for people, and whole in the text form.
func TestDescribeIsBrief(t *testing.T) {
	long := "0x" + strings.Repeat("ab", 40)
	line := `user1 attacker.f(bytes,string,uint8[])(` + long + `, "` + strings.Repeat("n", 100) + `", [` + strings.Repeat("1, ", 19) + `1])`
	s, err := ReadText([]byte(textHeader+"\n"+line+"\nuser1 attacker.fallback()("+long+")\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`user1 calls attacker.f(0xabababababababab… (40 bytes), "` + strings.Repeat("n", 68) + `"… (100 bytes), [` + strings.Repeat("1, ", 16) + `… (20 in all)])`,
		`user1 sends attacker raw calldata 0xabababababababab… (40 bytes)`,
	}
	if got := s.Describe(nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if text := string(AppendText(nil, s)); !strings.Contains(text, long) || !strings.Contains(text, strings.Repeat("n", 100)) {
		t.Errorf("cut as well:\n%s", text)
	}
}

func TestValuesReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	names := NewNames(sampleDeployment())
	for n := 0; n < 3000; n++ {
		typ := randomType(r, 3)
		v := randomValue(r, typ)
		if n%2 == 0 {
			v = Random(r, typ, nil)
		}
		if err := v.Check(); err != nil {
			t.Fatal(err)
		}
		text := names.Format(v)
		back, err := names.Parse(typ, text)
		if err != nil {
			t.Fatal(err)
		}
		if !back.Equal(&v) {
			t.Fatalf("%s: %s reads back as %s", typ, text, names.Format(back))
		}
	}
}

func TestWeiReadsBack(t *testing.T) {
	for text, wei := range map[string]string{
		"0": "0", "1wei": "1", "1ether": "1000000000000000000", "0.1ether": "100000000000000000",
		"1.5gwei": "1500000000", "1234567wei": "1234567", "0.001gwei": "1000000",
	} {
		w, err := ParseWei(text)
		if err != nil || w.Dec() != wei {
			t.Errorf("ParseWei(%q) = %s, %v; want %s", text, w.Dec(), err, wei)
		}
		if got := FormatWei(&w); got != text && text != "0.001gwei" {
			t.Errorf("FormatWei(%s) = %q, want %q", wei, got, text)
		}
	}
	for _, bad := range []string{"", "ether", "1.5", "1.5wei", "-1", "1e18", "0.0000000001gwei", "0x10"} {
		if w, err := ParseWei(bad); err == nil {
			t.Errorf("ParseWei(%q) = %s", bad, w.Dec())
		}
	}
}

// A fork is written before the deployment.
func TestTextFormOfForks(t *testing.T) {
	const forked = textHeader + "\nfork chain=1 block=20000000\n"
	s, err := ReadText([]byte(strings.Replace(sampleText, textHeader+"\n", forked, 1)), nil)
	if err != nil || *s.Deployment.Fork != (Fork{1, 20_000_000}) || len(s.Deployment.Creations) != 4 {
		t.Fatalf("%+v, %v", s.Deployment, err)
	}
	if text := AppendText(nil, s); !strings.HasPrefix(string(text), forked+"deploy Token") {
		t.Errorf("written as\n%s", text)
	}
	if list := s.Deployment.Describe(); list[0] != "fork of chain 1 at block 20000000" {
		t.Errorf("described as %q", list)
	}
	for _, bad := range []string{
		"fork chain=1", "fork chain=1 block=2 http://s", "fork chain=-1 block=2", "fork chain=1 block=99999999999999999999",
		"fork chain=1 block=2\nfork chain=1 block=2", "user2 0x0100000000000000000000000000000000000000.receive()()\nfork chain=1 block=2",
	} {
		if _, err := ReadText([]byte(textHeader+"\n"+bad+"\n"), nil); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

func FuzzReadText(f *testing.F) {
	f.Add([]byte(sampleText))
	f.Add([]byte(textHeader + "\nfork chain=1 block=20000000\nuser1 attacker.f()()\n"))
	f.Add([]byte(textHeader + "\n# note\n\nuser1 attacker.f(uint256[],bytes)([1,0x2], 0xab) value=0.5ether\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadText(data, nil)
		if err != nil {
			return
		}
		text := AppendText(nil, s)
		back, err := ReadText(text, nil)
		if err != nil {
			t.Fatalf("what was written does not read back: %v\n%s", err, text)
		}
		if again := AppendText(nil, back); !bytes.Equal(again, text) {
			t.Fatalf("not stable:\n%s\n%s", text, again)
		}
		s.Describe(nil)
	})
}

func FuzzReadJSON(f *testing.F) {
	s := sampleSequence(f)
	creations, txs := s.JSON(BlockTime{})
	raw, err := json.Marshal(map[string]any{"creations": creations, "txs": txs})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Fuzz(func(t *testing.T, data []byte) {
		var in struct {
			Creations []JSONCreation
			Txs       []JSONTx
		}
		if json.Unmarshal(data, &in) != nil {
			return
		}
		s, err := FromJSON(in.Creations, in.Txs, BlockTime{}, nil)
		if err != nil {
			return
		}
		creations, txs := s.JSON(BlockTime{})
		back, err := FromJSON(creations, txs, BlockTime{}, nil)
		if err != nil {
			t.Fatalf("what was written does not read back: %v", err)
		}
		if a, b := AppendText(nil, s), AppendText(nil, back); !bytes.Equal(a, b) {
			t.Fatalf("not stable:\n%s\n%s", a, b)
		}
	})
}

// Equal calls in a row are one line.
func TestBrief(t *testing.T) {
	a, b := Tx{From: User1, To: User2.Address(), Function: &Function{Name: "a"}}, Tx{From: User1, To: User2.Address(), Function: &Function{Name: "b"}}
	s := Sequence{Txs: []Tx{a, b, b, b, a}}
	want := []string{"user1 calls user2.a()", "user1 calls user2.b() (3 times)", "user1 calls user2.a()"}
	if have := s.Brief(); !slices.Equal(have, want) {
		t.Errorf("%q", have)
	}
	if have := (&Sequence{}).Brief(); len(have) > 0 {
		t.Errorf("nothing is %q", have)
	}
}
