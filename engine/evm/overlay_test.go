package evm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// few returns one of few addresses, words and hashes, so that operations meet.
func fewAddress(r *rand.Rand) common.Address {
	return common.BytesToAddress([]byte{0xaa, byte(r.IntN(5))})
}
func fewHash(r *rand.Rand) common.Hash { return common.BytesToHash([]byte{byte(r.IntN(4))}) }

// operations are what an interpreter does to its StateDB. Each draws its
// arguments before it is done, so that it can be done to several.
var operations = []struct {
	name string
	draw func(r *rand.Rand) func(db vm.StateDB)
}{
	{"add balance", func(r *rand.Rand) func(vm.StateDB) {
		addr, wei := fewAddress(r), uint256.NewInt(uint64(r.IntN(3)))
		return func(db vm.StateDB) { db.AddBalance(addr, wei, tracing.BalanceChangeUnspecified) }
	}},
	{"take balance", func(r *rand.Rand) func(vm.StateDB) {
		addr := fewAddress(r)
		return func(db vm.StateDB) {
			wei := *db.GetBalance(addr)
			db.SubBalance(addr, &wei, tracing.BalanceChangeUnspecified)
		}
	}},
	{"nonce", func(r *rand.Rand) func(vm.StateDB) {
		addr, nonce := fewAddress(r), uint64(r.IntN(3))
		return func(db vm.StateDB) { db.SetNonce(addr, nonce, tracing.NonceChangeUnspecified) }
	}},
	{"code", func(r *rand.Rand) func(vm.StateDB) {
		addr, code := fewAddress(r), make([]byte, 1+r.IntN(3))
		return func(db vm.StateDB) { db.SetCode(addr, code, tracing.CodeChangeUnspecified) }
	}},
	{"store", func(r *rand.Rand) func(vm.StateDB) {
		addr, key, value := fewAddress(r), fewHash(r), fewHash(r)
		return func(db vm.StateDB) { db.SetState(addr, key, value) }
	}},
	{"store transient", func(r *rand.Rand) func(vm.StateDB) {
		addr, key, value := fewAddress(r), fewHash(r), fewHash(r)
		return func(db vm.StateDB) { db.SetTransientState(addr, key, value) }
	}},
	{"create", func(r *rand.Rand) func(vm.StateDB) {
		addr := fewAddress(r)
		return func(db vm.StateDB) {
			if !db.Exist(addr) {
				db.CreateAccount(addr)
			}
			db.CreateContract(addr)
			db.SetNonce(addr, db.GetNonce(addr)+1, tracing.NonceChangeNewContract) // as an EVM does
		}
	}},
	{"destruct", func(r *rand.Rand) func(vm.StateDB) {
		addr := fewAddress(r)
		return func(db vm.StateDB) { db.SelfDestruct(addr) }
	}},
	{"warm account", func(r *rand.Rand) func(vm.StateDB) {
		addr := fewAddress(r)
		return func(db vm.StateDB) { db.AddAddressToAccessList(addr) }
	}},
	{"warm word", func(r *rand.Rand) func(vm.StateDB) {
		addr, key := fewAddress(r), fewHash(r)
		return func(db vm.StateDB) { db.AddSlotToAccessList(addr, key) }
	}},
	{"refund", func(r *rand.Rand) func(vm.StateDB) {
		return func(db vm.StateDB) {
			db.AddRefund(5)
			db.SubRefund(3)
		}
	}},
	{"log", func(r *rand.Rand) func(vm.StateDB) {
		addr := fewAddress(r)
		return func(db vm.StateDB) { db.AddLog(&types.Log{Address: addr}) }
	}},
}

// describe writes down all that a StateDB answers, of few accounts.
func describe(db vm.StateDB) string {
	text := fmt.Sprintf("refund %d\n", db.GetRefund())
	for i := range 5 {
		addr := common.BytesToAddress([]byte{0xaa, byte(i)})
		text += fmt.Sprintf("%d: exists %v empty %v balance %v nonce %d code %x %v %d new %v doomed %v warm %v\n", i,
			db.Exist(addr), db.Empty(addr), db.GetBalance(addr), db.GetNonce(addr), db.GetCode(addr), db.GetCodeHash(addr),
			db.GetCodeSize(addr), db.IsNewContract(addr), db.HasSelfDestructed(addr), db.AddressInAccessList(addr))
		for j := range 4 {
			key := common.BytesToHash([]byte{byte(j)})
			current, original := db.GetStateAndCommittedState(addr, key)
			_, warm := db.SlotInAccessList(addr, key)
			text += fmt.Sprintf("   %d: %x %x %x transient %x warm %v\n", j, db.GetState(addr, key).Big(), current.Big(),
				original.Big(), db.GetTransientState(addr, key).Big(), warm)
		}
	}
	return text
}

// TestOverlayAnswersAsStateDB does random operations, snapshots and reverts
// to an overlay and to go-ethereum's StateDB, over several transactions.
func TestOverlayAnswersAsStateDB(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 2))
		w := NewWorld(NewCodes())
		ref, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
		if err != nil {
			t.Fatal(err)
		}
		o := stateDB{new(overlay)}
		o.words.reset()
		for tx := range 6 {
			o.begin(w)
			o.prepare(&alice, &bob, nil, nil)
			ref.Prepare(chainRules, alice, bob, nil, vm.ActivePrecompiles(chainRules), nil)
			ref.SetTxContext(common.Hash{byte(tx)}, tx, 0)
			randomOperations(t, r, o, ref, 3)
			o.commit(w)
			ref.Finalise(chainRules)
			o.begin(w)
			ref.Prepare(chainRules, common.Address{}, common.Address{}, nil, nil, nil)
			if got, want := describe(o), describe(ref); got != want {
				t.Fatalf("seed %d: after transaction %d\n got %s\nwant %s", seed, tx, got, want)
			}
		}
	}
}

func randomOperations(t *testing.T, r *rand.Rand, o stateDB, db *state.StateDB, depth int) {
	ours, theirs := o.snapshot(), db.Snapshot()
	before, logs := describe(o), len(o.logs.list)
	for range r.IntN(8) {
		if depth > 0 && r.IntN(4) == 0 {
			randomOperations(t, r, o, db, depth-1)
			continue
		}
		op := operations[r.IntN(len(operations))]
		do := op.draw(r)
		do(o)
		do(db)
		if got, want := describe(o), describe(db); got != want {
			t.Fatalf("after %s\n got %s\nwant %s", op.name, got, want)
		}
	}
	if r.IntN(2) == 0 {
		return
	}
	o.revert(ours)
	db.RevertToSnapshot(theirs)
	after := describe(o)
	if after != before || len(o.logs.list) != logs {
		t.Fatalf("a revert left something\n got %s\nwant %s", after, before)
	}
	if want := describe(db); after != want {
		t.Fatalf("after a revert\n got %s\nwant %s", after, want)
	}
}
