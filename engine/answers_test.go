package engine

import (
	"testing"

	"leveret/engine/input"
)

// What the attacker contract answers and calls back with is solved like arguments,
// and shrunk to what the failure needs.
func TestAnswers(t *testing.T) {
	b := compile(t, "testdata/Answers.sol")
	for _, row := range []struct {
		contract string
		check    func(s *input.Script) bool
	}{
		{"TwoPrices", func(s *input.Script) bool {
			return s.Mode == input.Accept && len(s.Answers) == 2 && len(s.Answers[0]) == 1 && s.Answers[0][0].Uint64()/7 == 991234 &&
				s.Answers[1][0].Uint64() == s.Answers[0][0].Uint64()+777
		}},
		{"Round", func(s *input.Script) bool {
			return len(s.Answers) == 1 && len(s.Answers[0]) == 5 && s.Answers[0][1].Uint64() == 101 && s.Answers[0][0].IsZero()
		}},
		{"Chained", func(s *input.Script) bool {
			return len(s.Answers) == 0 && len(s.Calls) == 2 && s.Calls[0].Tx.Function.Name == "arm" && s.Calls[1].Tx.Function.Name == "fire"
		}},
	} {
		t.Run(row.contract, func(t *testing.T) {
			r := run(t, b, row.contract, Options{MaxInputs: 10000, Seed: 1})
			found := failing(r)
			if len(found) != 1 {
				t.Fatalf("%d findings", len(found))
			}
			w := found[0].Witness
			if s := w.Last().Script; len(w.Txs) != 1 || s == nil || !row.check(s) {
				t.Errorf("%v", w)
			}
		})
	}
}
