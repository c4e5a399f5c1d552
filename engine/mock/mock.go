// Package mock holds contracts that stand in for dependencies which a
// project declares but does not contain: tokens, collections, a vault, wrapped
// ether. They behave as their standards say and nothing more
// [ENGINE.md, section 1].
//
// It knows neither Worlds nor projects: it says which of its contracts has
// the functions that somebody wants, and hands over its creation code. The
// sources are in contracts/, compiled by solc 0.8.30; a test compiles them
// again and compares.
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

// A Contract is one stand-in.
type Contract struct {
	Name    string
	ABI     *input.ABI
	Code    []byte            // creation code; never changed
	Methods map[string]string // signature -> selector in hex
	Actions []string          // signatures that transactions of a campaign call, besides those of the project
	Asset   bool              // the constructor takes the address of a token, not holders
	Each    uint64            // what each first holder owns, in whole units; see Units
	Units   uint64            // smallest units of a whole one
	Home    common.Address    // where it stands on every chain, if it does
	hints   []string          // parameter names that mean it
}

//go:embed contracts/*.json
var files embed.FS

// rows are the stand-ins, in the order in which they are preferred.
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
}

// All returns the stand-ins, in the order in which they are preferred.
var All = sync.OnceValue(func() []*Contract {
	list := make([]*Contract, len(rows))
	for i := range rows {
		c := rows[i]
		c.load()
		list[i] = &c
	}
	return list
})

// compiled is what a file of contracts/ holds.
type compiled struct {
	ABI      json.RawMessage   `json:"abi"`
	Creation string            `json:"creation"`
	Methods  map[string]string `json:"methods"`
}

// load reads what the compiler made. Errors are ours: the files are part of
// the program.
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

// For returns the first stand-in that has all the methods; nil if none has, or
// if none are wanted.
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

// Named returns the stand-in that the name of a parameter of type address
// clearly means, as "_token" or "wethAddress"; nil if it means none.
func Named(parameter string) *Contract {
	name := plain(parameter)
	for _, c := range All() {
		if slices.Contains(c.hints, name) {
			return c
		}
	}
	return nil
}

// Like returns the stand-in that a name may mean if the project has nothing of
// that name, as "tokenA", "collateralToken" or "feeVault"; nil if it means none.
func Like(parameter string) *Contract {
	name := plain(parameter)
	for _, c := range All() {
		for _, hint := range c.hints[:1] {
			rest, begins := strings.CutPrefix(name, hint)
			if strings.HasSuffix(name, hint) || begins && slices.Contains(sides, rest) {
				return c
			}
		}
	}
	return nil
}

// sides tell two of a kind apart.
var sides = []string{"0", "1", "2", "a", "b", "x", "y", "in", "out"}

// plain is a parameter's name without what only says that it is an address.
func plain(parameter string) string {
	name := strings.ToLower(strings.Trim(parameter, "_"))
	for _, affix := range []string{"address", "addr", "contract"} {
		name = strings.Trim(strings.TrimSuffix(name, affix), "_")
	}
	return name
}
