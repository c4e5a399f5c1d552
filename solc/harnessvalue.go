package solc

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A harnessValue sets a value of a kind that only harnesses have. It returns what
// would be right if the value is wrong.
type harnessValue interface {
	set(value any) (want string)
}

type (
	testMode struct{ to *string }
	negated  struct{ to *bool }
	account  struct{ to *common.Address }
	accounts struct{ to *[]common.Address }
	amounts  struct{ to *[]uint256.Int }

	arguments   struct{ to *map[string]map[string]any }
	predeployed struct {
		to   *[]Predeployed
		code bool // creation code is given, not a name
	}
)

// testModes lists the modes of Echidna (validateTestMode in lib/Echidna/Test.hs).
var testModes = []string{"property", "assertion", "foundry", "dapptest", "overflow", "exploration", "optimization"}

func (m *testMode) set(value any) string {
	mode, _ := value.(string)
	return assignIf(m.to, mode, slices.Contains(testModes, mode), "one of "+strings.Join(testModes, ", "))
}

func (n *negated) set(value any) string {
	yes, ok := value.(bool)
	return assignIf(n.to, !yes, ok, "true or false")
}

const anAddress = "an address of at most 20 bytes, like 0x10000"

// shortAddress reads addresses that may lack leading zeros.
func shortAddress(value any) (common.Address, bool) {
	text, isText := value.(string)
	if isText && !strings.HasPrefix(text, "0x") && !strings.HasPrefix(text, "0X") && len(text) == 2*common.AddressLength {
		value = "0x" + text
	}
	n, ok := word(value)
	return common.Address(n.Bytes20()), ok && n.BitLen() <= 8*common.AddressLength
}

func (a *account) set(value any) string {
	address, ok := shortAddress(value)
	return assignIf(a.to, address, ok, anAddress)
}

func (a *accounts) set(value any) string {
	items, ok := value.([]any)
	var list []common.Address
	for _, item := range items {
		address, right := shortAddress(item)
		list, ok = append(list, address), ok && right
	}
	return assignIf(a.to, list, ok && len(list) > 0, "a list of addresses, with at least one")
}

func (a *amounts) set(value any) string {
	items, ok := value.([]any)
	var list []uint256.Int
	for _, item := range items {
		n, right := amount(item)
		list, ok = append(list, n), ok && right
	}
	return assignIf(a.to, list, ok, `a list of amounts in wei, like ["1e18", "0"]`)
}

// amount reads a number that may have an exponent; an empty text is 0.
func amount(value any) (n uint256.Int, ok bool) {
	text, isText := value.(string)
	if isText && text == "" {
		return n, true
	}
	if mantissa, exponent, found := strings.Cut(strings.ToLower(text), "e"); found && !strings.HasPrefix(text, "0x") && len(mantissa) < 100 && len(exponent) < 4 {
		exact, ok := new(big.Rat).SetString(text)
		if !ok || !exact.IsInt() || exact.Sign() < 0 || n.SetFromBig(exact.Num()) {
			return uint256.Int{}, false
		}
		return n, true
	}
	return word(value)
}

func (a *arguments) set(value any) (want string) {
	want = `a table like { "Token": { "supply": "1000" } }`
	contracts, ok := value.(map[string]any)
	if !ok {
		return want
	}
	all := map[string]map[string]any{}
	for contract, value := range contracts {
		if all[contract], ok = value.(map[string]any); !ok {
			return want
		}
	}
	*a.to = all
	return ""
}

// set reads [["0x1f", "Token"]], or {"Token": "0x1f"}.
func (p *predeployed) set(value any) (want string) {
	what := "the name of a contract"
	if p.code {
		what = "creation code"
	}
	want = fmt.Sprintf("a list of pairs, an address and %s", what)
	pairs, ok := value.([]any)
	if table, isTable := value.(map[string]any); isTable {
		ok = true
		for _, name := range slices.Sorted(maps.Keys(table)) {
			pairs = append(pairs, []any{table[name], name})
		}
	}
	list := slices.Clone(*p.to)
	for _, item := range pairs {
		pair, _ := item.([]any)
		if len(pair) != 2 {
			return want
		}
		address, right := shortAddress(pair[0])
		text, isText := pair[1].(string)
		deployed := Predeployed{Address: address, Contract: text}
		if p.code {
			deployed = Predeployed{Address: address, Code: common.FromHex(text)}
			right = right && len(deployed.Code) > 0
		}
		list, ok = append(list, deployed), ok && right && isText && text != ""
	}
	return assignIf(p.to, list, ok, want)
}
