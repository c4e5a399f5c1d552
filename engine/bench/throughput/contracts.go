package throughput

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bench/subject"
)

// A source is a file with a contract, and the compiler for it.
type source struct {
	file     string // relative to the root of the module, or to the tools
	contract string
	compiler string
	npm      bool // relative to the tools
}

var tokenSource = source{file: "engine/evm/testdata/Token.sol", contract: "Token", compiler: "0.8.30"}

// sources are the contracts of the mixes, by mix; the one that is called is
// first.
var sources = map[string][]source{
	"ERC-20": {tokenSource},
	"pair":   {{file: "contracts/Pair.sol", contract: "Pair", compiler: "0.5.16", npm: true}, tokenSource},
	"loops":  {{file: "engine/bench/testdata/Loops.sol", contract: "Loops", compiler: "0.8.30"}},
}

// compile compiles the contracts of a mix.
func compile(ctx context.Context, mix string, tools subject.Toolchain, folders Folders, optimised bool) (map[string]subject.Subject, error) {
	compiled := map[string]subject.Subject{}
	for _, s := range sources[mix] {
		one, err := s.compile(ctx, tools, folders, optimised)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		compiled[s.contract] = one
	}
	return compiled, nil
}

// settings of a Foundry project.
const settings = `[profile.default]
src = "src"
offline = true
solc = %q
optimizer = %t
optimizer_runs = 200
remappings = ["@uniswap/=%s/@uniswap/"]
allow_paths = [%q]
`

// compile copies the file to a project of its own.
func (s source) compile(ctx context.Context, tools subject.Toolchain, folders Folders, optimised bool) (one subject.Subject, err error) {
	root, err := os.MkdirTemp("", "leveret-throughput-")
	if err != nil {
		return one, err
	}
	defer os.RemoveAll(root)
	from := filepath.Join(folders.Module, s.file)
	if s.npm {
		from = filepath.Join(folders.Tools, s.file)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return one, err
	}
	npm, err := filepath.Abs(folders.Tools)
	if err != nil {
		return one, err
	}
	config := fmt.Sprintf(settings, s.compiler, optimised, filepath.Join(npm, "node_modules"), npm)
	to := filepath.Join(root, "src", filepath.Base(s.file))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return one, err
	}
	for path, text := range map[string][]byte{filepath.Join(root, "foundry.toml"): []byte(config), to: text} {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return one, err
		}
	}
	list, err := tools.Compile(ctx, to, s.contract)
	if err != nil {
		return one, err
	}
	return list[0], nil
}

// supply is what the payer owns of a token.
const supply = 1 << 60

func deployToken(s *site) common.Address { return s.create("Token", supply) }

// tokenCall transfers in six of eight calls, else approves or asks for a
// balance.
func tokenCall(_ *site, r *rand.Rand) []byte {
	to, value := someone(r), r.IntN(100)
	switch r.IntN(8) {
	case 0:
		return calldata("approve(address,uint256)", to, value)
	case 1:
		return calldata("balanceOf(address)", to)
	}
	return calldata("transfer(address,uint256)", to, value)
}

// deployPair deploys a pair with liquidity. It has more of both tokens than it
// knows of, so that swaps and mints succeed, and shares of its own to burn.
func deployPair(s *site) common.Address {
	a, b := s.create("Token", supply), s.create("Token", supply)
	pair := s.create("Pair", a, b)
	for range 2 {
		s.call(a, "transfer(address,uint256)", pair, 1_000_000_000)
		s.call(b, "transfer(address,uint256)", pair, 3_000_000_000)
		s.call(pair, "mint(address)", payer)
	}
	s.call(a, "transfer(address,uint256)", pair, 2_000_000)
	s.call(b, "transfer(address,uint256)", pair, 5_000_000)
	s.call(pair, "transfer(address,uint256)", pair, 1_000_000)
	s.call(pair, "approve(address,uint256)", payer, 1_000_000)
	return pair
}

// pairCall swaps in three of eight calls, else mints, burns, syncs or moves
// shares.
func pairCall(_ *site, r *rand.Rand) []byte {
	to, value := someone(r), 1+r.IntN(1000)
	switch r.IntN(8) {
	case 0:
		return calldata("mint(address)", to)
	case 1:
		return calldata("burn(address)", to)
	case 2:
		return calldata("sync()")
	case 3:
		return calldata("transfer(address,uint256)", to, value)
	case 4:
		return calldata("transferFrom(address,address,uint256)", payer, to, value)
	case 5:
		return calldata("swap(uint256,uint256,address,bytes)", 0, value, to, 4*32, 0)
	}
	return calldata("swap(uint256,uint256,address,bytes)", value, 0, to, 4*32, 0)
}

// storedValues is the length of the array in storage.
const storedValues = 24

func deployLoops(s *site) common.Address { return s.create("Loops", storedValues) }

// loopsCall calls each function as often as the others.
func loopsCall(_ *site, r *rand.Rand) []byte {
	switch r.IntN(5) {
	case 0:
		return calldata("sort(uint256,uint256)", r.IntN(1<<30), 8+r.IntN(8))
	case 1:
		return calldata("multiply(uint256,uint256)", r.IntN(1<<30), 3+r.IntN(2))
	case 2:
		return calldata("primes(uint256)", 20+r.IntN(30))
	case 3:
		return calldata("add(uint256,uint256)", r.IntN(storedValues), r.IntN(1<<30))
	}
	text := make([]byte, 32)
	for i := range text {
		text[i] = byte('a' + r.IntN(26))
	}
	return calldata("digest(bytes)", 32, len(text), text)
}
