package attacker

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc/solctest"
)

// compileSource prints the ABI and the deployed code of the contract in
// Solidity.
const compileSource = `
const solc = require(process.argv[1]), fs = require("fs");
const content = "pragma solidity >=0.6.2;\n" + fs.readFileSync("Attacker.sol", "utf8");
const settings = {outputSelection: {"*": {"*": ["abi", "evm.deployedBytecode.object"]}}};
const out = JSON.parse(solc.compile(JSON.stringify({language: "Solidity", sources: {"A.sol": {content}}, settings})));
for (const e of out.errors || []) if (e.severity === "error") { console.error(e.formattedMessage); process.exit(1); }
const c = out.contracts["A.sol"].LeveretAttacker;
console.log(JSON.stringify({abi: c.abi, code: c.evm.deployedBytecode.object}));
`

// written is the contract in Solidity, compiled.
type written struct {
	code []byte
	abi  abi.ABI
}

func compiledBy(t *testing.T, compiler string) written {
	t.Helper()
	out := solctest.Node(t, []string{"-e", compileSource, "--", filepath.Join(solctest.Tools(t), "node_modules", compiler)}, nil, "Attacker.sol")
	var c struct {
		ABI  abi.ABI
		Code string
	}
	if err := json.Unmarshal(out, &c); err != nil {
		t.Fatal(err)
	}
	code, err := hex.DecodeString(c.Code)
	if err != nil {
		t.Fatal(err)
	}
	return written{code, c.ABI}
}

// tell configures the contract in Solidity with a script.
func (c *written) tell(t *testing.T, w *evm.World, s *input.Script) {
	t.Helper()
	say := func(name string, args ...any) {
		data, err := c.abi.Pack(name, args...)
		if err != nil {
			t.Fatal(err)
		}
		if out := ask(w, 0, data); out.Status != evm.Success {
			t.Fatalf("%s: %v", name, out.Status)
		}
	}
	switch s.Mode {
	case input.Accept, input.Reenter:
		say("willTake")
	case input.Refuse:
		say("willRefuse")
	case input.BurnGas:
		say("willBurn")
	}
	for i, c := range s.Calls {
		if i == 0 && c.First <= 1 {
			say("willCall", c.Tx.To, c.Tx.Data, c.Tx.Value.ToBig(), big.NewInt(int64(max(1, c.Times))))
			continue
		}
		say("alsoCall", c.Tx.To, c.Tx.Data, c.Tx.Value.ToBig(), big.NewInt(int64(max(1, c.First))), big.NewInt(int64(max(1, c.Times))))
	}
	for i, words := range s.Answers {
		answer := []byte{}
		for k := range words {
			word := words[k].Bytes32()
			answer = append(answer, word[:]...)
		}
		say([...]string{"willAnswer", "thenAnswer"}[min(i, 1)], answer)
	}
}

// stipend is the gas that send and transfer leave.
const stipend = 2300

// TestSolidity compares the attacker contract of campaigns with the one in
// Solidity: every caller sees the same.
func TestSolidity(t *testing.T) {
	back := append(selector("withdraw(uint256)"), words(42)...)
	scripts := []input.Script{
		{}, {Answers: answers(returns(5))}, {Answers: answers(returns(5, 0, 9))}, {Answers: answers(returns(5), nil, returns(6, 7))},
		{Mode: input.Refuse}, {Mode: input.Refuse, Answers: answers(returns(5))},
		{Mode: input.BurnGas},
		{Mode: input.Reenter},
		reenters(nil, reentry(back, ether, 1, 1)),
		reenters(answers(returns(8)), reentry(back, nil, 1, 3)),
		reenters(nil, reentry(nil, nil, 0, 0)),
		reenters(answers(returns(8), returns(9)), reentry(back, nil, 1, 1), reentry([]byte{1, 2}, uint256.NewInt(3), 1, 2), reentry(back[:36], nil, 3, 2)),
		reenters(nil, reentry(back, nil, 2, 1)),
	}
	questions := [][]byte{nil, {1, 2, 3}, append(selector("price()"), words(7)...)}
	for _, h := range hooks {
		questions = append(questions, selector(h.signature))
	}
	for _, compiler := range []string{"solc-0.6.12", "solc-0.7.6", "solc-0.8.30"} {
		solidity := compiledBy(t, compiler)
		for i := range scripts {
			for _, question := range questions {
				for _, gas := range []uint64{2_000_000, stipend} {
					if gas == stipend && len(question) > 0 {
						continue // send and transfer pass no calldata
					}
					ours, theirs := newWorld(&scripts[i], counts), newWorld(nil, counts)
					theirs.SetCode(home, solidity.code)
					solidity.tell(t, theirs, &scripts[i])
					one, other := ask(ours, gas, question), ask(theirs, gas, question)
					if (one.Status == evm.Success) != (other.Status == evm.Success) || !bytes.Equal(one.Return, other.Return) {
						t.Errorf("%s, %+v, asked %x with %d gas: %v %x and %v %x", compiler, scripts[i], question, gas, one.Status, one.Return, other.Status, other.Return)
					}
					for slot := range 6 {
						if a, b := ours.Storage(target, key(slot)), theirs.Storage(target, key(slot)); a != b {
							t.Errorf("%s, %+v, asked %x: the contract that is called back has %x and %x", compiler, scripts[i], question, a, b)
						}
					}
				}
			}
		}
	}
}
