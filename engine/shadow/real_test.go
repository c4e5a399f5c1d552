package shadow

import (
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"sort"
	"testing"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func realContracts(t testing.TB) []compiled {
	t.Helper()
	var jobs []job
	for _, row := range []struct{ solc, settings, file string }{
		{"solc-0.4.26", optimised, "canonical-weth/contracts/WETH9.sol"},
		{"solc-0.5.16", optimised, "@uniswap/v2-core/contracts/UniswapV2Pair.sol"},
		{"solc-0.6.12", plain, "openzeppelin-3/presets/ERC20PresetMinterPauser.sol"},
		{"solc-0.7.6", optimised, "@gnosis.pm/safe-contracts/contracts/GnosisSafe.sol"},
		{"solc-0.8.30", plain, "@openzeppelin/contracts/governance/TimelockController.sol"},
		{"solc-0.8.30", viaIR, "@openzeppelin/contracts/governance/TimelockController.sol"},
		{"solc-0.8.30", viaIR, "solady/src/tokens/WETH.sol"},
		{"solc-0.8.30", optimised, "solmate/src/tokens/WETH.sol"},
	} {
		jobs = append(jobs, job{row.solc, json.RawMessage(row.settings), row.file})
	}
	return compileJobs(t, jobs)
}

var realNames = map[string]bool{
	"WETH9": true, "UniswapV2Pair": true, "ERC20PresetMinterPauser": true,
	"GnosisSafe": true, "TimelockController": true, "WETH": true,
}

// randomCall makes calldata of a random method: words that are small,
// addresses, offsets or anything.
func randomCall(r *rand.Rand, selectors []string) []byte {
	data, _ := hex.DecodeString(selectors[r.IntN(len(selectors))])
	for range r.IntN(9) {
		var w [32]byte
		switch r.IntN(4) {
		case 0:
			w[31] = byte(r.IntN(10))
		case 1:
			copy(w[12:], sender[:])
		case 2:
			w[31] = byte(32 * r.IntN(8))
		default:
			for i := range w {
				w[i] = byte(r.Uint32())
			}
		}
		data = append(data, w[:]...)
	}
	return data
}

// TestRealContracts compares the mirror, the conditions and the resolutions
// on published contracts under random calls that build on each other.
func TestRealContracts(t *testing.T) {
	for _, c := range realContracts(t) {
		if !realNames[c.Contract] {
			continue
		}
		t.Run(c.Contract+" "+c.name(), func(t *testing.T) { realContract(t, &c) })
	}
}

func realContract(t *testing.T, c *compiled) {
	var selectors []string
	for _, s := range c.Methods {
		selectors = append(selectors, s)
	}
	sort.Strings(selectors)
	world := evm.NewWorld(evm.NewCodes())
	at := common.Address{1, 19: 0x77}
	code := world.SetCode(at, common.FromHex(c.Runtime))
	world.SetBalance(sender, new(uint256.Int).Lsh(uint256.NewInt(1), 100))
	w := &watch{o: New(NewState())}
	h := &hot{o: w.o, words: map[[2]uint64]*pairSeen{}}
	w.o.Resolver = NewResolver()
	w.o.Events.Branch = h.branch(t, 0)
	hooks := h.hooks()
	record := hooks.Step
	hooks.Step = func(s *evm.Step) {
		if w.o.finish(w.o.top(), s); w.failed == nil {
			w.failed = w.compare(s)
		}
		record(s)
	}
	m := evm.NewMachine()
	m.Steps = 20_000
	r := rand.New(rand.NewPCG(3, 4))
	branches, resolved, inferred := 0, 0, 0
	for i := range 400 {
		if i == 200 {
			h.exact, h.silent = 0, 0
		}
		clear(h.words)
		call := evm.Call{From: sender, To: at, Data: randomCall(r, selectors), Value: *uint256.NewInt(uint64(r.IntN(2)) * 100)}
		m.Execute(world, now, call, hooks)
		if w.failed != nil {
			t.Fatalf("%x: %v", call.Data, w.failed)
		}
		for _, d := range w.o.Branches {
			checkCost(t, &d)
			branches++
			if d.Condition.Resolved() {
				resolved++
			}
			for l := range d.Condition.Leaves {
				if l.Inferred {
					inferred++
					break
				}
			}
		}
	}
	total := h.exact + h.silent
	static := len(w.o.Resolver.static(code))
	t.Logf("%d branches, cost %.2f %% (%d inferred); second half: resolutions exact for %.2f %% of %d; static for %d of %d sites",
		branches, 100*float64(resolved)/float64(branches), inferred, 100*float64(h.exact)/float64(total), total, static, len(w.o.Resolver.code(code).code.Jumpis))
	if resolved*100 < branches*98 {
		t.Errorf("only %d of %d branches have a cost", resolved, branches)
	}
}

func checkCost(t *testing.T, d *Decision) {
	t.Helper()
	took, other := d.Condition.Cost(d.Taken), d.Condition.Cost(!d.Taken)
	if d.Condition.Holds() != d.Taken || !took.IsZero() || other.IsZero() {
		t.Errorf("pc %d taken %v, cost %s and %s of %s", d.PC, d.Taken, took.Hex(), other.Hex(), d.Condition)
	}
}
