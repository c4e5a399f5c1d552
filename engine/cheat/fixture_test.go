package cheat

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc/solctest"
)

// A fixture is a chain with cheatcodes.
type fixture struct {
	testing.TB
	machine *evm.Machine
	world   *evm.World
	cheats  *Cheats
	block   evm.BlockContext
}

var tester = common.HexToAddress("0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38")

func newFixture(t testing.TB) *fixture {
	f := &fixture{t, evm.NewMachine(), evm.NewWorld(evm.NewCodes()), &Cheats{}, evm.BlockContext{Number: 1, Timestamp: 1, ChainID: 31337}}
	f.machine.Inspector = f.cheats
	f.world.SetBalance(tester, uint256.MustFromDecimal("1000000000000000000000000"))
	f.world.SetCode(Address, []byte{0})
	return f
}

// forwarder forwards calldata to the cheatcode address, and returns or reverts with
// what comes back.
var forwarder = common.FromHex("365f5f375f5f365f5f73" + "7109709ecfa91a80626ff3989d68f67f5b1dd12d" + "5af13d5f5f3e602a573d5ffd5b3d5ff3")

var forwarderAddress = common.HexToAddress("0x4e1a")

// deploy runs creation code.
func (f *fixture) deploy(creation []byte) common.Address {
	f.Helper()
	out := f.machine.Execute(f.world, f.block, evm.Call{From: tester, Create: true, Data: creation, Gas: 1 << 30}, nil)
	if out.Status != evm.Success {
		f.Fatalf("deployment: %v %x", out.Halt, out.Return)
	}
	return out.Created
}

// call calls a function with values as Names.Parse reads them.
func (f *fixture) call(to common.Address, signature string, values ...string) evm.Outcome {
	f.Helper()
	return f.machine.Execute(f.world, f.block, evm.Call{From: tester, To: to, Data: calldata(f, signature, values...), Gas: 1 << 30}, nil)
}

// cheat calls a cheatcode from a contract.
func (f *fixture) cheat(signature string, values ...string) evm.Outcome {
	f.Helper()
	f.world.SetCode(forwarderAddress, forwarder)
	return f.call(forwarderAddress, signature, values...)
}

func calldata(t testing.TB, signature string, values ...string) []byte {
	t.Helper()
	fn, err := input.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	args := make([]input.Value, len(values))
	for i, v := range values {
		if args[i], err = input.NewNames(nil).Parse(fn.Inputs[i].Type, v); err != nil {
			t.Fatal(err)
		}
	}
	return input.AppendValues(fn.Selector[:], args)
}

// reason returns why a Call failed; empty if it did not.
func reason(out evm.Outcome) string {
	if out.Status == evm.Success {
		return ""
	}
	if text, ok := Reason(out.Return); ok {
		return text
	}
	if out.Halt != nil {
		return out.Halt.Error()
	}
	return "0x" + common.Bytes2Hex(out.Return)
}

const compileFixture = `
const [solc, file] = process.argv.slice(1);
const content = require('fs').readFileSync(file, 'utf8');
const vm = require('fs').readFileSync('testdata/Vm.sol', 'utf8');
const out = JSON.parse(require(solc).compile(JSON.stringify({language: 'Solidity',
	sources: {'Fixture.sol': {content}, 'Vm.sol': {content: vm}}, settings: {evmVersion: 'cancun', optimizer: {enabled: true},
	outputSelection: {'*': {'*': ['evm.bytecode.object']}}}})));
for (const e of out.errors || []) if (e.severity === 'error') throw new Error(e.formattedMessage);
const all = {};
for (const [name, c] of Object.entries(out.contracts['Fixture.sol'])) all[name] = c.evm.bytecode.object;
process.stdout.write(JSON.stringify(all));`

// compile returns the creation code of the contracts of a file of testdata.
func compile(t testing.TB, file string) map[string][]byte {
	t.Helper()
	solc := filepath.Join(solctest.Tools(t), "node_modules", "solc-0.8.30")
	path := "testdata/" + file
	var hex map[string]string
	out := solctest.Node(t, []string{"-e", compileFixture, "--", solc, path}, nil, path, "testdata/Vm.sol")
	if err := json.Unmarshal(out, &hex); err != nil {
		t.Fatal(err)
	}
	codes := make(map[string][]byte, len(hex))
	for name, code := range hex {
		codes[name] = common.FromHex(code)
	}
	return codes
}

// An expectation is how a function of a fixture ends: the reason of its revert, or
// nothing if it passes. A reason that ends in … is the beginning of one.
type expectation struct{ function, reason string }

// run calls functions of a contract of testdata, each on the state after the
// constructor and, if there is one, setUp.
func run(t *testing.T, file, contract string, setUp bool, cases []expectation) {
	code := compile(t, file)[contract]
	for _, c := range cases {
		t.Run(c.function, func(t *testing.T) {
			f := newFixture(t)
			to := f.deploy(code)
			if setUp {
				if got := reason(f.call(to, "setUp()")); got != "" {
					t.Fatalf("setUp: %s", got)
				}
			}
			got := reason(f.call(to, c.function+"()"))
			if start, open := strings.CutSuffix(c.reason, "…"); open && strings.HasPrefix(got, start) {
				return
			}
			if got != c.reason {
				t.Errorf("got %q, want %q", got, c.reason)
			}
		})
	}
}
