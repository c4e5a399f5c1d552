package solve

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

const writerABI = `[
	{"type":"function","name":"set","stateMutability":"nonpayable","outputs":[],"inputs":[{"name":"n","type":"uint64"},{"name":"list","type":"uint256[]"}]},
	{"type":"function","name":"pay","stateMutability":"payable","outputs":[],"inputs":[{"name":"n","type":"uint256"}]}
]`

// writerSequence is set(0x1122, [7, 8]) after 3 blocks and 60 seconds, and
// pay(9) with 5 wei after 100 more seconds.
func writerSequence(t *testing.T) input.Sequence {
	t.Helper()
	abi, err := input.ParseABI([]byte(writerABI))
	if err != nil {
		t.Fatal(err)
	}
	call := func(from input.Actor, signature string, delay input.Delay, args ...string) input.Tx {
		tx := input.Tx{From: from, To: common.Address{1}, Function: abi.Method(signature), Delay: delay}
		for i, arg := range args {
			v, err := (*input.Names)(nil).Parse(tx.Function.Inputs[i].Type, arg)
			if err != nil {
				t.Fatal(err)
			}
			tx.Args = append(tx.Args, v)
		}
		return tx
	}
	set := call(input.User1, "set(uint64,uint256[])", input.Delay{Blocks: 3, Seconds: 60}, "0x1122", "[7, 8]")
	pay := call(input.User2, "pay(uint256)", input.Delay{Seconds: 100}, "9")
	pay.Value.SetUint64(5)
	return input.Sequence{Txs: []input.Tx{set, pay}}
}

// writerStart is the block before the first transaction.
var writerStart = evm.BlockContext{Number: 1000, Timestamp: 5000}

func addressWord(a common.Address) uint256.Int { return *new(uint256.Int).SetBytes20(a[:]) }

// The sender is solved within the senders of the function.
func TestWriterWritesSenders(t *testing.T) {
	whale := input.Actor(common.HexToAddress("0x219ab540356cBB839Cbe05303d7705Fa"))
	s := writerSequence(t)
	s.Txs[0].Function = s.Txs[0].Function.SentBy([]input.Actor{input.User1, whale})
	flow := shadow.Flow{Source: shadow.TaintSource{Kind: shadow.FromCaller}, Bits: 160}
	field := addressWord(whale.Address())
	if got, _, ok := NewWriter(writerStart).Write(s, &flow, &field); !ok || got.Txs[0].From != whale {
		t.Errorf("%t: sent by %s", ok, got.Txs[0].From)
	}
	field = addressWord(input.Attacker.Address())
	if got, _, ok := NewWriter(writerStart).Write(s, &flow, &field); ok {
		t.Errorf("sent by %s, who may not", got.Txs[0].From)
	}
}

// A writer changes the one parameter that a flow comes from. Times and block
// numbers become delays after the transaction before.
func TestWriterWrites(t *testing.T) {
	n := func(v uint64) uint256.Int { return *uint256.NewInt(v) }
	const second = 4 + 4*32 // of the list: after n, the list's offset, its length and its first element
	for _, row := range []struct {
		name   string
		source shadow.TaintSource
		low    int
		bits   int
		field  uint256.Int
		want   string // transaction that differs
	}{
		{"argument", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4}, 0, 64, n(77), "set(77, [7, 8])"},
		{"bits of an argument", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4}, 8, 8, n(0xab), "set(43810, [7, 8])"},
		{"argument, cut to its type", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4}, 0, 256, uint256.Int{6, 1}, "set(6, [7, 8])"},
		{"element", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: second}, 0, 256, n(3), "set(4386, [7, 3])"},
		{"argument of a later transaction", shadow.TaintSource{Kind: shadow.FromCalldata, Tx: 1, Offset: 4}, 0, 256, n(3), "pay(3)"},
		{"wei", shadow.TaintSource{Kind: shadow.FromCallValue, Tx: 1}, 0, 256, n(6), "6"},
		{"time", shadow.TaintSource{Kind: shadow.FromTimestamp}, 0, 256, n(5061), "61"},
		{"time at once", shadow.TaintSource{Kind: shadow.FromTimestamp}, 0, 256, n(5000), "0"},
		{"time after a delay", shadow.TaintSource{Kind: shadow.FromTimestamp, Tx: 1}, 0, 256, n(5061), "1"},
		{"block", shadow.TaintSource{Kind: shadow.FromNumber}, 0, 256, n(1001), "1"},
		{"block after a delay", shadow.TaintSource{Kind: shadow.FromNumber, Tx: 1}, 0, 256, n(1010), "7"},
		{"sender", shadow.TaintSource{Kind: shadow.FromCaller}, 0, 160, addressWord(input.Attacker.Address()), "attacker"},
		{"origin", shadow.TaintSource{Kind: shadow.FromOrigin, Tx: 1}, 0, 160, addressWord(input.Deployer.Address()), "deployer"},
	} {
		s := writerSequence(t)
		flow := shadow.Flow{Source: row.source, Low: row.low, Bits: row.bits}
		got, change, ok := NewWriter(writerStart).Write(s, &flow, &row.field)
		if !ok {
			t.Errorf("%s: refused", row.name)
			continue
		}
		i := row.source.Tx
		if change.Tx != i || change.First != i || !change.Single || change.Shape {
			t.Errorf("%s: the change is %+v", row.name, change)
		}
		if shown := shownParameter(&got.Txs[i], change.Param.Kind); shown != row.want {
			t.Errorf("%s: got %s, want %s", row.name, shown, row.want)
		}
		word := input.Get(&s.Txs[i], &change.Param)
		got = got.WithTx(i, input.Set(&got.Txs[i], &change.Param, word))
		if text := shownSequence(got); text != shownSequence(writerSequence(t)) {
			t.Errorf("%s: more than one parameter differs:\n%s", row.name, text)
		}
		if text := shownSequence(s); text != shownSequence(writerSequence(t)) {
			t.Errorf("%s: the original is changed:\n%s", row.name, text)
		}
	}
}

