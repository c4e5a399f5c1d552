package evm_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
	"leveret/solc/solctest"

	"github.com/ethereum/go-ethereum/common"
)

// A compiled contract, as testdata/compile.js prints it.
type compiled struct {
	Creation  string
	Selectors map[string]string
}

// compile compiles a file of testdata, or of an npm package, with a pinned
// compiler.
func compile(t testing.TB, compiler, file string, optimize bool) map[string]compiled {
	t.Helper()
	modules := filepath.Join(solctest.Tools(t), "node_modules")
	output := solctest.Node(t, []string{"testdata/compile.js", modules, compiler, file, fmt.Sprint(optimize)}, nil,
		"testdata/compile.js", "testdata/Token.sol", "testdata/Basics.sol", "testdata/Real.sol")
	contracts := make(map[string]compiled)
	if err := json.Unmarshal(output, &contracts); err != nil {
		t.Fatal(err)
	}
	return contracts
}

// The token of the throughput benchmark is kept compiled.
func TestTokenIsItsSource(t *testing.T) {
	text, err := os.ReadFile("testdata/token.hex")
	if err != nil {
		t.Fatal(err)
	}
	want := compile(t, "solc-0.8.30", "Token.sol", false)["Token"].Creation
	if strings.TrimSpace(string(text)) != want {
		t.Error("testdata/token.hex is not what Token.sol compiles to")
	}
}

// realContracts are what the differential test deploys: compiler, file and
// contracts, with as many constructor words as each needs.
var realContracts = []struct {
	compiler, file string
	contracts      []string
}{
	{"solc-0.4.26", "Basics.sol", []string{"Basics"}},
	{"solc-0.5.17", "Basics.sol", []string{"Basics"}},
	{"solc-0.6.12", "Basics.sol", []string{"Basics"}},
	{"solc-0.7.6", "Basics.sol", []string{"Basics"}},
	{"solc-0.8.0", "Basics.sol", []string{"Basics"}},
	{"solc-0.8.37", "Basics.sol", []string{"Basics"}},
	{"solc-0.4.26", "canonical-weth/contracts/WETH9.sol", []string{"WETH9"}},
	{"solc-0.5.16", "@uniswap/v2-core/contracts/UniswapV2Factory.sol", []string{"UniswapV2Factory", "UniswapV2Pair"}},
	{"solc-0.8.30", "Real.sol", []string{"Coin", "Art", "Items", "Roles", "Workshop"}},
	{"solc-0.8.30", "@openzeppelin/contracts/governance/TimelockController.sol", []string{"TimelockController"}},
}

// A target is a deployed contract and how to call it.
type target struct {
	name      string
	addr      common.Address
	selectors [][]byte
}

// TestRealContractsAgreeWithStateDB deploys real contracts by all generations
// of the compiler and calls their functions with random words.
func TestRealContractsAgreeWithStateDB(t *testing.T) {
	for _, row := range realContracts {
		t.Run(row.compiler+" "+filepath.Base(row.file), func(t *testing.T) {
			contracts := compile(t, row.compiler, row.file, true)
			for seed := range uint64(4) {
				realRound(t, rand.New(rand.NewPCG(seed, 3)), contracts, row.contracts)
			}
		})
	}
}

func realRound(t *testing.T, r *rand.Rand, contracts map[string]compiled, names []string) {
	tw := newTwin(t)
	for _, who := range []common.Address{evmtest.Alice, evmtest.Bob} {
		tw.Set(who, 1_000_000, nil)
	}
	checker := evmtest.NewChecker()
	var targets []target
	for _, name := range names {
		c := evm.Call{From: evmtest.Alice, Create: true, Gas: evm.DefaultGas, Data: common.FromHex(contracts[name].Creation)}
		c.Data = append(c.Data, constructorWords()...)
		made := check(t, checker, tw, evm.BlockContext{Number: 1}, c)
		if made.Status != evm.Success {
			t.Fatalf("%s does not deploy: %+v", name, made)
		}
		targets = append(targets, target{name, made.Created, selectors(t, contracts[name])})
	}
	checker.Status[evm.Success] = 0
	kept := []*evmtest.Twin{tw}
	for range 120 {
		tw := kept[r.IntN(len(kept))]
		if len(kept) < 4 && r.IntN(10) == 0 {
			tw = tw.Fork()
			kept = append(kept, tw)
		}
		b, c := realCall(r, targets)
		check(t, checker, tw, b, c)
	}
	if succeeded := checker.Status[evm.Success]; succeeded < 10 {
		t.Errorf("only %d calls succeeded", succeeded)
	}
	for _, tw := range kept {
		if err := tw.Reference.Compare(tw.World); err != nil {
			t.Fatal(err)
		}
	}
}

// constructorWords serve any constructor: TimelockController's are
// (uint256 delay, address[] proposers, address[] executors, address admin).
func constructorWords() []byte {
	var data []byte
	for _, n := range []uint64{0, 128, 192} {
		data = append(data, common.LeftPadBytes(binary.BigEndian.AppendUint64(nil, n), 32)...)
	}
	one := common.LeftPadBytes([]byte{1}, 32)
	who := common.LeftPadBytes(evmtest.Alice[:], 32)
	return slices.Concat(data, who, one, who, one, who)
}

func selectors(t testing.TB, c compiled) [][]byte {
	var all [][]byte
	for _, s := range c.Selectors {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b)
	}
	slices.SortFunc(all, bytes.Compare) // the map's order is not the seed's
	return all
}

func realCall(r *rand.Rand, targets []target) (evm.BlockContext, evm.Call) {
	b, c := evmtest.RandomCall(r)
	c.Create = false
	to := targets[r.IntN(len(targets))]
	c.To, c.Gas = to.addr, uint64(30_000+r.IntN(3_000_000))
	c.Data = nil
	if len(to.selectors) > 0 && r.IntN(20) > 0 {
		c.Data = slices.Clone(to.selectors[r.IntN(len(to.selectors))])
	}
	words := []common.Hash{{}, {31: 1}, {31: 2}, {31: 3}, {31: 32}, {31: 64}, {31: 96}, {31: 128}, {0: 0xff},
		common.BytesToHash(evmtest.Alice[:]), common.BytesToHash(evmtest.Bob[:]), common.BytesToHash(to.addr[:]),
		common.BytesToHash(targets[0].addr[:])}
	for range r.IntN(9) {
		c.Data = append(c.Data, words[r.IntN(len(words))].Bytes()...)
	}
	if r.IntN(3) > 0 {
		c.Value.Clear()
	}
	return b, c
}
