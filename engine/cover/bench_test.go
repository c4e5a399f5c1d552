package cover

import (
	"encoding/hex"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// payer owns all that the token's constructor gives.
var payer = common.HexToAddress("0xa11ce")

// A tokenMix is a World with an ERC-20 token, and calls to it.
type tokenMix struct {
	world *evm.World
	token common.Address
	calls [][]byte
}

func newMix(b *testing.B) *tokenMix {
	text, err := os.ReadFile("../evm/testdata/token.hex")
	if err != nil {
		b.Fatal(err)
	}
	x := &tokenMix{world: evm.NewWorld(evm.NewCodes())}
	creation, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		b.Fatal(err)
	}
	supply := common.BigToHash(common.Big256)
	supply[10] = 1
	creation = append(creation, supply[:]...)
	m := evm.NewMachine()
	x.world.SetBalance(payer, uint256.NewInt(1_000_000))
	out := m.Execute(x.world, evm.BlockContext{Number: 1}, evm.Call{From: payer, Create: true, Data: creation}, nil)
	if out.Status != evm.Success {
		b.Fatalf("the token does not deploy: %+v", out)
	}
	x.token = out.Created
	r := rand.New(rand.NewPCG(1, 1))
	word := func(b []byte) []byte { return common.LeftPadBytes(b, 32) }
	for range 256 {
		var to common.Address
		to[19], to[3] = byte(r.IntN(16)), 1
		value := word([]byte{byte(r.IntN(100))})
		switch r.IntN(8) {
		case 0:
			x.calls = append(x.calls, append(append(common.FromHex("095ea7b3"), word(to[:])...), value...))
		case 1:
			x.calls = append(x.calls, append(common.FromHex("70a08231"), word(to[:])...))
		default:
			x.calls = append(x.calls, append(append(common.FromHex("a9059cbb"), word(to[:])...), value...))
		}
	}
	return x
}

func (x *tokenMix) call(data []byte) evm.Call {
	return evm.Call{From: payer, To: x.token, Data: data}
}

// BenchmarkHotTier executes the mix as campaigns do, for the profiler.
func BenchmarkHotTier(b *testing.B) {
	x, m := newMix(b), evm.NewMachine()
	r := NewRecorder(NewMap(), func(*evm.Code) bool { return true })
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		out := m.Record(x.world, evm.BlockContext{Number: 1}, x.call(x.calls[i%len(x.calls)]), r)
		if out.Status != evm.Success {
			b.Fatalf("a call fails: %+v", out)
		}
		r.Finish(out.Status)
		i++
	}
}
