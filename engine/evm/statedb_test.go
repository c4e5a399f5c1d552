package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/stateless"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// A stateDB offers an overlay as go-ethereum's interface.
type stateDB struct{ *overlay }

var _ vm.StateDB = stateDB{}

func (s stateDB) CreateAccount(addr common.Address)       { s.make(&addr) }
func (s stateDB) CreateContract(addr common.Address)      { s.deploy(s.account(&addr)) }
func (s stateDB) IsNewContract(addr common.Address) bool  { return s.account(&addr).created }
func (s stateDB) GetNonce(addr common.Address) uint64     { return s.account(&addr).nonce }
func (s stateDB) GetCode(addr common.Address) []byte      { return s.account(&addr).bytes() }
func (s stateDB) GetCodeSize(addr common.Address) int     { return len(s.account(&addr).bytes()) }
func (s stateDB) Exist(addr common.Address) bool          { return s.account(&addr).exists }
func (s stateDB) Empty(addr common.Address) bool          { return s.account(&addr).empty() }
func (s stateDB) SelfDestruct(addr common.Address)        { s.destruct(s.account(&addr)) }
func (s stateDB) HasSelfDestructed(a common.Address) bool { return s.account(&a).doomed }
func (s stateDB) AddRefund(gas uint64)                    { s.addRefund(int64(gas)) }
func (s stateDB) SubRefund(gas uint64)                    { s.addRefund(-int64(gas)) }
func (s stateDB) GetRefund() uint64                       { return s.refund }
func (s stateDB) Snapshot() int                           { return s.snapshot() }
func (s stateDB) RevertToSnapshot(length int)             { s.revert(length) }

func (s stateDB) GetBalance(addr common.Address) *uint256.Int {
	balance := s.account(&addr).balance
	return &balance
}

func (s stateDB) SubBalance(addr common.Address, wei *uint256.Int, _ tracing.BalanceChangeReason) uint256.Int {
	prev := s.account(&addr).balance
	s.subBalance(&addr, wei)
	return prev
}

func (s stateDB) AddBalance(addr common.Address, wei *uint256.Int, _ tracing.BalanceChangeReason) uint256.Int {
	prev := s.account(&addr).balance
	s.addBalance(&addr, wei)
	return prev
}

func (s stateDB) SetNonce(addr common.Address, nonce uint64, _ tracing.NonceChangeReason) {
	s.setNonce(&addr, nonce)
}

func (s stateDB) GetCodeHash(addr common.Address) common.Hash {
	if a := s.account(&addr); a.code != nil || a.exists {
		return a.codeHash()
	}
	return common.Hash{}
}

func (s stateDB) SetCode(addr common.Address, code []byte, _ tracing.CodeChangeReason) []byte {
	prev := s.GetCode(addr)
	s.setCode(&addr, code)
	return prev
}

func (s stateDB) GetState(addr common.Address, key common.Hash) common.Hash {
	return *hashOf(&s.loadedWord(s.account(&addr), wordOf(&key)).current)
}

func (s stateDB) GetStateAndCommittedState(addr common.Address, key common.Hash) (current, original common.Hash) {
	w := s.loadedWord(s.account(&addr), wordOf(&key))
	return *hashOf(&w.current), *hashOf(&w.original)
}

func (s stateDB) SetState(addr common.Address, key, value common.Hash) common.Hash {
	s.make(&addr)
	a := s.account(&addr)
	w := s.loadedWord(a, wordOf(&key))
	prev := *hashOf(&w.current)
	s.setWord(a, w, wordOf(&value))
	return prev
}

func (s stateDB) GetTransientState(addr common.Address, key common.Hash) common.Hash {
	return s.transientWord(&addr, &key)
}

func (s stateDB) SetTransientState(addr common.Address, key, value common.Hash) {
	s.setTransient(&addr, &key, &value)
}

func (s stateDB) AddressInAccessList(addr common.Address) bool {
	return s.account(&addr).warm || addr == s.coinbase || s.fork.precompile(&addr) != nil
}

func (s stateDB) SlotInAccessList(addr common.Address, key common.Hash) (addressOK, slotOK bool) {
	return s.AddressInAccessList(addr), s.word(s.account(&addr), wordOf(&key)).warm
}

func (s stateDB) AddAddressToAccessList(addr common.Address) { s.warmed(s.account(&addr)) }

func (s stateDB) AddSlotToAccessList(addr common.Address, key common.Hash) {
	a := s.account(&addr)
	s.warmed(a)
	s.warmWord(s.word(a, wordOf(&key)))
}

func (s stateDB) AddLog(l *types.Log) {
	s.note(undo{kind: changeLog})
	s.logs.list = append(s.logs.list, logEntry{l.Address, len(s.logs.topics), len(s.logs.data)})
}

// The remaining methods do nothing in the forks that a Machine knows.

func (s stateDB) Prepare(params.Rules, common.Address, common.Address, *common.Address, []common.Address, types.AccessList) {
}
func (s stateDB) AddPreimage(common.Hash, []byte)                        {}
func (s stateDB) Touch(common.Address)                                   {}
func (s stateDB) Witness() *stateless.Witness                            { return nil }
func (s stateDB) AccessEvents() *state.AccessEvents                      { return nil }
func (s stateDB) Finalise(params.Rules) *bal.ConstructionBlockAccessList { return nil }
func (s stateDB) SetTxContext(common.Hash, int, uint32)                  {}
