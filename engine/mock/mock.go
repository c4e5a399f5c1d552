// Package mock has contracts that replace dependencies which a project declares
// but does not contain: tokens, collections, a vault, wrapped ether. They
// implement their standards and nothing more.
//
// It knows neither Worlds nor projects: it finds the mock with the functions of
// an interface and provides its creation code. The sources are in contracts/,
// compiled by solc 0.8.30; a test compiles them again and compares.
package mock

import (
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A Contract is one mock.
type Contract struct {
	Name    string
	ABI     *input.ABI
	Code    []byte            // creation code; never changed
	Methods map[string]string // signature -> selector in hex
	Actions []string          // signatures that transactions of a campaign call, besides those of the project
	Asset   bool              // the constructor takes the address of a token, not holders
	Each    uint64            // balance of each initial holder in whole units; see Units
	Units   uint64            // smallest units per whole unit
	Home    common.Address    // its address on all chains, if it has one
	hints   []string          // parameter names that refer to it
}

//go:embed contracts/*.json
var files embed.FS

// rows are the mocks in order of preference.
var rows = []Contract{
	{
		Name: "ERC20", Each: 1_000_000_000, Units: 1e18, Actions: []string{"transfer(address,uint256)", "approve(address,uint256)"},
		hints: []string{"token", "erc20", "asset", "currency", "underlying", "stakingtoken", "rewardtoken", "rewardstoken", "paymenttoken", "usdc", "usdt", "dai"},
	},
	{
		Name: "WETH", Actions: []string{"deposit()", "transfer(address,uint256)", "approve(address,uint256)", "withdraw(uint256)"},
		hints: []string{"weth", "weth9", "wrappednative", "wnative"},
	},
	{
		Name: "ERC721", Each: 3, Units: 1,
		Actions: []string{"approve(address,uint256)", "setApprovalForAll(address,bool)", "safeTransferFrom(address,address,uint256)"},
		hints:   []string{"nft", "erc721", "collection"},
	},
	{
		Name: "ERC1155", Each: 1_000_000, Units: 1,
		Actions: []string{"setApprovalForAll(address,bool)", "safeTransferFrom(address,address,uint256,uint256,bytes)"},
		hints:   []string{"erc1155"},
	},
	{
		Name: "ERC4626", Asset: true,
		Actions: []string{"deposit(uint256,address)", "transfer(address,uint256)", "approve(address,uint256)", "redeem(uint256,address,address)"},
		hints:   []string{"vault", "erc4626"},
	},
	{Name: "ERC1820", hints: []string{"erc1820", "erc1820registry"}, Home: common.HexToAddress("0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24")},
	{Name: "Anything"},
	{Name: "Answers"},
}

// Anything returns the mock that takes every call, in place of a contract that
// only an interface describes.
func Anything() *Contract { return Find("Anything") }

// Answers returns the mock that answers what its function AnswerSignature tells it.
func Answers() *Contract { return Find("Answers") }

// Silent reports whether the mock never calls another contract: it stands for one that may
// do anything, and does nothing but answer.
func (c *Contract) Silent() bool { return c.Name == Anything().Name || c.Name == Answers().Name }

// AnswerSignature is the function of Answers that takes the selector of a function
// and what that returns, encoded.
const AnswerSignature = "answer(bytes4,bytes)"

// All returns the mocks in order of preference.
var All = sync.OnceValue(func() []*Contract {
	list := make([]*Contract, len(rows))
	for i := range rows {
		c := rows[i]
		c.load()
		list[i] = &c
	}
	return list
})

// compiled is the content of a file in contracts/.
type compiled struct {
	ABI      json.RawMessage   `json:"abi"`
	Creation string            `json:"creation"`
	Methods  map[string]string `json:"methods"`
}

// load reads the compiler's output. It panics on errors, because the files are
// embedded.
func (c *Contract) load() {
	data, err := files.ReadFile("contracts/" + c.Name + ".json")
	if err != nil {
		panic(err)
	}
	var file compiled
	if err := json.Unmarshal(data, &file); err != nil {
		panic(fmt.Sprintf("mock: %s: %v", c.Name, err))
	}
	if c.Code, err = hex.DecodeString(file.Creation); err != nil {
		panic(fmt.Sprintf("mock: %s: %v", c.Name, err))
	}
	if c.ABI, err = input.ParseABI(file.ABI); err != nil {
		panic(fmt.Sprintf("mock: %s: %v", c.Name, err))
	}
	c.Methods = file.Methods
}

// For returns the first mock that has all the methods; nil if there is none, or
// for no methods.
func For(methods map[string]string) *Contract {
	if len(methods) == 0 {
		return nil
	}
	for _, c := range All() {
		if c.has(methods) {
			return c
		}
	}
	return nil
}

func (c *Contract) has(methods map[string]string) bool {
	for signature := range methods {
		if c.Methods[signature] == "" {
			return false
		}
	}
	return true
}

// Named returns the mock that the name of an address parameter refers to, such
// as "_token" or "wethAddress"; nil if there is none.
func Named(parameter string) *Contract {
	name := plain(parameter)
	for _, c := range All() {
		if slices.Contains(c.hints, name) {
			return c
		}
	}
	return nil
}

// Like returns the mock that a name may refer to if no contract of the project
// has it, such as "tokenA", "collateralToken" or "feeVault"; nil if there is
// none.
func Like(parameter string) *Contract {
	name := plain(parameter)
	for _, c := range All() {
		for _, hint := range c.hints[:min(1, len(c.hints))] {
			rest, begins := strings.CutPrefix(name, hint)
			if strings.HasSuffix(name, hint) || begins && slices.Contains(sides, rest) {
				return c
			}
		}
	}
	return nil
}

// sides are suffixes of pairs.
var sides = []string{"0", "1", "2", "a", "b", "x", "y", "in", "out"}

// plain is a parameter's name without affixes like "address".
func plain(parameter string) string {
	name := strings.ToLower(strings.Trim(parameter, "_"))
	for _, affix := range []string{"address", "addr", "contract"} {
		name = strings.Trim(strings.TrimSuffix(name, affix), "_")
	}
	return name
}
