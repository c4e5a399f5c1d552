package hostile

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// maxCode is the size of the largest code that the chain accepts (EIP-170).
const maxCode = 24576

// codes lists contracts with code that no compiler writes.
func codes() []Contract {
	list := []Contract{
		{Name: "no code, as it destroys itself", Unfuzzed: true, Source: body("constructor() { selfdestruct(payable(msg.sender)); }", "function f(uint a) external pure { assert(a != 7); }")},
		{Name: "no code, as it returns none", Unfuzzed: true, Source: body("constructor() { assembly { return(0, 0) } }", "function f(uint a) external pure { assert(a != 7); }")},
	}
	for _, c := range []struct{ name, unit string }{
		{"jump destinations", "5b"},
		{"pushes", "7f" + strings.Repeat("5b", 32) + "50"},
		{"jumps into everything", "5b5f3560fe16565b"},
		{"conditional jumps ahead", "5b365f3510610100570000"},
		{"loops through each other", "5b5f35600101600a575b600135600057"},
		{"additions to the stack", "3601"},
		{"copies on the stack", "5f80"},
		{"comparisons of one word", "5f3560011460045750"},
		{"hashes of much memory", "622dc6c05f2050"},
		{"hashes of 1 MB", "620f42405f2050"},
		{"hashes of a little memory", "60205f20505b"},
		{"storage writes", "5a5a555b"},
		{"storage reads", "5a54505b"},
		{"calls of itself", "5f5f5f5f5f305af1505b"},
		{"calls of an address argument", "60205f5f5f5f5f355af1505b"},
		{"creations", "5f5f5ff0505b"},
		{"copies of memory", "622dc6c05f60205e5b"},
		{"copies of calldata", "622dc6c05f5f375b"},
		{"copies of code", "622dc6c05f5f395b"},
		{"logs", "620200005fa05b"},
		{"precompiles", "60406040620100005f60025afa505b"},
		{"unknown instructions", "0c5b"},
	} {
		list = append(list, Contract{Name: "24 KB of " + c.name, Source: raw(fill(c.unit))})
	}
	return append(list,
		Contract{Name: "24 KB of jumps to the next", Source: raw(jumpTable())},
		Contract{Name: "one instruction", Source: raw("00")},
		Contract{Name: "an endless loop", Source: raw("5b5f56")},
		Contract{Name: "a push without its word", Source: raw("7f")},
		Contract{Name: "random code", Source: raw(random(maxCode))},
	)
}

// raw is a contract whose constructor returns other code than the compiled code.
func raw(code string) string {
	return body("uint n;",
		"constructor() { bytes memory code = hex\""+code+"\"; assembly { return(add(code, 32), mload(code)) } }",
		"function f(uint a) external { n += a; assert(n != 777); }",
		"fallback(bytes calldata) external payable returns (bytes memory) { n++; }")
}

// fill repeats a piece of code as often as fits.
func fill(unit string) string { return strings.Repeat(unit, maxCode*2/len(unit)) }

// jumpTable is code of pieces that each jump to one of the next two pieces,
// depending on an argument.
func jumpTable() string {
	var code strings.Builder
	for at := 0; at+15 <= maxCode-30; at += 15 {
		fmt.Fprintf(&code, "5b5f3561%04x1161%04x57%s", at, at+30, "5b5b5b5b")
	}
	return code.String()
}

// random is pseudo-random code, equal in each run.
func random(n int) string {
	code := make([]byte, n)
	state := uint32(1)
	for i := range code {
		state = state*1664525 + 1013904223
		code[i] = byte(state >> 24)
	}
	return hex.EncodeToString(code)
}
