package cheat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// Kinds of accesses to accounts, as Vm.AccountAccessKind numbers them.
const (
	accessCall uint64 = iota
	accessDelegateCall
	accessCallCode
	accessStaticCall
	accessCreate
	accessSelfDestruct
	accessResume
	accessBalance
	accessCodeSize
	accessCodeHash
	accessCodeCopy
)

var callAccesses = map[evm.FrameKind]uint64{
	evm.FrameCall: accessCall, evm.FrameDelegateCall: accessDelegateCall, evm.FrameCallCode: accessCallCode, evm.FrameStaticCall: accessStaticCall,
}

var opAccesses = map[byte]uint64{
	bytecode.BALANCE: accessBalance, bytecode.EXTCODESIZE: accessCodeSize, bytecode.EXTCODEHASH: accessCodeHash, bytecode.EXTCODECOPY: accessCodeCopy,
}

// An accountAccess is a call, a creation or another use of an account.
type accountAccess struct {
	kind               uint64
	account, accessor  common.Address
	initialized        bool
	oldWei, newWei     uint256.Int
	oldNonce, newNonce uint64
	code, data         []byte
	value              uint256.Int
	reverted           bool
	words              []wordAccess
	depth              int
}

// A wordAccess is a read or a write of storage.
type wordAccess struct {
	account  common.Address
	slot     common.Hash
	write    bool
	old, now common.Hash
	reverted bool
}

// Estimated bytes of an access, and the work of moving one to the list of its caller.
const (
	accountAccessSize = 2 * int(unsafe.Sizeof(accountAccess{}))
	wordAccessSize    = 2 * int(unsafe.Sizeof(wordAccess{}))
	copyWork          = 16
)

// stateDiff are the recorded accesses: those of frames that are open in lists of
// their own.
type stateDiff struct {
	lists  [][]accountAccess
	active bool
	size   int // estimated bytes
}

func (d *stateDiff) clone() stateDiff {
	own := *d
	own.lists = slices.Clone(d.lists)
	for i, list := range own.lists {
		own.lists[i] = slices.Clone(list)
		for j := range own.lists[i] {
			x := &own.lists[i][j]
			x.words = slices.Clone(x.words)
		}
	}
	return own
}

const (
	storageAccessStruct = "(address,bytes32,bool,bytes32,bytes32,bool)"
	accountAccessStruct = "((uint256,uint256),uint8,address,address,bool,uint256,uint256,bytes,uint256,bytes,bool," + storageAccessStruct + "[],uint64,uint64,uint64)"
)

var diffRows = []row{
	{"startStateDiffRecording()", "", (*call).startStateDiff, "records accesses to accounts and storage from here on"},
	{"stopAndReturnStateDiff()", "(" + accountAccessStruct + "[])", (*call).takeStateDiff, "returns the recorded accesses and forgets them"},
	{"getStorageAccesses()", "(" + storageAccessStruct + "[])", (*call).storageAccesses, "returns the recorded reads and writes of storage"},
	{"getStateDiff()", "(string)", (*call).stateDiffText, "describes what changed since startStateDiffRecording, without names of variables"},
	{"getStateDiffJson()", "(string)", (*call).stateDiffJSON, "describes what changed since startStateDiffRecording as JSON, without names of variables"},
}

func (c *call) startStateDiff() error {
	c.memory.diff = stateDiff{active: true}
	c.memory.recorded.recordMappings()
	return c.observe()
}

// watched returns the instructions to be told of.
func (d *stateDiff) watched() []byte {
	if !d.active {
		return nil
	}
	return []byte{bytecode.SLOAD, bytecode.SSTORE, bytecode.SELFDESTRUCT, bytecode.BALANCE, bytecode.EXTCODESIZE, bytecode.EXTCODEHASH, bytecode.EXTCODECOPY}
}

// enter records a call.
func (d *stateDiff) enter(s *evm.State, depth int, m *evm.Message) {
	if d.active {
		d.size += accountAccessSize + len(m.Input)
		d.lists = append(d.lists, []accountAccess{{
			kind: callAccesses[m.Kind], account: m.To, accessor: m.From, initialized: s.Exists(m.Self), oldWei: s.Balance(m.Self),
			oldNonce: s.Nonce(m.Self), value: m.Value, data: slices.Clone(m.Input), depth: depth,
		}})
	}
}

// enterCreation records a creation, whose address is known at its end.
func (d *stateDiff) enterCreation(depth int, m *evm.Message) {
	if d.active {
		d.size += accountAccessSize + len(m.Input)
		d.lists = append(d.lists, []accountAccess{{
			kind: accessCreate, accessor: m.From, initialized: true, newNonce: 1, value: m.Value, data: slices.Clone(m.Input), depth: depth,
		}})
	}
}

