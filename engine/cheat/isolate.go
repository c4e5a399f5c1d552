package cheat

import (
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
)

// isolated is what cheatcodes say of transactions that calls of a test are.
type isolated struct {
	accessList evm.AccessList // does not change; nil: none was set
}

var isolateRows = []row{
	{"isIsolateMode()", "(bool)", func(c *call) error { return c.give(boolValue(c.Config.Isolate)) }, "returns whether calls of a test are transactions of their own"},
	{"accessList((address,bytes32[])[])", "", (*call).setAccessList, "sets the access list of the transactions that calls of a test are with `isolate`"},
	{"noAccessList()", "", func(c *call) error { c.memory.isolated.accessList = nil; return nil }, "ends accessList"},
}

func (c *call) setAccessList() error {
	list := evm.AccessList{}
	for _, item := range c.args[0].Elems {
		entry := evm.AccessTuple{Address: item.Elems[0].Address(), StorageKeys: []common.Hash{}}
		for i := range item.Elems[1].Elems {
			entry.StorageKeys = append(entry.StorageKeys, item.Elems[1].Elems[i].Word.Bytes32())
		}
		list = append(list, entry)
	}
	c.memory.isolated.accessList = list
	c.rememberArgs()
	return nil
}

// isolate makes a message of the outermost frame a transaction of its own, if the
// project asks for it. STATICCALL finds an empty access list; CREATE2, DELEGATECALL and
// CALLCODE run as usual [forge].
func (c *Cheats) isolate(depth int, m *evm.Message) {
	if !c.Config.Isolate || depth != 1 {
		return
	}
	switch m.Kind {
	case evm.FrameCall, evm.FrameCreate:
		m.Isolated, m.AccessList = true, c.memory.isolated.accessList
	case evm.FrameStaticCall:
		c.state.Cool(c.memory.arbitrary.has)
	}
}
