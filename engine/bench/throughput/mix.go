// Package throughput measures what a Call costs on a Machine, observed as in
// campaigns, beside what it costs on go-ethereum alone.
//
// Each mix has a few hundred successful Calls of one contract on one state. All
// ways to execute them run in one process, in turns, so that other load affects
// all alike.
package throughput

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/bench/subject"
	"leveret/engine/evm"
	"leveret/engine/program"
)

// callCount is the number of Calls of a mix.
const callCount = 256

// payer sends all Calls and owns all tokens at first.
var payer = common.HexToAddress("0xa11ce")

// A mix is Calls of one contract, all on the same World in the same block.
type mix struct {
	name      string
	optimised bool
	program   *program.Program
	world     *evm.World
	block     evm.BlockContext
	to        common.Address
	calls     []evm.Call
}

// A contract is what a mix is made of.
type contract struct {
	name   string
	deploy func(s *site) common.Address
	data   func(s *site, r *rand.Rand) []byte // of a random call
}

// contracts are all of them, by their names in the table.
var contracts = []contract{
	{"ERC-20", deployToken, tokenCall},
	{"pair", deployPair, pairCall},
	{"loops", deployLoops, loopsCall},
}

// A site is where a mix is set up.
type site struct {
	compiled map[string]subject.Subject // by contract
	machine  *evm.Machine
	world    *evm.World
	block    evm.BlockContext
	err      error // the first one
}

// newMix compiles, deploys and draws the Calls.
func newMix(ctx context.Context, c contract, tools subject.Toolchain, folders Folders, optimised bool) (*mix, error) {
	s := &site{machine: evm.NewMachine(), block: evm.BlockContext{Number: 1, Timestamp: 1_000_000, GasLimit: evm.DefaultGas}}
	var err error
	if s.compiled, err = compile(ctx, c.name, tools, folders, optimised); err != nil {
		return nil, err
	}
	under := s.compiled[sources[c.name][0].contract]
	p, err := program.New(under.Contract, under.Project)
	if err != nil {
		return nil, err
	}
	s.world = evm.NewWorld(p.Codes)
	s.world.SetBalance(payer, uint256.NewInt(1_000_000))
	x := &mix{name: c.name, optimised: optimised, program: p, to: c.deploy(s)}
	x.world, x.block = s.world, s.block
	x.block.Number, x.block.Timestamp = s.block.Number+1, s.block.Timestamp+12
	r := rand.New(rand.NewPCG(1, 1))
	for range callCount {
		x.calls = append(x.calls, evm.Call{From: payer, To: x.to, Data: c.data(s, r), Gas: evm.DefaultGas})
	}
	return x, s.err
}

// create deploys a contract; its arguments are words.
func (s *site) create(name string, arguments ...any) common.Address {
	code := s.compiled[name].Contract.Creation.Object
	return s.run(name, evm.Call{From: payer, Create: true, Data: append(code[:len(code):len(code)], words(arguments...)...)}).Created
}

// call changes the World by a call.
func (s *site) call(to common.Address, signature string, arguments ...any) evm.Outcome {
	return s.run(signature, evm.Call{From: payer, To: to, Data: calldata(signature, arguments...)})
}

func (s *site) run(what string, c evm.Call) evm.Outcome {
	out := s.machine.Execute(s.world, s.block, c, nil)
	if out.Status != evm.Success && s.err == nil {
		s.err = fmt.Errorf("%s fails: %+v", what, out)
	}
	return out
}

// calldata encodes a call; its arguments are words.
func calldata(signature string, arguments ...any) []byte {
	return append(crypto.Keccak256([]byte(signature))[:4], words(arguments...)...)
}

// words encodes numbers and addresses as words, and copies bytes.
func words(arguments ...any) (data []byte) {
	for _, a := range arguments {
		switch a := a.(type) {
		case int:
			word := uint256.NewInt(uint64(a)).Bytes32()
			data = append(data, word[:]...)
		case common.Address:
			data = append(data, common.LeftPadBytes(a[:], 32)...)
		case []byte:
			data = append(data, a...)
		default:
			panic(fmt.Sprintf("no encoding of %T", a))
		}
	}
	return data
}

// someone returns one of a few accounts.
func someone(r *rand.Rand) (a common.Address) {
	a[19], a[3] = byte(r.IntN(16)), 1
	return a
}
