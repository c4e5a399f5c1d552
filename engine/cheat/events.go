package cheat

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A printEvent is an event of DSTest that prints a line.
type printEvent struct {
	inputs []input.Field
	text   func([]input.Value) string
}

// printEvents are the events of DSTest by their first topic.
var printEvents = sync.OnceValue(func() map[common.Hash]*printEvent {
	all := map[common.Hash]*printEvent{}
	add := func(text func([]input.Value) string, signatures ...string) {
		for _, s := range signatures {
			f, err := input.ParseSignature(s)
			if err != nil {
				panic(err)
			}
			all[crypto.Keccak256Hash([]byte(s))] = &printEvent{f.Inputs, text}
		}
	}
	add(func(v []input.Value) string { return display(&v[0]) },
		"log(string)", "logs(bytes)", "log_address(address)", "log_bytes32(bytes32)", "log_int(int256)", "log_uint(uint256)",
		"log_bytes(bytes)", "log_string(string)", "log_array(uint256[])", "log_array(int256[])", "log_array(address[])")
	add(func(v []input.Value) string { return display(&v[0]) + ": " + display(&v[1]) },
		"log_named_address(string,address)", "log_named_bytes32(string,bytes32)", "log_named_int(string,int256)", "log_named_uint(string,uint256)",
		"log_named_bytes(string,bytes)", "log_named_string(string,string)",
		"log_named_array(string,uint256[])", "log_named_array(string,int256[])", "log_named_array(string,address[])")
	add(func(v []input.Value) string { return display(&v[0]) + ": " + withUnits(&v[1], &v[2]) },
		"log_named_decimal_int(string,int256,uint256)", "log_named_decimal_uint(string,uint256,uint256)")
	return all
})

// printLog prints an event of DSTest.
func (c *Cheats) printLog(l *evm.Log) {
	if len(l.Topics) != 1 {
		return
	}
	e := printEvents()[l.Topics[0]]
	if e == nil {
		return
	}
	values, err := input.Decode(e.inputs, l.Data)
	if err != nil {
		return
	}
	if text := e.text(values); text != "" {
		c.print(text)
	} else {
		c.print("\n")
	}
}
