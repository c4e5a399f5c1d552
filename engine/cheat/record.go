package cheat

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// recorded is what tests record: events, accesses to storage, slots of mappings.
type recorded struct {
	logs      []evm.Log
	wantsLogs bool

	reads, writes map[common.Address][]common.Hash
	wantsAccesses bool

	mappings map[common.Address]*mapping // nil: not recorded

	size int // estimated bytes of all
}

// A mapping is what is known of the slots of mappings of one account.
type mapping struct {
	hashed   map[common.Hash][2]common.Hash // hash of 64 bytes: these
	slots    map[common.Hash][2]common.Hash // slot that was written: its key and the mapping's slot
	children map[common.Hash][]common.Hash  // by the mapping's slot: slots that were written
}

func (r *recorded) clone() recorded {
	own := *r
	own.logs = slices.Clip(r.logs)
	own.reads, own.writes = cloneLists(r.reads), cloneLists(r.writes)
	own.mappings = maps.Clone(r.mappings)
	for a, m := range own.mappings {
		own.mappings[a] = &mapping{maps.Clone(m.hashed), maps.Clone(m.slots), cloneLists(m.children)}
	}
	return own
}

// cloneLists copies a map of lists that only grow.
func cloneLists[K comparable](lists map[K][]common.Hash) map[K][]common.Hash {
	own := maps.Clone(lists)
	for key, list := range own {
		own[key] = slices.Clip(list)
	}
	return own
}

var recordRows = []row{
	{"recordLogs()", "", func(c *call) error { c.memory.recorded.take(); return nil }, "records events from here on"},
	{"getRecordedLogs()", "((bytes32[],bytes,address)[])", (*call).recordedLogs, "returns the recorded events and forgets them"},
	{"getRecordedLogsJson()", "(string)", (*call).recordedLogsJSON, "returns the recorded events as JSON and forgets them"},
	{"record()", "", (*call).record, "records reads and writes of storage from here on"},
	{"stopRecord()", "", func(c *call) error { c.memory.recorded.wantsAccesses = false; return c.observe() }, "ends record"},
	{"accesses(address)", "(bytes32[],bytes32[])", (*call).accesses, "returns the slots of an account that were read and written since record"},
	{"startMappingRecording()", "", func(c *call) error { c.memory.recorded.recordMappings(); return c.observe() }, "records the slots of mappings that are written from here on"},
	{"stopMappingRecording()", "", func(c *call) error { c.memory.recorded.mappings = nil; return c.observe() }, "ends startMappingRecording"},
	{"getMappingLength(address,bytes32)", "(uint256)", (*call).mappingLength, "returns how many slots of a mapping were written"},
	{"getMappingSlotAt(address,bytes32,uint256)", "(bytes32)", (*call).mappingSlotAt, "returns one of the slots of a mapping that were written"},
	{"getMappingKeyAndParentOf(address,bytes32)", "(bool,bytes32,bytes32)", (*call).mappingKey, "returns the key and the mapping of a slot"},
}

// take returns the recorded events and goes on recording.
func (r *recorded) take() []evm.Log {
	all := r.logs
	r.size -= logsSize(all)
	r.logs, r.wantsLogs = nil, true
	return all
}

// log records an event.
func (r *recorded) log(l *evm.Log) {
	if r.wantsLogs {
		r.logs = append(r.logs, evm.Log{Address: l.Address, Topics: slices.Clone(l.Topics), Data: slices.Clone(l.Data)})
		r.size += logSize(l)
	}
}

// logSize estimates the bytes of an event.
func logSize(l *evm.Log) int { return entrySize + len(l.Data) }

func logsSize(all []evm.Log) (size int) {
	for i := range all {
		size += logSize(&all[i])
	}
	return size
}

func hashesValue(hashes []common.Hash) input.Value {
	list := listValue(bytes32Type, nil)
	for _, h := range hashes {
		list.Elems = append(list.Elems, hashValue(h))
	}
	return list
}

func (c *call) recordedLogs() error {
	t := c.code.outputs[0].Type
	list := input.Value{Type: t}
	for _, l := range c.memory.recorded.take() {
		list.Elems = append(list.Elems, tupleValue(t.Elem, hashesValue(l.Topics), bytesValue(l.Data), addressValue(l.Address)))
	}
	return c.give(list)
}

