package project

import (
	"slices"
	"strconv"
	"strings"

	"leveret/solc/scan"
)

// leastCode is a size in bytes below that of any compiled contract. Comparing
// with a smaller one detects accounts without code, proxies or delegations, whose
// code no compiler setting changes.
const leastCode = 60

// readsSize reports whether a source compares the size of code with a number
// that a contract's code may have. Only direct comparisons are found: `x.code.length`
// in Solidity, and `codesize` and `extcodesize` as an operand of a comparison in
// assembly.
func readsSize(text []byte) bool {
	if !mentionsSize(string(text)) {
		return false
	}
	var tokens []string
	for _, span := range scan.Tokens(text) {
		tokens = append(tokens, string(text[span.Start:span.End()]))
	}
	for i := range tokens {
		if comparesLength(tokens, i) || comparesCodesize(tokens, i) {
			return true
		}
	}
	return false
}

// mentionsSize is a fast necessary condition of readsSize.
func mentionsSize(text string) bool {
	return strings.Contains(text, "codesize") || strings.Contains(text, ".code.length")
}

// relations are the comparisons of Solidity as scan.Tokens splits them: those of
// two characters are two tokens.
var relations = []string{"<", ">", "=", "!"}

// comparesLength reports whether `.code.length` at a token is compared with a
// large number.
func comparesLength(tokens []string, at int) bool {
	length := []string{".", "code", ".", "length"}
	if at+len(length) > len(tokens) || !slices.Equal(tokens[at:at+len(length)], length) {
		return false
	}
	after := at + len(length)
	if after < len(tokens) && slices.Contains(relations, tokens[after][:1]) {
		for after < len(tokens) && strings.Trim(tokens[after], "<>=!") == "" {
			after++
		}
		return after < len(tokens) && isLarge(tokens[after])
	}
	return false
}

// comparesCodesize reports whether a comparison of assembly at a token has the
// size of code and a large number as operands, in any order.
func comparesCodesize(tokens []string, at int) bool {
	if !slices.Contains([]string{"eq", "lt", "gt"}, tokens[at]) || at+1 >= len(tokens) || tokens[at+1] != "(" {
		return false
	}
	size, large := false, false
	for depth, i := 0, at+1; i < len(tokens); i++ {
		switch token := tokens[i]; token {
		case "(":
			depth++
		case ")":
			depth--
		case "codesize", "extcodesize":
			size = size || depth == 1
		default:
			large = large || depth == 1 && isLarge(token)
		}
		if depth == 0 {
			break
		}
	}
	return size && large
}

// isLarge reports whether a token is a number that code of a contract may have
// as its size, or any number in a form that is not read here.
func isLarge(token string) bool {
	if token[0] < '0' || token[0] > '9' {
		return false
	}
	n, err := strconv.ParseUint(strings.ReplaceAll(token, "_", ""), 0, 64)
	return err != nil || n >= leastCode
}
