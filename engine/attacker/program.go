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
// Transient storage counts the calls of the contract in a transaction. The contract
// increments the count in a call to itself: in a static call only that inner
// call fails, and the contract answers as usual, but makes no call.
//
// Answers differ in static calls, too, which may write nothing: each call but the
// last ones reads a storage word that no call read before. What reading costs tells
// how many calls there were.
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
		PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 ADDRESS %d CALL
		ISZERO @answer JUMPI
		PUSH0 TLOAD                     ; script n, the number of this call
		PUSH0                           ; script n i
	calls:
		DUP3 16 SHR 0xffff AND          ; script n i size
		DUP2 LT ISZERO @called JUMPI
		DUP1 1 ADD 16 SHL               ; script n i at
		DUP1 SLOAD                      ; script n i at head
		DUP1 48 SHR 0xffff AND          ; script n i at head times
		DUP2 32 SHR 0xffff AND          ; script n i at head times first
		DUP6 SUB LT ISZERO @skip JUMPI  ; script n i at head
		DUP2 %d ADD SLOAD PUSH0 MSTORE
		PUSH0                           ; script n i at head byte
	load:
		DUP2 0xffffffff AND             ; script n i at head byte size
		DUP2 4 ADD LT ISZERO @call JUMPI
		DUP1 5 SHR DUP4 ADD %d ADD SLOAD
		DUP2 32 ADD MSTORE
		32 ADD @load JUMP
	call:
		POP PUSH0 PUSH0
		DUP3 0xffffffff AND 28          ; script n i at head 0 0 size 28
		DUP6 %d ADD SLOAD               ; script n i at head 0 0 size 28 wei
		DUP6 64 SHR GAS CALL POP        ; script n i at head
	skip:
		POP POP 1 ADD @calls JUMP
	called:
		POP POP @answer JUMP
	count:
		PUSH0 TLOAD 1 ADD PUSH0 TSTORE STOP

	asked:                                  ; script
		DUP1 8 SHR 0xff AND             ; script answers
		DUP1 @chosen JUMPI
		PUSH0 CALLDATALOAD 0xe0 SHR     ; script 0 selector
		%s
		%s
	own:                                    ; script 0 selector
		0xe0 SHL
	reply:                                  ; … answer
		PUSH0 MSTORE 32 PUSH0 RETURN

	chosen:                                 ; script answers
		PUSH0                           ; script answers n
	before:
		DUP2 DUP2 1 ADD LT ISZERO @words JUMPI
		GAS 0x%x DUP3 ADD SLOAD POP GAS ; script answers n gas gas
		SWAP1 SUB %d LT @words JUMPI
		1 ADD @before JUMP
	words:                                  ; script answers n
		1 ADD 8 SHL                     ; script answers at
		DUP1 SLOAD                      ; script answers at words
		PUSH0                           ; script answers at words i
	next:
		DUP2 DUP2 LT ISZERO @return JUMPI
		DUP1 1 ADD DUP4 ADD SLOAD DUP2 5 SHL MSTORE
		1 ADD @next JUMP
	return:
		POP 5 SHL PUSH0 RETURN`,
		strings.ToLower(input.Attacker.Address().Hex()),
		input.Refuse, input.BurnGas, input.Reenter,
		reenterGas, countGas, callSelector, callArguments, callWei, dispatch(), usually(), coldSlots, warmGas)
}

// Gas needed to try re-entrant calls, gas for the call that counts them, and more
// than it takes to read a word that was read before.
const (
	reenterGas = 20_000
	countGas   = 5_000
	warmGas    = 1_000
)

// usually is assembly that answers no hook.
func usually() string {
	var b strings.Builder
	for i := range usualWords {
		fmt.Fprintf(&b, "1 %d MSTORE ", 32*i)
	}
	fmt.Fprintf(&b, "%d PUSH0 RETURN", 32*usualWords)
	return b.String()
}

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
