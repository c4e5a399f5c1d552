package project

import (
	"reflect"
	"strings"

	"leveret/solc"
)

// detailKinds are the keys of optimizer_details, with a value of their type.
var detailKinds = solc.Optimizer{
	"peephole": false, "inliner": false, "jumpdestRemover": false, "orderLiterals": false, "deduplicate": false, "cse": false,
	"constantOptimizer": false, "simpleCounterForLoopUncheckedIncrement": false, "yul": false,
	"yulDetails": solc.Optimizer{"stackAllocation": false, "optimizerSteps": ""},
}

// optimizerDetails returns the keys whose values have the right type, in the
// compiler's spelling; false if there are others. forge prints keys without
// a value as null.
func optimizerDetails(keys map[string]any, kinds solc.Optimizer) (details solc.Optimizer, ok bool) {
	details, ok = solc.Optimizer{}, true
	for key, value := range keys {
		name := camelCase(key)
		below, nested := kinds[name].(solc.Optimizer)
		table, isTable := value.(map[string]any)
		switch {
		case value == nil:
		case nested && isTable:
			right := false
			details[name], right = optimizerDetails(table, below)
			ok = ok && right
		case !nested && reflect.TypeOf(value) == reflect.TypeOf(kinds[name]):
			details[name] = value
		default:
			ok = false
		}
	}
	return details, ok
}

// camelCase turns snake_case into camelCase: forge takes both.
func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:min(1, len(words[i]))]) + words[i][min(1, len(words[i])):]
	}
	return strings.Join(words, "")
}