func (c *call) recordedLogsJSON() error {
	type entry struct {
		Topics  []common.Hash `json:"topics"`
		Data    hexutil.Bytes `json:"data"`
		Emitter string        `json:"emitter"`
	}
	all := []entry{}
	for _, l := range c.memory.recorded.take() {
		all = append(all, entry{slices.Concat([]common.Hash{}, l.Topics), l.Data, l.Address.Hex()})
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return c.give(bytesValue(text))
}

func (c *call) record() error {
	r := &c.memory.recorded
	for _, lists := range []map[common.Address][]common.Hash{r.reads, r.writes} {
		for _, list := range lists {
			r.size -= accessSize * len(list)
		}
	}
	r.wantsAccesses, r.reads, r.writes = true, make(map[common.Address][]common.Hash), make(map[common.Address][]common.Hash)
	return c.observe()
}

func (c *call) accesses() error {
	r, a := &c.memory.recorded, c.address(0)
	return c.give(hashesValue(r.reads[a]), hashesValue(r.writes[a]))
}

func (r *recorded) recordMappings() {
	if r.mappings == nil {
		r.mappings = make(map[common.Address]*mapping)
	}
}

// watched returns the instructions to be told of.
func (r *recorded) watched() []byte {
	var ops []byte
	if r.wantsAccesses {
		ops = append(ops, bytecode.SLOAD, bytecode.SSTORE)
	}
	if r.mappings != nil {
		ops = append(ops, bytecode.KECCAK256, bytecode.SSTORE)
	}
	return ops
}

// step records what an instruction is about to do.
func (r *recorded) step(s *evm.Step) {
	a := s.Frame.Self
	if r.wantsAccesses && (s.Op == bytecode.SLOAD || s.Op == bytecode.SSTORE) {
		key := common.Hash(s.Top(0).Bytes32())
		r.reads[a] = append(r.reads[a], key)
		r.size += accessSize
		if s.Op == bytecode.SSTORE {
			r.writes[a] = append(r.writes[a], key)
			r.size += accessSize
		}
	}
	if r.mappings == nil {
		return
	}
	switch m := r.mappings[a]; {
	case s.Op == bytecode.SSTORE && m != nil:
		r.size += entrySize * m.write(s.Top(0).Bytes32())
	case s.Op == bytecode.KECCAK256 && s.Top(1).IsUint64() && s.Top(1).Uint64() == 64:
		if m == nil {
			m = &mapping{make(map[common.Hash][2]common.Hash), make(map[common.Hash][2]common.Hash), make(map[common.Hash][]common.Hash)}
			r.mappings[a] = m
		}
		data := memoryAt(s, s.Top(0).Uint64(), 64)
		hash := crypto.Keccak256Hash(data)
		if _, known := m.hashed[hash]; !known {
			r.size += entrySize
		}
		m.hashed[hash] = [2]common.Hash{common.Hash(data[:32]), common.Hash(data[32:])}
	}
}

// accessSize is the estimated bytes of an access to storage.
const accessSize = 48

// memoryAt returns bytes of memory, which is 0 beyond its end.
func memoryAt(s *evm.Step, offset, size uint64) []byte {
	data := make([]byte, size)
	if offset < uint64(len(s.Memory)) {
		copy(data, s.Memory[offset:])
	}
	return data
}

// write notes a slot that is written, and those of the mappings that it is in. It
// returns how many are new.
func (m *mapping) write(slot common.Hash) (added int) {
	for {
		origin, ok := m.hashed[slot]
		if !ok {
			return added
		}
		if _, known := m.slots[slot]; known {
			return added
		}
		added++
		m.slots[slot] = origin
		parent := origin[1]
		m.children[parent] = append(m.children[parent], slot)
		slot = parent
	}
}

// children returns the slots that were written of the mapping that the arguments
// name.
func (c *call) children() []common.Hash {
	if m := c.memory.recorded.mappings[c.address(0)]; m != nil {
		return m.children[c.word(1)]
	}
	return nil
}

func (c *call) mappingLength() error { return c.give(numberValue(uint64(len(c.children())))) }

func (c *call) mappingSlotAt() error {
	var slot common.Hash
	if i, list := &c.args[2].Word, c.children(); i.LtUint64(uint64(len(list))) {
		slot = list[i.Uint64()]
	}
	return c.give(hashValue(slot))
}

func (c *call) mappingKey() error {
	var origin [2]common.Hash
	found := false
	if m := c.memory.recorded.mappings[c.address(0)]; m != nil {
		if origin, found = m.slots[c.word(1)]; !found {
			origin, found = m.hashed[c.word(1)]
		}
	}
	return c.give(boolValue(found), hashValue(origin[0]), hashValue(origin[1]))
}