// leave ends what enter and enterCreation recorded.
func (d *stateDiff) leave(s *evm.State, depth int, m *evm.Message, e *evm.Ending) {
	if !d.active || len(d.lists) == 0 || depth == 0 && !m.Creates() {
		return
	}
	last := d.lists[len(d.lists)-1]
	d.lists = d.lists[:len(d.lists)-1]
	s.Work(copyWork * uint64(len(last)))
	if rejects(e) {
		for i := range last {
			last[i].reverted = true
			for j := range last[i].words {
				last[i].words[j].reverted = true
			}
		}
	}
	if len(last) == 0 {
		return
	}
	if first := &last[0]; first.depth == depth {
		a := m.Self
		if m.Creates() {
			a = e.Created
			first.account = m.To
			first.code = s.Code(a)
		}
		if a != (common.Address{}) {
			first.newWei, first.newNonce = s.Balance(a), s.Nonce(a)
		}
	}
	if n := len(d.lists); n > 0 {
		d.lists[n-1] = append(d.lists[n-1], last...)
	} else {
		d.lists = append(d.lists, last)
	}
}

// step records what an instruction is about to do.
func (d *stateDiff) step(state *evm.State, s *evm.Step) {
	if !d.active {
		return
	}
	self, depth := s.Frame.Self, s.Frame.Depth
	add := func(x accountAccess) {
		d.size += accountAccessSize
		if len(d.lists) == 0 {
			d.lists = append(d.lists, nil)
		}
		n := len(d.lists) - 1
		d.lists[n] = append(d.lists[n], x)
	}
	switch s.Op {
	case bytecode.SLOAD, bytecode.SSTORE:
		w := wordAccess{account: self, slot: s.Top(0).Bytes32(), write: s.Op == bytecode.SSTORE}
		w.old = state.Load(self, w.slot)
		if w.now = w.old; w.write {
			w.now = s.Top(1).Bytes32()
		}
		d.addWord(&w, depth)
	case bytecode.SELFDESTRUCT:
		if len(d.lists) == 0 {
			return
		}
		heir, wei := common.Address(s.Top(0).Bytes20()), state.Balance(self)
		x := accountAccess{kind: accessSelfDestruct, account: heir, accessor: self, initialized: state.Exists(heir), oldWei: state.Balance(heir), value: wei, depth: depth}
		x.newWei.Add(&x.oldWei, &wei)
		x.oldNonce = state.Nonce(heir)
		x.newNonce = x.oldNonce
		add(x)
	default:
		kind, ok := opAccesses[s.Op]
		if !ok {
			return
		}
		a := common.Address(s.Top(0).Bytes20())
		x := accountAccess{kind: kind, account: a, accessor: self, initialized: state.Exists(a), oldWei: state.Balance(a), oldNonce: state.Nonce(a), depth: depth}
		x.newWei, x.newNonce = x.oldWei, x.oldNonce
		add(x)
	}
}

// addWord adds an access to storage to the record of its frame, or to one that
// resumes it.
func (d *stateDiff) addWord(w *wordAccess, depth int) {
	if len(d.lists) == 0 {
		return
	}
	list := &d.lists[len(d.lists)-1]
	if len(*list) == 0 || (*list)[0].depth >= depth {
		return
	}
	d.size += wordAccessSize
	first, last := &(*list)[0], &(*list)[len(*list)-1]
	if len(*list) == 1 || last.kind == accessResume {
		last.words = append(last.words, *w)
		return
	}
	d.size += accountAccessSize
	*list = append(*list, accountAccess{
		kind: accessResume, account: first.account, accessor: first.accessor, initialized: first.initialized,
		reverted: first.reverted, depth: first.depth, words: []wordAccess{*w},
	})
}

// all returns the accesses in order.
func (d *stateDiff) all() []accountAccess { return slices.Concat(d.lists...) }

func (c *call) takeStateDiff() error {
	d := &c.memory.diff
	all := d.all()
	*d = stateDiff{active: true}
	t := c.code.outputs[0].Type
	list := input.Value{Type: t}
	chain := t.Elem.Fields[0].Type
	words := t.Elem.Fields[11].Type
	for i := range all {
		x := &all[i]
		list.Elems = append(list.Elems, tupleValue(t.Elem,
			tupleValue(chain, numberValue(0), numberValue(c.state.Block().ChainID)),
			numberValue(x.kind), addressValue(x.account), addressValue(x.accessor), boolValue(x.initialized),
			wordValue(&x.oldWei), wordValue(&x.newWei), bytesValue(x.code), wordValue(&x.value), bytesValue(x.data), boolValue(x.reverted),
			wordAccessesValue(words, x.words), numberValue(uint64(x.depth)), numberValue(x.oldNonce), numberValue(x.newNonce)))
	}
	if err := c.observe(); err != nil {
		return err
	}
	return c.give(list)
}

