package evm

import (
	"crypto/ecdsa"
	"errors"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// A minedChain has accounts that transactions of a chain change.
func minedChain(t *testing.T) *World {
	w := testWorld(t, map[common.Address]string{
		here:  "5f355f5500",       // sstore(0, calldataload(0))
		there: "5f545f5260205ffd", // mstore(0, sload(0)); revert(0, 32)
	})
	w.SetBalance(alice, uint256.NewInt(1_000_000_000))
	return w
}

var minedBlock = BlockContext{Number: 7, Coinbase: common.Address{0xc0}, BaseFee: *uint256.NewInt(10), ChainID: 1}

// minedBy returns a transaction that pays 12 wei for each unit of gas.
func minedBy(c Call) *MinedTransaction {
	c.From, c.Tx = alice, &TxContext{GasPrice: *uint256.NewInt(12)}
	return &MinedTransaction{Call: c}
}

func TestMinedTransactionsPay(t *testing.T) {
	one := common.Hash{31: 1}
	for name, c := range map[string]struct {
		call   Call
		used   uint64
		status Status
	}{
		"transfer":        {Call{To: bob, Gas: 21_000, Value: *uint256.NewInt(5)}, 21_000, Success},
		"write":           {Call{To: here, Gas: 100_000, Data: one[:]}, 21_000 + 31*4 + 16 + 2 + 3 + 2 + 22_100, Success},
		"revert":          {Call{To: there, Gas: 100_000}, 21_000 + 2 + 2_100 + 2 + 6 + 3 + 2, Revert},
		"out of gas":      {Call{To: here, Gas: 30_000, Data: one[:]}, 30_000, Halt},
		"no gas for code": {Call{To: here, Gas: 21_000}, 21_000, Halt},
		"creation":        {Call{Create: true, Gas: 100_000, Data: common.FromHex("60015ff3")}, 53_000 + 3*16 + 16 + 2 + 3 + 2 + 3 + 200, Success},
		"failed creation": {Call{Create: true, Gas: 60_000, Data: common.FromHex("fe")}, 60_000, Halt},
	} {
		t.Run(name, func(t *testing.T) {
			w := minedChain(t)
			out, err := NewMachine().Apply(w, minedBlock, minedBy(c.call))
			if err != nil || out.Status != c.status || out.GasUsed != c.used {
				t.Fatalf("%+v, %v; want %v with %d gas", out, err, c.status, c.used)
			}
			paid := uint64(1_000_000_000) - 12*c.used
			if c.status == Success {
				paid -= c.call.Value.Uint64()
			}
			if got := w.Balance(alice); got.Uint64() != paid || w.Nonce(alice) != 1 {
				t.Errorf("the sender has %v and nonce %d, want %d", got, w.Nonce(alice), paid)
			}
			if got := w.Balance(minedBlock.Coinbase); got.Uint64() != 2*c.used {
				t.Errorf("the coinbase has %v", got)
			}
			if got := w.Storage(here, common.Hash{}); (got == one) != (name == "write") {
				t.Errorf("the word is %v", got)
			}
		})
	}
}

func TestMinedTransactionsThatNoBlockHas(t *testing.T) {
	w := minedChain(t)
	if _, err := NewMachine().Apply(w, minedBlock, minedBy(Call{To: bob, Gas: 90_000_000})); !errors.Is(err, ErrFunds) {
		t.Error(err)
	}
	if _, err := NewMachine().Apply(w, minedBlock, minedBy(Call{To: bob, Gas: 20_999})); err == nil {
		t.Error("less gas than a transaction costs")
	}
	s := &modelSource{err: errors.New("unplugged"), model: model{}}
	if _, err := NewMachine().Apply(NewBacking(NewCodes(), s).World(), minedBlock, minedBy(Call{To: bob, Gas: 21_000})); !errors.Is(err, s.err) {
		t.Error(err)
	}
}

// An account delegates to a contract in the transaction that calls it; authorizations
// that are not valid change nothing.
func TestMinedAuthorizations(t *testing.T) {
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	authority, one := crypto.PubkeyToAddress(key.PublicKey), common.Hash{31: 1}
	w := minedChain(t)
	tx := minedBy(Call{To: authority, Gas: 200_000, Data: one[:]})
	tx.Authorizations = []Authorization{
		signed(t, key, 2, 0, there), signed(t, key, 1, 3, there), // of another chain, with another nonce
		signed(t, key, 1, 0, here),
	}
	out, err := NewMachine().Apply(w, minedBlock, tx)
	if err != nil || out.Status != Success || w.Storage(authority, common.Hash{}) != one || w.Nonce(authority) != 1 {
		t.Fatalf("%+v, %v, nonce %d", out, err, w.Nonce(authority))
	}
	// Three authorizations of 25,000; the target of the delegation is warm.
	if want := uint64(21_000 + 31*4 + 16 + 75_000 + 2 + 3 + 2 + 22_100); out.GasUsed != want {
		t.Errorf("%d gas, want %d", out.GasUsed, want)
	}
	again := minedBy(Call{To: bob, Gas: 100_000})
	again.Authorizations = []Authorization{signed(t, key, 0, 1, common.Address{})}
	if out, err = NewMachine().Apply(w, minedBlock, again); err != nil || w.Code(authority) != nil || out.GasUsed != 21_000+25_000-9_200 {
		t.Errorf("%+v, %v, code %v", out, err, w.Code(authority))
	}
}

func signed(t *testing.T, key *ecdsa.PrivateKey, chain, nonce uint64, to common.Address) Authorization {
	t.Helper()
	a, err := types.SignSetCode(key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(chain), Nonce: nonce, Address: to})
	if err != nil {
		t.Fatal(err)
	}
	return a
}
