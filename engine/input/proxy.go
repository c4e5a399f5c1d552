package input

import "github.com/ethereum/go-ethereum/common"

// ImplementationSlot is the slot of ERC-1967 for the address of a proxy's code:
// upgradeable contracts read it.
var ImplementationSlot = common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")

// ProxyCode is the creation code of a Creation with Of set: a contract with the
// code at logic and fresh storage.
//
//	PUSH20 logic DUP1 PUSH32 slot SSTORE
//	DUP1 EXTCODESIZE DUP1 PUSH0 PUSH0 DUP5 EXTCODECOPY PUSH0 RETURN
func ProxyCode(logic common.Address) []byte {
	code := append([]byte{0x73}, logic[:]...)
	code = append(append(code, 0x80, 0x7f), ImplementationSlot[:]...)
	return append(code, 0x55, 0x80, 0x3b, 0x80, 0x5f, 0x5f, 0x84, 0x3c, 0x5f, 0xf3)
}
