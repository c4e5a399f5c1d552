package input

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

func TestOffsetsAreWhereTheWordsStand(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n := 0; n < 800; n++ {
		f := mustSignature(t, "f("+randomType(r, 3).String()+","+randomType(r, 3).String()+")")
		f.Constructor = n%5 == 0
		tx := randomTx(r, f)
		data := tx.Calldata()
		m := Offsets(&tx)
		offsets, params := m.words, Parameters(&tx)
		if len(offsets) != len(params) {
			t.Fatalf("%d offsets of %d parameters", len(offsets), len(params))
		}
		for i := range params {
			p := &params[i]
			at := offsets[i].Offset
			if p.Kind > ParamChunk {
				if offsets[i].Size != 0 {
					t.Fatalf("parameter of kind %d at %d", p.Kind, at)
				}
				continue
			}
			if found, ok := m.At(at); !ok || found.Index != i {
				t.Fatalf("%s: at %d is not parameter %d", f.Signature, at, i)
			}
			want := Get(&tx, p)
			var got uint256.Int
			got.SetBytes(data[at:min(at+32, len(data))])
			if p.Kind == ParamChunk {
				got = p.Word.Wrap(&got)
			}
			if got != want {
				t.Fatalf("%s: parameter %d is %s, at %d stands %s", f.Signature, i, want.Hex(), at, got.Hex())
			}
		}
	}
}
