package input

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Every change that shows in the file form shows in the digest.
func TestDigestTellsApart(t *testing.T) {
	changes := []func(s *Sequence){
		func(s *Sequence) {},
		func(s *Sequence) { s.Txs = s.Txs[:3] },
		func(s *Sequence) { s.Txs[0], s.Txs[3] = s.Txs[3], s.Txs[0] },
		func(s *Sequence) { s.Txs[0].From = User2 },
		func(s *Sequence) { s.Txs[0].To = tokenAddress },
		func(s *Sequence) { s.Txs[0].Function = mustSignature(t, "SetZ(int256)") },
		func(s *Sequence) { s.Txs[0].Args[0].Word[3] = 1 },
		func(s *Sequence) { s.Txs[0].Value[0] = 1 },
		func(s *Sequence) { s.Txs[0].Delay.Blocks = 1 },
		func(s *Sequence) { s.Txs[0].Delay.Seconds = 1 },
		func(s *Sequence) { s.Txs[0].Script = &Script{} },
		func(s *Sequence) { s.Txs[1].Args[1].Elems = nil },
		func(s *Sequence) { s.Txs[1].Args[1].Elems[0].Elems[0].Data = []byte("a") },
		func(s *Sequence) { s.Txs[1].Args[4].Data = []byte{0} },
		func(s *Sequence) { s.Txs[1].Script = nil },
		func(s *Sequence) { s.Txs[1].Script.Mode = BurnGas },
		func(s *Sequence) { s.Txs[1].Script.Calls = s.Txs[1].Script.Calls[:1] },
		func(s *Sequence) { s.Txs[1].Script.Calls[0].Tx.To = common.Address{1} },
		func(s *Sequence) { s.Txs[1].Script.Calls[0].Tx.Data = []byte{1} },
		func(s *Sequence) { s.Txs[1].Script.Calls[0].Tx.Value[1] = 1 },
		func(s *Sequence) { s.Txs[1].Script.Calls[0].First = 2 },
		func(s *Sequence) { s.Txs[1].Script.Calls[0].Times = 1 },
		func(s *Sequence) { s.Txs[1].Script.Answers = nil },
		func(s *Sequence) { s.Txs[1].Script.Answers = [][]uint256.Int{{{1}, {2}, {3}}} },
		func(s *Sequence) { s.Txs[1].Script.Answers = [][]uint256.Int{{{1}}} },
		func(s *Sequence) { s.Txs[0].Function = mustSignature(t, "SetX(int256)") },
		func(s *Sequence) { s.Txs[2].Data = []byte{0xde, 0xad, 0} },
		func(s *Sequence) { s.Txs[2].Data = nil },
		func(s *Sequence) { s.Txs[3].Function = mustSignature(t, "fallback()") },
		func(s *Sequence) { s.Txs[3].Function = Forced },
		func(s *Sequence) { s.Deployment.Creations[0].Args[0].Word[0]++ },
		func(s *Sequence) { s.Deployment.Creations[3].Value[0]++ },
		func(s *Sequence) { s.Deployment.Creations[3].Setup = nil },
	}
	seen := map[uint64]int{}
	texts := map[string]int{}
	for i, change := range changes {
		s := sampleSequence(t)
		change(&s)
		text := string(AppendText(nil, s))
		if j, ok := texts[text]; ok {
			t.Fatalf("changes %d and %d are the same", i, j)
		}
		if j, ok := seen[Digest(s)]; ok {
			t.Errorf("changes %d and %d have the same digest", i, j)
		}
		texts[text], seen[Digest(s)] = i, i
	}
	back, err := ReadText([]byte(sampleText), func(_, sig string) *Function { return mustSignature(t, sig) })
	if err != nil {
		t.Fatal(err)
	}
	if seen[Digest(back)] != 0 || len(seen) != len(changes) {
		t.Error("what is read back has another digest")
	}
}

// Digests of transactions one by one tell sequences apart as Digest does, and
// depend on no other data.
func TestDigestTx(t *testing.T) {
	s := sampleSequence(t)
	of := func(txs []Tx) uint64 {
		d := NoTxs
		for i := range txs {
			d = DigestTx(d, &txs[i])
		}
		return d
	}
	whole := of(s.Txs)
	if copied := sampleSequence(t); of(copied.Txs) != whole {
		t.Error("equal transactions have different digests")
	}
	seen := map[uint64]bool{whole: true}
	for i := range s.Txs {
		if d := of(s.Txs[:i]); seen[d] {
			t.Errorf("the first %d transactions have another's digest", i)
		} else {
			seen[d] = true
		}
		changed := sampleSequence(t)
		changed.Txs[i].Delay.Seconds++
		if d := of(changed.Txs); seen[d] {
			t.Errorf("a change of transaction %d does not show", i)
		}
	}
	if a, b := DigestWords(whole, [32]byte{1}), DigestWords(whole, [32]byte{}, [32]byte{1}); a == b || a == whole {
		t.Error("words do not show")
	}
}
