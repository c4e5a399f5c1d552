package main

import (
	"errors"
	"math"
	"math/big"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
)

// A chain is what a fork's transactions are executed with.
type chain struct {
	fork   string
	config *params.ChainConfig
	rules  params.Rules
	evm    evm.Chain
}

// newMachine returns a Machine with the rules of the chain and without a cap.
func (c *chain) newMachine() *evm.Machine {
	m := evm.NewMachine()
	m.Steps, m.Chain = math.MaxInt, c.evm
	return m
}

// blockHash is the function of the tests.
func blockHash(number uint64) common.Hash {
	return crypto.Keccak256Hash([]byte(new(big.Int).SetUint64(number).String()))
}

// A result is the state after a transaction, and hashes of what the tests
// compare.
type result struct {
	root, logs common.Hash
	gas        uint64
}

// A transition executes one transaction that is known to be valid.
type transition struct {
	*chain
	env   *env
	tx    *core.Message
	world *evm.World
	block evm.BlockContext
	blob  uint256.Int // price of a unit of blob gas
}

// newTransition loads the state before the transaction.
func newTransition(c *chain, f *fixture, tx *core.Message) *transition {
	t := &transition{chain: c, env: &f.Env, tx: tx, world: evm.NewWorld(evm.NewCodes())}
	for addr, account := range f.Pre {
		t.world.SetBalance(addr, uint256.MustFromBig(account.Balance))
		t.world.SetNonce(addr, account.Nonce)
		if len(account.Code) > 0 {
			t.world.SetCode(addr, account.Code)
		}
		for key, value := range account.Storage {
			t.world.SetStorage(addr, key, value)
		}
	}
	t.block = evm.BlockContext{
		Number: uint64(f.Env.Number), Timestamp: uint64(f.Env.Timestamp), Coinbase: common.Address(f.Env.Coinbase),
		Prevrandao: word(f.Env.Random).Bytes32(), BaseFee: *word(f.Env.BaseFee), GasLimit: uint64(f.Env.GasLimit),
	}
	t.blob.SetOne()
	if f.Env.ExcessBlobGas != nil && c.rules.IsCancun {
		excess := uint64(*f.Env.ExcessBlobGas)
		fee := eip4844.CalcBlobFee(c.config, &types.Header{Time: t.block.Timestamp, ExcessBlobGas: &excess})
		t.blob = *uint256.MustFromBig(fee)
	}
	return t
}

// execute does what a chain does with a transaction around its code.
func (t *transition) execute(m *evm.Machine) (result, error) {
	tx := t.tx
	intrinsic, err := core.IntrinsicGas(tx.Data, tx.AccessList, tx.SetCodeAuthorizations, tx.From, tx.To, tx.Value, t.rules)
	if err != nil {
		return result{}, err
	}
	t.pay(tx.From, -1, tx.GasLimit, tx.GasPrice)
	t.pay(tx.From, -1, uint64(len(tx.BlobHashes))*params.BlobTxBlobGasPerBlob, &t.blob)
	if tx.To != nil {
		t.world.SetNonce(tx.From, tx.Nonce+1)
	}
	warm := tx.AccessList
	refund, authorities := t.delegate()
	for _, authority := range authorities {
		warm = append(warm[:len(warm):len(warm)], types.AccessTuple{Address: authority})
	}
	call := evm.Call{
		From: tx.From, Data: tx.Data, Value: *tx.Value, Gas: tx.GasLimit - intrinsic, AccessList: warm,
		Tx: &evm.TxContext{GasPrice: *tx.GasPrice, BlobBaseFee: t.blob, BlobHashes: tx.BlobHashes},
	}
	if tx.To == nil {
		call.Create = true
	} else {
		call.To = *tx.To
		if target, ok := t.delegation(call.To); ok {
			call.AccessList = append(warm[:len(warm):len(warm)], types.AccessTuple{Address: target})
		}
	}
	out, err := t.call(m, call)
	if err != nil {
		return result{}, err
	}
	if tx.To == nil {
		t.world.SetNonce(tx.From, tx.Nonce+1)
	}
	used, err := t.settle(intrinsic+out.GasUsed, refund+out.Refund)
	if err != nil {
		return result{}, err
	}
	root, err := stateRoot(t.world, t.rules)
	return result{root, logsHash(out.Logs), used}, err
}

