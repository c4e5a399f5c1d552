package evm

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Transfers of ERC-20 and ERC-721 are decoded, and nothing else is.
func TestTransfer(t *testing.T) {
	topic := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	from, to := common.HexToHash("0x11"), common.HexToHash("0x22")
	number := common.HexToHash("0x33")
	for name, row := range map[string]struct {
		log    Log
		single bool
		ok     bool
	}{
		"amount":       {Log{Topics: []common.Hash{topic, from, to}, Data: number[:]}, false, true},
		"single token": {Log{Topics: []common.Hash{topic, from, to, number}}, true, true},
		"other event":  {Log{Topics: []common.Hash{from, from, to}, Data: number[:]}, false, false},
		"no topics":    {Log{Data: number[:]}, false, false},
		"not indexed":  {Log{Topics: []common.Hash{topic}, Data: make([]byte, 96)}, false, false},
		"no amount":    {Log{Topics: []common.Hash{topic, from, to}}, false, false},
		"both":         {Log{Topics: []common.Hash{topic, from, to, number}, Data: number[:]}, false, false},
	} {
		got, ok := row.log.Transfer()
		want := Transfer{}
		if row.ok {
			want = Transfer{From: common.HexToAddress("0x11"), To: common.HexToAddress("0x22"), Value: *uint256.NewInt(0x33), Single: row.single}
		}
		if ok != row.ok || got != want {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
}