func wordAccessesValue(t *input.Type, words []wordAccess) input.Value {
	list := input.Value{Type: t}
	for _, w := range words {
		list.Elems = append(list.Elems, tupleValue(t.Elem, addressValue(w.account), hashValue(w.slot), boolValue(w.write), hashValue(w.old), hashValue(w.now), boolValue(w.reverted)))
	}
	return list
}

func (c *call) storageAccesses() error {
	var words []wordAccess
	for _, x := range c.memory.diff.all() {
		words = append(words, x.words...)
	}
	return c.give(wordAccessesValue(c.code.outputs[0].Type, words))
}

// A change is a value before and after.
type change[T any] struct {
	Previous T `json:"previousValue"`
	New      T `json:"newValue"`
}

// An accountDiff is how an account changed.
type accountDiff struct {
	Label    *string                             `json:"label"`
	Contract *string                             `json:"contract"` // "src/Token.sol:Token"; nil: unknown
	Balance  *change[*hexutil.U256]              `json:"balanceDiff"`
	Nonce    *change[uint64]                     `json:"nonceDiff"`
	State    map[common.Hash]change[common.Hash] `json:"stateDiff"`
}

// diffs sums up the recorded accesses by account.
func (c *call) diffs() map[common.Address]*accountDiff {
	all := make(map[common.Address]*accountDiff)
	of := func(a common.Address) *accountDiff {
		if all[a] == nil {
			all[a] = &accountDiff{State: make(map[common.Hash]change[common.Hash])}
			if name, ok := c.memory.labels[a]; ok {
				all[a].Label = &name
			}
		}
		return all[a]
	}
	for _, x := range c.memory.diff.all() {
		if x.oldWei != x.newWei {
			d := of(x.account)
			if d.Balance == nil {
				d.Balance = &change[*hexutil.U256]{Previous: (*hexutil.U256)(x.oldWei.Clone())}
			}
			d.Balance.New = (*hexutil.U256)(x.newWei.Clone())
		}
		if x.oldNonce != x.newNonce && !x.reverted {
			d := of(x.account)
			if d.Nonce == nil {
				d.Nonce = &change[uint64]{Previous: x.oldNonce}
			}
			d.Nonce.New = x.newNonce
		}
		for _, w := range x.words {
			if !w.write || w.reverted {
				continue
			}
			state := of(w.account).State
			one, known := state[w.slot]
			if !known {
				one.Previous = w.old
			}
			one.New = w.now
			state[w.slot] = one
		}
	}
	c.nameContracts(all)
	return all
}

// nameContracts adds the names of contracts that the project has, where storage or
// balances changed: forge knows no others.
func (c *call) nameContracts(all map[common.Address]*accountDiff) {
	h, err := c.host()
	if err != nil {
		return
	}
	for a, d := range all {
		code := c.state.Code(a)
		if len(code) == 0 || len(d.State) == 0 && d.Balance == nil {
			continue
		}
		if found, err := h.ArtifactOf(code, true); err == nil && found.Name != "" {
			d.Contract = &found.Name
		}
	}
}

func (c *call) stateDiffJSON() error {
	text, err := json.Marshal(c.diffs())
	if err != nil {
		return err
	}
	return c.give(bytesValue(text))
}

func (c *call) stateDiffText() error {
	var b strings.Builder
	all := c.diffs()
	for _, a := range sortedKeys(all, common.Address.Cmp) {
		d := all[a]
		fmt.Fprintln(&b, a.Hex())
		if d.Label != nil {
			fmt.Fprintf(&b, "label: %s\n", *d.Label)
		}
		if d.Contract != nil {
			fmt.Fprintf(&b, "contract: %s\n", *d.Contract)
		}
		if d.Balance != nil && *d.Balance.Previous != *d.Balance.New {
			fmt.Fprintf(&b, "- balance diff: %s → %s\n", (*uint256.Int)(d.Balance.Previous).Dec(), (*uint256.Int)(d.Balance.New).Dec())
		}
		if d.Nonce != nil && d.Nonce.Previous != d.Nonce.New {
			fmt.Fprintf(&b, "- nonce diff: %d → %d\n", d.Nonce.Previous, d.Nonce.New)
		}
		if len(d.State) > 0 {
			fmt.Fprintln(&b, "- state diff:")
		}
		for _, slot := range sortedKeys(d.State, common.Hash.Cmp) {
			fmt.Fprintf(&b, "@ %s: %s → %s\n", slot, d.State[slot].Previous, d.State[slot].New)
		}
		fmt.Fprintln(&b)
	}
	return c.give(textValue(b.String()))
}

// sortedKeys returns the keys of a map in ascending order.
func sortedKeys[K comparable, V any](m map[K]V, compare func(a, b K) int) []K {
	keys := make([]K, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, compare)
	return keys
}
