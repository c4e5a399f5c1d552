package foundry

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/report/words"
)

// scene sets up the initial state of the engine.
func (t *test) scene() {
	t.line("vm.chainId(1);")
	t.time()
	for _, a := range input.Actors {
		t.line("vm.deal(%s, 2 ** 96);", a)
	}
	t.dealOthers()
	if t.attacked() {
		t.line("vm.etch(attacker, type(%s).runtimeCode);", attackerContract)
	}
	t.hashes = slices.Clone(t.finding.Observable.BlockReads.Hashes)
	reads := t.finding.Observable.BlockReads
	reads.Hashes = nil
	if reads.GasPrice != 0 {
		t.line("vm.txGasPrice(%d);", reads.GasPrice)
	}
	t.chance(reads)
}

// dealOthers gives senders other than the actors the wei that they pay.
func (t *test) dealOthers() {
	var done []input.Actor
	for i := range t.finding.Witness.Txs {
		from, sum := t.finding.Witness.Txs[i].From, uint256.Int{}
		if _, actor := input.ActorOf(from.Address()); actor || slices.Contains(done, from) {
			continue
		}
		done = append(done, from)
		for _, tx := range t.finding.Witness.Txs {
			if tx.From == from {
				sum.Add(&sum, &tx.Value)
			}
		}
		if !sum.IsZero() {
			t.line("vm.deal(%s, %s);", t.address(from.Address()), weiLiteral(&sum))
		}
	}
}

// attacked reports whether the witness needs the attacker's contract.
func (t *test) attacked() bool {
	asked := func(tx input.Tx) bool { return tx.Script != nil }
	return t.finding.Observable.Attacker || slices.ContainsFunc(t.finding.Witness.Txs, asked)
}

// chance sets the block values that contracts read as randomness. It sets only the
// hashes of the 256 blocks before the current one.
func (t *test) chance(asked finding.BlockReads) {
	if asked.Prevrandao != (common.Hash{}) {
		t.line("vm.prevrandao(bytes32(0x%x));", asked.Prevrandao)
	}
	if asked.Coinbase != (common.Address{}) {
		t.line("vm.coinbase(%s);", asked.Coinbase.Hex())
	}
	t.hashes = slices.DeleteFunc(t.hashes, func(h finding.BlockHash) bool {
		if h.Number >= t.block.Number || h.Number+256 < t.block.Number {
			return false
		}
		t.line("vm.setBlockhash(%d, bytes32(0x%x));", h.Number, h.Hash)
		return true
	})
}

func (t *test) time() {
	t.line("vm.roll(%d);", t.block.Number)
	t.line("vm.warp(%d);", t.block.Timestamp)
}

// maxLocals is how many contracts are local variables: the stack has room for few.
const maxLocals = 6

// deploy creates the contracts, that under test last.
func (t *test) deploy() {
	t.locals = map[string]string{}
	for i := range t.finding.Witness.Deployment.Creations {
		c := &t.finding.Witness.Deployment.Creations[i]
		local := t.local(c)
		if c.By != "" {
			t.locals[c.Name] = local
			continue
		}
		code := t.creationCode(c)
		if len(c.Args) > 0 {
			code = "abi.encodePacked(" + code + ", " + t.encoded(c) + ")"
		}
		if c.Named {
			t.place(local, c.Address, code)
		} else {
			t.define(local, fmt.Sprintf("create(deployer, %s, %s)", weiLiteral(&c.Value), code))
		}
		t.locals[c.Name] = local
		t.born(c)
		for k := range c.Setup {
			tx := &c.Setup[k]
			t.prank(tx)
			t.line("(ok, ) = %s.call(%s);", t.address(tx.To), t.calldata(tx))
			t.line("if (!ok) return; // this setup is no longer possible")
		}
	}
}

// place puts a contract at an address: its creation code runs there.
func (t *test) place(local string, at common.Address, code string) {
	t.define(local, at.Hex())
	t.line("vm.etch(%s, %s);", local, code)
	t.line("{")
	t.line("    (, bytes memory code) = %s.call(\"\");", local)
	t.line("    vm.etch(%s, code);", local)
	t.line("}")
}

// define assigns the address of a contract to its variable, which it declares if it is
// a local one.
func (t *test) define(variable, address string) {
	if !t.crowded() {
		variable = "address " + variable
	}
	t.line("%s = %s;", variable, address)
}

// crowded reports whether there are too many contracts for local variables.
func (t *test) crowded() bool { return len(t.finding.Witness.Deployment.Creations) > maxLocals }

// born declares the contracts that maker creates.
func (t *test) born(maker *input.Creation) {
	for i := range t.finding.Witness.Deployment.Creations {
		if c := &t.finding.Witness.Deployment.Creations[i]; c.By == maker.Name {
			t.define(t.locals[c.Name], c.Address.Hex())
		}
	}
}

// proxyCode writes the creation code of a proxy, with the address of the
// implementation in the middle.
func (t *test) proxyCode(c *input.Creation) string {
	code := input.ProxyCode(common.Address{})
	at := bytes.Index(code, make([]byte, common.AddressLength))
	return fmt.Sprintf("abi.encodePacked(%s, %s, %s)", hexText(code[:at]), t.locals[c.Of], hexText(code[at+common.AddressLength:]))
}