// call executes a Call in all Modes. No Call has gas 0: with 1, nothing that
// costs something runs either, but for a JUMPDEST.
func (t *transition) call(m *evm.Machine, call evm.Call) (evm.Outcome, error) {
	given := call.Gas
	if code := t.world.Code(call.To); given == 0 {
		if call.Create || code != nil && code.Bytes[0] == byte(vm.JUMPDEST) {
			return evm.Outcome{}, errNoGas
		}
		call.Gas = 1
	}
	before := t.world.Fork()
	out := m.Execute(t.world, t.block, call, &evm.Hooks{})
	err := evmtest.CompareModes(m, before, t.world, t.block, call, out)
	out.GasUsed = min(out.GasUsed, given)
	return out, err
}

// errNoGas is a reason to skip a test.
var errNoGas = errors.New("no gas for the code")

// settle returns the gas that was not used to the sender, pays the fee to the
// coinbase, and returns the gas that the transaction paid for.
func (t *transition) settle(used, refund uint64) (uint64, error) {
	tx := t.tx
	used -= min(refund, used/params.RefundQuotientEIP3529)
	if t.rules.IsPrague {
		floor, err := core.FloorDataGas(t.rules, tx.From, tx.To, tx.Value, tx.Data, tx.AccessList)
		if err != nil {
			return 0, err
		}
		used = max(used, floor)
	}
	t.pay(tx.From, 1, tx.GasLimit-used, tx.GasPrice)
	t.pay(t.block.Coinbase, 1, used, new(uint256.Int).Sub(tx.GasPrice, &t.block.BaseFee))
	return used, nil
}

// pay adds or subtracts the price of gas.
func (t *transition) pay(addr common.Address, sign int, gas uint64, price *uint256.Int) {
	wei := new(uint256.Int).Mul(uint256.NewInt(gas), price)
	if wei.IsZero() {
		return
	}
	balance := t.world.Balance(addr)
	if sign < 0 {
		balance.Sub(&balance, wei)
	} else {
		balance.Add(&balance, wei)
	}
	t.world.SetBalance(addr, &balance)
}

// delegate sets the code that the authorizations say, and returns the refund
// for them and the accounts that they make warm [EIP-7702].
func (t *transition) delegate() (refund uint64, warm []common.Address) {
	for i := range t.tx.SetCodeAuthorizations {
		a := &t.tx.SetCodeAuthorizations[i]
		if !a.ChainID.IsZero() && a.ChainID.CmpBig(t.config.ChainID) != 0 || a.Nonce == math.MaxUint64 {
			continue
		}
		authority, err := a.Authority()
		if err != nil {
			continue
		}
		warm = append(warm, authority)
		if code := t.world.Code(authority); code != nil {
			if _, ok := types.ParseDelegation(code.Bytes); !ok {
				continue
			}
		}
		if t.world.Nonce(authority) != a.Nonce {
			continue
		}
		if t.world.Exists(authority) {
			refund += params.CallNewAccountGas - params.TxAuthTupleGas
		}
		t.world.SetNonce(authority, a.Nonce+1)
		if a.Address == (common.Address{}) {
			t.world.SetCode(authority, nil)
		} else {
			t.world.SetCode(authority, types.AddressToDelegation(a.Address))
		}
	}
	return refund, warm
}

// delegation returns where the code of addr is, which is warm for the
// outermost call.
func (t *transition) delegation(addr common.Address) (common.Address, bool) {
	code := t.world.Code(addr)
	if code == nil || !t.rules.IsPrague {
		return common.Address{}, false
	}
	return types.ParseDelegation(code.Bytes)
}

// stateRoot returns the root of the trie of a World.
func stateRoot(w *evm.World, rules params.Rules) (common.Hash, error) {
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		return common.Hash{}, err
	}
	for addr := range w.Accounts() {
		balance := w.Balance(addr)
		db.SetBalance(addr, &balance, tracing.BalanceChangeUnspecified)
		db.SetNonce(addr, w.Nonce(addr), tracing.NonceChangeUnspecified)
		if code := w.Code(addr); code != nil {
			db.SetCode(addr, code.Bytes, tracing.CodeChangeUnspecified)
		}
		for key, value := range w.Slots(addr) {
			db.SetState(addr, key, value)
		}
	}
	return db.IntermediateRoot(rules), nil
}

// logsHash returns the hash of the events as the tests have it.
func logsHash(logs []evm.Log) common.Hash {
	list := make([]*types.Log, len(logs))
	for i, l := range logs {
		list[i] = &types.Log{Address: l.Address, Topics: l.Topics, Data: l.Data}
	}
	encoded, err := rlp.EncodeToBytes(list)
	if err != nil {
		panic(err) // logs can be encoded
	}
	return crypto.Keccak256Hash(encoded)
}
