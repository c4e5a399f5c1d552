package input

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"
)

// nested is a type of which each level has the one below twice, once as a list:
// values grow with every level if nothing bounds them.
func nested(levels int) string {
	t := "(uint256,uint256[])"
	for range levels {
		t = fmt.Sprintf("(%s,%s[],uint256)", t, t)
	}
	return t
}

// hostileSignatures have arguments that can grow without end.
var hostileSignatures = []string{
	"f(" + nested(10) + ")",
	"f(uint256[][][][][][][][])",
	"f(bytes[][][],string[][],bytes)",
	"f(uint256[1000],bytes[],uint256[][])",
	"f((bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[],bytes[])[])",
}

// largeBytes is a Pool whose byte strings are as long as they may be.
type largeBytes struct{ Pool }

func (largeBytes) Bytes(*rand.Rand) ([]byte, bool) { return make([]byte, MaxBytes), true }

func (largeBytes) Word(*rand.Rand, WordType) (w uint256.Int, ok bool) { return w, false }

func TestRandomValuesAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, signature := range hostileSignatures {
		f, err := ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		for range 50 {
			tx := RandomTx(r, f, User1.Address(), largeBytes{})
			if tx.Oversized() {
				t.Fatalf("%.40s: %d words", signature, Words(tx.Args))
			}
		}
	}
}

// However often lengths are set to their limits, arguments stay bounded.
func TestSetLengthsAreBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, signature := range hostileSignatures {
		f, err := ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		tx := Tx{Function: f, Args: f.Zero()}
		grown := 0
		for range 300 {
			var lengths []Parameter
			for _, p := range Parameters(&tx) {
				if p.Kind == ParamLength {
					lengths = append(lengths, p)
				}
			}
			if len(lengths) == 0 {
				t.Fatal("no lengths")
			}
			p := &lengths[r.IntN(len(lengths))]
			tx = Set(&tx, p, *uint256.NewInt(p.Word.Limit))
			if tx.Oversized() {
				t.Fatalf("%.40s: %d words", signature, Words(tx.Args))
			}
			grown = max(grown, Words(tx.Args)-f.least)
		}
		if grown < MaxWords/2 {
			t.Errorf("%.40s: grows by %d words at most", signature, grown)
		}
	}
}