// creationCode writes the creation code of a contract. A mock is written as
// bytecode if the compiler is too old for its source.
func (t *test) creationCode(c *input.Creation) string {
	if c.Of != "" {
		return t.proxyCode(c)
	}
	if c.File != "" {
		return "type(" + c.Class() + ").creationCode"
	}
	s := mock.Find(c.Class())
	if atLeast(t.contract.Solc, mock.Compiler[:]...) {
		return "type(" + ownName(s) + ").creationCode"
	}
	t.line("// A plain %s as bytecode, because its source needs a newer compiler.", s.Name)
	return hexText(s.Code)
}

// local returns an unused variable for a contract.
func (t *test) local(c *input.Creation) string {
	if t.crowded() {
		return fmt.Sprintf("deployed[%q]", c.Name)
	}
	name := strings.ToLower(c.Name[:1]) + c.Name[1:]
	if c.File == "" {
		name = strings.ToLower(c.Name)
	}
	for name == c.Name || reserved[name] || t.hasLocal(name) {
		name += "_"
	}
	return name
}

func (t *test) hasLocal(name string) bool {
	for _, l := range t.locals {
		if l == name {
			return true
		}
	}
	_, actor := input.ParseActor(name)
	return actor
}

// reserved are names that a variable cannot have: words of Solidity and names in the
// generated code.
var reserved = wordSet(`abstract after alias anonymous apply as assembly auto bool break byte bytes calldata case catch constant
	constructor contract continue copyof create data default define delete do else emit enum error event external fallback false
	final fixed for from function global if immutable implements import in indexed inline int interface internal is layout let
	library macro mapping match memory modifier mutable new null of ok deployed code override panics partial payable pragma private promise
	public pure receive reference relocatable return returns sealed sizeof static storage string struct super supports switch
	this throw transient try true type typedef typeof ufixed uint unchecked unicode using var view virtual vm while spent emitted here left ordered list fails came moved willing everybody recordedLogs refuses effect destroyed wealth canSpend abi assert block
	days ether finney gasleft gwei hours minutes msg now require revert seconds suicide szabo tx weeks wei years selfdestruct keccak256`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// encoded writes constructor arguments.
func (t *test) encoded(c *input.Creation) string {
	if list, ok := t.literals(c.Args); ok {
		return "abi.encode(" + list + ")"
	}
	if c.File == "" && len(c.Args) == 2 && holdsEverybody(c.Args[0]) {
		return "abi.encode(everybody(), " + words.Number(c.Args[1].Word.Dec()) + ")"
	}
	return fmt.Sprintf("hex\"%x\"", input.AppendValues(nil, c.Args))
}

// holdsEverybody reports whether a value lists all actors.
func holdsEverybody(v input.Value) bool {
	if len(v.Elems) != len(input.Actors) {
		return false
	}
	for i := range v.Elems {
		if input.Actor(v.Elems[i].Address()) != input.Actors[i] {
			return false
		}
	}
	return true
}

// attackerAt is the expression for the attacker's contract.
const attackerAt = attackerContract + "(payable(attacker))"

// script writes the calls that set the script of the attacker's contract.
func (t *test) script(s *input.Script) {
	t.scripted = s != nil
	if s == nil {
		s = &input.Script{}
	}
	switch {
	case s.Mode == input.Refuse:
		t.line("%s.willRefuse();", attackerAt)
	case s.Mode == input.BurnGas:
		t.line("%s.willBurn();", attackerAt)
	case s.Mode == input.Reenter && len(s.Calls) > 0 && s.Calls[0].First <= 1:
	default:
		t.line("%s.willTake();", attackerAt)
	}
	if s.Mode == input.Reenter {
		for i := range s.Calls {
			t.reentry(i, &s.Calls[i])
		}
	}
	for i, answer := range s.Answers {
		list := make([]string, len(answer))
		for k := range answer {
			list[k] = "uint256(" + words.Number(answer[k].Dec()) + ")"
		}
		t.line("%s.%s(abi.encode(%s));", attackerAt, [...]string{"willAnswer", "thenAnswer"}[min(i, 1)], strings.Join(list, ", "))
	}
}

// reentry writes the call that adds the ith re-entrant call to the script.
func (t *test) reentry(i int, r *input.Reentry) {
	data := ""
	if f := r.Tx.Function; f != nil && !f.Raw {
		data = t.calldata(&r.Tx)
	} else {
		data = t.recognised(r.Tx.Data)
	}
	to, wei, first, times := t.address(r.Tx.To), weiLiteral(&r.Tx.Value), max(1, r.First), max(1, r.Times)
	if i == 0 && first == 1 {
		t.line("%s.willCall(%s, %s, %s, %d);", attackerAt, to, data, wei, times)
		return
	}
	t.line("%s.alsoCall(%s, %s, %s, %d, %d);", attackerAt, to, data, wei, first, times)
}
