package mutate

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A list of calls gets more and fewer of them, and in another order, some of them from
// other Sequences; the addresses beside calls are those of their contracts.
func TestNested(t *testing.T) {
	parse := func(signature string) *input.Function {
		f, err := input.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	put, batch, run := parse("put(uint8)"), parse("batch(bytes[])"), parse("run(address[],bytes[],uint256[])")
	batch.Inputs[0].Type.Elem.Contents = []*input.Content{input.EncodedCallOf(put)}
	run.Inputs[1].Type.Elem.Calls = true
	vault := common.Address{7}
	other := input.Tx{To: vault, Function: put, Args: put.Zero()}
	other.Args[0].Word.SetUint64(251)
	env := &Env{
		Targets: []Target{{vault, put}}, Tx: -1, MaxTxs: 1,
		Donor: func(*rand.Rand) (input.Sequence, bool) { return input.Sequence{Txs: []input.Tx{other}}, true },
	}
	r := rand.New(rand.NewPCG(3, 1))
	longer, shorter, donated := 0, 0, 0
	for _, f := range []*input.Function{batch, run} {
		s := input.Sequence{Txs: []input.Tx{{From: input.User1, Function: f, Args: f.Zero()}}}
		for range 600 {
			child, diff, ok := Nested(r, env, s)
			if !ok {
				continue
			}
			if diff.Tx != 0 || diff.First != 0 || diff.Single {
				t.Fatalf("%+v", diff)
			}
			was, is := calls(s), calls(child)
			if len(is) > len(was) {
				longer++
			} else if len(is) < len(was) {
				shorter++
			}
			for i := range is {
				if c := is[i].Content; c != nil && is[i].Elems[0].Word.Eq(&other.Args[0].Word) {
					donated++
				}
				if f == run && len(child.Txs[0].Args[0].Elems) != len(is) {
					t.Fatalf("%d addresses for %d calls", len(child.Txs[0].Args[0].Elems), len(is))
				}
				if f == run && is[i].Content != nil && child.Txs[0].Args[0].Elems[i].Address() != vault {
					t.Fatalf("call %d is of %s", i, child.Txs[0].Args[0].Elems[i])
				}
			}
			s = child
		}
	}
	if longer < 200 || shorter < 100 || donated < 100 {
		t.Errorf("%d times longer, %d times shorter, %d calls of other sequences", longer, shorter, donated)
	}
}

func calls(s input.Sequence) []input.Value {
	args := s.Txs[0].Args
	if len(args) == 1 {
		return args[0].Elems
	}
	return args[1].Elems
}
