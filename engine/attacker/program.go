package attacker

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/input"
)

// hooks are the callbacks of token standards with the word that each must
// return; an empty answer means the selector itself.
var hooks = []struct{ signature, answer string }{
	{"onERC721Received(address,address,uint256,bytes)", ""},
	{"onERC1155Received(address,address,uint256,uint256,bytes)", ""},
	{"onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)", ""},
	{"onTransferReceived(address,address,uint256,bytes)", ""},
	{"onApprovalReceived(address,uint256,bytes)", ""},
	{"onFlashLoan(address,address,uint256,uint256,bytes)", "ERC3156FlashBorrower.onFlashLoan"},
}

// program is the assembly of the attacker contract.
//
// A plain transfer runs within the 2,300 gas of send and transfer, of which its
// SLOAD takes 2,100. With so little gas the contract does not re-enter.
//
// Transient storage counts the re-entrant calls of a transaction. The contract
// increments the count in a call to itself: in a static call only that inner
// call fails, and the contract answers as usual.
//
// Code that runs by DELEGATECALL in another contract stops at once.
func program() string {
	return fmt.Sprintf(`
		ADDRESS %s EQ @home JUMPI
		STOP
	home:
		PUSH0 SLOAD                     ; script
		DUP1 @scripted JUMPI
	answer:                                 ; script
		CALLDATASIZE @asked JUMPI
		STOP

	scripted:                               ; script
		DUP1 0xff AND                   ; script mode
		DUP1 %d EQ @refuse JUMPI
		DUP1 %d EQ @burn JUMPI
		%d EQ @reenter JUMPI
		@answer JUMP
	refuse:
		PUSH0 PUSH0 REVERT
	burn:
		0xffffffff MLOAD                ; costs more than there is

	reenter:                                ; script
		CALLER ADDRESS EQ @count JUMPI
		%d GAS LT @answer JUMPI
		DUP1 16 SHR 0xffff AND          ; script depth
		PUSH0 TLOAD LT ISZERO @answer JUMPI
		PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS %d CALL
		ISZERO @answer JUMPI
		PUSH0                           ; script at
	load:
		DUP2 32 SHR 0xffffffff AND      ; script at size
		DUP2 LT ISZERO @call JUMPI      ; script at
		DUP1 5 SHR %d ADD SLOAD         ; script at data
		DUP2 MSTORE
		32 ADD @load JUMP
	call:
		POP PUSH0 PUSH0
		DUP3 32 SHR 0xffffffff AND      ; script 0 0 size
		PUSH0 %d SLOAD                  ; script 0 0 size 0 wei
		DUP6 64 SHR GAS CALL POP        ; script
		@answer JUMP
	count:
		PUSH0 TLOAD 1 ADD PUSH0 TSTORE STOP

	asked:                                  ; script
		DUP1 8 SHR 0xff AND             ; script words
		DUP1 @words JUMPI
		PUSH0 CALLDATALOAD 0xe0 SHR     ; script 0 selector
		%s
		1 PUSH0 MSTORE 1 32 MSTORE 1 64 MSTORE 1 96 MSTORE
		128 PUSH0 RETURN
	own:                                    ; script 0 selector
		0xe0 SHL
	reply:                                  ; … answer
		PUSH0 MSTORE 32 PUSH0 RETURN

	words:                                  ; script words
		PUSH0                           ; script words i
	next:
		DUP2 DUP2 LT ISZERO @return JUMPI
		DUP1 %d ADD SLOAD DUP2 5 SHL MSTORE
		1 ADD @next JUMP
	return:
		POP 5 SHL PUSH0 RETURN`,
		strings.ToLower(input.Attacker.Address().Hex()),
		input.Refuse, input.BurnGas, input.Reenter,
		reenterGas, countGas, wordData, wordValue, dispatch(), wordReturns)
}

// Gas needed to try a re-entrant call, and gas for the call that counts it.
const (
	reenterGas = 20_000
	countGas   = 5_000
)

// dispatch is assembly that compares the selector on the stack with those of
// the hooks.
func dispatch() string {
	var b strings.Builder
	for _, h := range hooks {
		selector := crypto.Keccak256([]byte(h.signature))[:4]
		if h.answer == "" {
			fmt.Fprintf(&b, "DUP1 0x%x EQ @own JUMPI\n", selector)
			continue
		}
		fmt.Fprintf(&b, "0x%x DUP2 0x%x EQ @reply JUMPI POP\n", crypto.Keccak256([]byte(h.answer)), selector)
	}
	return b.String()
}