func shownSequence(s input.Sequence) string { return string(input.AppendText(nil, s)) }

// shownParameter shows the part of a transaction that parameters of a kind belong
// to.
func shownParameter(tx *input.Tx, kind input.ParameterKind) string {
	switch kind {
	case input.ParamWei:
		return tx.Value.Dec()
	case input.ParamSeconds:
		return uint256.NewInt(tx.Delay.Seconds).Dec()
	case input.ParamBlocks:
		return uint256.NewInt(tx.Delay.Blocks).Dec()
	case input.ParamActor:
		return tx.From.String()
	}
	text := tx.Function.Name + "("
	for i, v := range tx.Args {
		if i > 0 {
			text += ", "
		}
		text += (*input.Names)(nil).Format(v)
	}
	return text + ")"
}

// A writer refuses what no parameter holds, what lies in the past, and what is
// there already.
func TestWriterRefuses(t *testing.T) {
	n := func(v uint64) uint256.Int { return *uint256.NewInt(v) }
	for _, row := range []struct {
		name   string
		source shadow.TaintSource
		field  uint256.Int
	}{
		{"a transaction before the first", shadow.TaintSource{Kind: shadow.FromCalldata, Tx: -1, Offset: 4}, n(1)},
		{"a transaction after the last", shadow.TaintSource{Kind: shadow.FromCalldata, Tx: 2, Offset: 4}, n(1)},
		{"the selector", shadow.TaintSource{Kind: shadow.FromCalldata}, n(1)},
		{"data after the arguments", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4 + 32*32}, n(1)},
		{"any calldata", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: shadow.Anywhere}, n(1)},
		{"the same argument", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4}, n(0x1122)},
		{"the same argument after the cut", shadow.TaintSource{Kind: shadow.FromCalldata, Offset: 4}, uint256.Int{0x1122, 1}},
		{"wei for a function that is not payable", shadow.TaintSource{Kind: shadow.FromCallValue}, n(1)},
		{"the same wei", shadow.TaintSource{Kind: shadow.FromCallValue, Tx: 1}, n(5)},
		{"a time before the deployment", shadow.TaintSource{Kind: shadow.FromTimestamp}, n(4999)},
		{"a time before the transaction before", shadow.TaintSource{Kind: shadow.FromTimestamp, Tx: 1}, n(5059)},
		{"the same time", shadow.TaintSource{Kind: shadow.FromTimestamp, Tx: 1}, n(5160)},
		{"a time of more than 64 bits", shadow.TaintSource{Kind: shadow.FromTimestamp}, uint256.Int{5061, 1}},
		{"a block before the deployment", shadow.TaintSource{Kind: shadow.FromNumber}, n(999)},
		{"the same block", shadow.TaintSource{Kind: shadow.FromNumber}, n(1003)},
		{"a sender that is no actor", shadow.TaintSource{Kind: shadow.FromCaller}, n(12345)},
		{"the same sender", shadow.TaintSource{Kind: shadow.FromCaller}, addressWord(input.User1.Address())},
		{"storage", shadow.TaintSource{Kind: shadow.FromStorage, Address: common.Address{1}}, n(1)},
		{"the hash of a block", shadow.TaintSource{Kind: shadow.FromBlockHash}, n(1)},
	} {
		s := writerSequence(t)
		got, _, ok := NewWriter(writerStart).Write(s, &shadow.Flow{Source: row.source, Bits: 256}, &row.field)
		if ok {
			t.Errorf("%s: written", row.name)
		}
		if text := shownSequence(got); text != shownSequence(writerSequence(t)) {
			t.Errorf("%s: the sequence is changed:\n%s", row.name, text)
		}
	}
}

// One writer serves several writes to one sequence and its variants.
func TestWriterServesVariants(t *testing.T) {
	s, w := writerSequence(t), NewWriter(writerStart)
	for i := range s.Txs {
		for v := range uint64(3) {
			var ok bool
			flow := shadow.Flow{Source: shadow.TaintSource{Kind: shadow.FromCalldata, Tx: i, Offset: 4}, Bits: 64}
			if s, _, ok = w.Write(s, &flow, uint256.NewInt(100*uint64(i)+v)); !ok {
				t.Fatalf("transaction %d: %d is refused", i, v)
			}
		}
	}
	if first, second := s.Txs[0].Args[0].Word, s.Txs[1].Args[0].Word; !first.Eq(uint256.NewInt(2)) || !second.Eq(uint256.NewInt(102)) {
		t.Errorf("the arguments are %v and %v", &first, &second)
	}
}
