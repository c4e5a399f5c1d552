package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Prices of storage and accounts [EIP-2929, EIP-2200, EIP-3529].
const (
	coldSlot      = 2100
	coldAccount   = 2600
	warmAccess    = 100
	setSlot       = 20_000
	resetSlot     = 5_000 - coldSlot
	clearedRefund = 4_800
	storeSentry   = 2_300
)

// meterSload charges for the read of a word, which it returns.
func (f *frame) meterSload(key *uint256.Int) (*slotWord, error) {
	o := &f.machine.overlay
	w := o.loadedWord(f.account, key)
	if o.accounts.err != nil {
		return nil, o.accounts.err
	}
	if o.warmWord(w) {
		return w, f.charge(warmAccess)
	}
	return w, f.charge(coldSlot)
}

// sload sets z to a word of storage.
func (f *frame) sload(z, key *uint256.Int) {
	*z = f.machine.overlay.loadedWord(f.account, key).current
}

// meterSstore charges for the write of a word, which it returns, and changes the
// refund counter.
func (f *frame) meterSstore(key, next *uint256.Int) (*slotWord, error) {
	switch {
	case f.static:
		return nil, errMeterWrite
	case f.gas <= storeSentry:
		return nil, errSentry
	}
	o := &f.machine.overlay
	w := o.loadedWord(f.account, key)
	if o.accounts.err != nil {
		return nil, o.accounts.err
	}
	cost := o.storePrice(w, next)
	if !o.warmWord(w) {
		cost += coldSlot
	}
	return w, f.charge(cost)
}

// storePrice returns the price of writing a warm word, and changes the refund
// counter.
func (o *overlay) storePrice(w *slotWord, next *uint256.Int) uint64 {
	current, original := &w.current, &w.original
	switch {
	case *current == *next:
		return warmAccess
	case *original == *current:
		if original.IsZero() {
			return setSlot
		}
		if next.IsZero() {
			o.addRefund(clearedRefund)
		}
		return resetSlot
	}
	if !original.IsZero() {
		if current.IsZero() {
			o.addRefund(-clearedRefund)
		} else if next.IsZero() {
			o.addRefund(clearedRefund)
		}
	}
	if *original == *next {
		if original.IsZero() {
			o.addRefund(setSlot - warmAccess)
		} else {
			o.addRefund(resetSlot - warmAccess)
		}
	}
	return warmAccess
}

func (f *frame) sstore(key, value *uint256.Int) {
	o := &f.machine.overlay
	o.make(&f.Self)
	o.setWord(f.account, o.loadedWord(f.account, key), value)
}

func (f *frame) tload(z, key *uint256.Int) {
	hash := common.Hash(key.Bytes32())
	value := f.machine.overlay.transientWord(&f.Self, &hash)
	z.SetBytes32(value[:])
}

func (f *frame) tstore(key, value *uint256.Int) error {
	if f.static {
		return errWrite
	}
	hash, next := common.Hash(key.Bytes32()), common.Hash(value.Bytes32())
	f.machine.overlay.setTransient(&f.Self, &hash, &next)
	return f.machine.overlay.accounts.err
}

// accountOf returns the account whose address is in the lower bytes of a word.
func (f *frame) accountOf(word *uint256.Int) *account {
	addr := common.Address(word.Bytes20())
	return f.machine.overlay.account(&addr)
}

// meterAccount charges for the first access to an account.
func (f *frame) meterAccount(a *account) error {
	if err := f.machine.overlay.accounts.err; err != nil {
		return err
	}
	if f.machine.overlay.warmed(a) {
		return nil
	}
	return f.charge(coldAccount - warmAccess)
}

// meterLog charges for an event.
func (f *frame) meterLog(topics int, offset, size *uint256.Int) error {
	const price, perTopic, perByte = 375, 375, 8
	extra := uint64(0)
	if size.Uint64() <= maxMemory {
		extra = size.Uint64() * perByte
	}
	return f.meterRange(offset, size, price+uint64(topics)*perTopic+extra)
}

// log adds an event with the topics of words.
func (f *frame) log(offset, size *uint256.Int, topics ...*uint256.Int) error {
	if f.static {
		return errWrite
	}
	m := f.machine
	if size.Uint64() > bulkSize {
		_ = m.overlay.weigh(int(size.Uint64())) // the error stays
	}
	if err := m.overlay.accounts.err; err != nil {
		return err
	}
	l := &m.overlay.logs
	m.overlay.note(undo{kind: changeLog})
	l.list = append(l.list, logEntry{f.Self, len(l.topics), len(l.data)})
	for _, topic := range topics {
		l.topics = append(l.topics, common.Hash{})
		topic.PutUint256(l.topics[len(l.topics)-1][:])
	}
	l.data = append(l.data, f.view(offset, size)...)
	if m.hooks == nil && m.recorder == nil && m.Inspector == nil {
		return nil
	}
	m.event = l.at(len(l.list) - 1)
	if m.Inspector != nil {
		m.Inspector.Log(&f.Frame, &m.event)
	}
	if m.hooks != nil && m.hooks.Log != nil {
		m.hooks.Log(&f.Frame, &Log{f.Self, slices.Clone(m.event.Topics), slices.Clone(m.event.Data)})
	}
	if m.recorder != nil {
		m.recorder.Log(&m.event)
	}
	return f.inspected()
}
