package evm

import "github.com/ethereum/go-ethereum/common"

// logs are the events of one transaction. The memory of their topics and data
// is reused for the next one.
type logs struct {
	list   []logEntry
	topics []common.Hash
	data   []byte
}

// A logEntry is where the topics and the data of an event begin.
type logEntry struct {
	address      common.Address
	topics, data int
}

func (l *logs) reset() {
	l.list, l.topics, l.data = reused(l.list, keptEntries), reused(l.topics, keptEntries), reused(l.data, keptBytes)
}

// drop removes the last event.
func (l *logs) drop() {
	last := &l.list[len(l.list)-1]
	l.topics, l.data = l.topics[:last.topics], l.data[:last.data]
	l.list = l.list[:len(l.list)-1]
}

// at returns an event, valid until the next one is added.
func (l *logs) at(i int) Log {
	e, topics, data := &l.list[i], len(l.topics), len(l.data)
	if i+1 < len(l.list) {
		topics, data = l.list[i+1].topics, l.list[i+1].data
	}
	return Log{Address: e.address, Topics: l.topics[e.topics:topics:topics], Data: l.data[e.data:data:data]}
}

// copied returns copies of all events; nil if there are none.
func (l *logs) copied() []Log {
	if len(l.list) == 0 {
		return nil
	}
	own := logs{list: l.list}
	var all []Log
	if few := (*fewLogs)(nil); len(l.list) <= len(few.list) && len(l.topics) <= len(few.topics) && len(l.data) <= len(few.data) {
		few = new(fewLogs)
		all, own.topics, own.data = few.list[:len(l.list)], few.topics[:len(l.topics)], few.data[:len(l.data)]
	} else {
		all, own.topics, own.data = make([]Log, len(l.list)), make([]common.Hash, len(l.topics)), make([]byte, len(l.data))
	}
	copy(own.topics, l.topics)
	copy(own.data, l.data)
	for i := range all {
		all[i] = own.at(i)
	}
	return all
}

// fewLogs are the events of most transactions in one piece of memory.
type fewLogs struct {
	list   [2]Log
	topics [6]common.Hash
	data   [96]byte
}
