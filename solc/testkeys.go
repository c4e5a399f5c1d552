package solc

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A testKey is a key of foundry.toml about tests.
type testKey struct {
	name   string                  // with its section, "fuzz.runs"
	inline bool                    // also in forge-config comments: forge applies those after the chain is set up, so not to its values
	field  func(c *TestConfig) any // pointer to what it sets; its type says which values are right, see setValue
}

// testKeys lists the keys about tests, with forge's names (crates/config).
var testKeys = []testKey{
	{"sender", true, func(c *TestConfig) any { return &c.Chain.Sender }},
	{"tx_origin", false, func(c *TestConfig) any { return &c.Chain.Origin }},
	{"initial_balance", false, func(c *TestConfig) any { return &c.Chain.InitialBalance }},
	{"chain_id", false, func(c *TestConfig) any { return (*chainID)(&c.Chain.ChainID) }},
	{"chain", false, func(c *TestConfig) any { return (*chainID)(&c.Chain.ChainID) }},
	{"gas_price", false, func(c *TestConfig) any { return &c.Chain.GasPrice }},
	{"block_number", false, func(c *TestConfig) any { return &c.Chain.Number }},
	{"block_timestamp", false, func(c *TestConfig) any { return &c.Chain.Timestamp }},
	{"block_base_fee_per_gas", false, func(c *TestConfig) any { return &c.Chain.BaseFee }},
	{"block_coinbase", false, func(c *TestConfig) any { return &c.Chain.Coinbase }},
	{"block_difficulty", false, func(c *TestConfig) any { return &c.Chain.Difficulty }},
	{"block_prevrandao", false, func(c *TestConfig) any { return &c.Chain.PrevRandao }},
	{"gas_limit", false, func(c *TestConfig) any { return &c.Chain.GasLimit }},
	{"block_gas_limit", false, func(c *TestConfig) any { return &c.Chain.BlockGasLimit }},
	{"code_size_limit", false, func(c *TestConfig) any { return &c.Chain.CodeSizeLimit }},
	{"memory_limit", false, func(c *TestConfig) any { return &c.Chain.MemoryLimit }},
	{"disable_block_gas_limit", false, func(c *TestConfig) any { return &c.Chain.NoBlockGasLimit }},
	{"enable_tx_gas_limit", false, func(c *TestConfig) any { return &c.Chain.TxGasLimit }},
	{"evm_version", true, func(c *TestConfig) any { return (*evmVersion)(&c.Chain.EVMVersion) }},
	{"hardfork", true, func(c *TestConfig) any { return (*evmVersion)(&c.Chain.EVMVersion) }}, // after evm_version, which it overrides
	{"create2_deployer", false, func(c *TestConfig) any { return &c.Chain.Create2Deployer }},

	{"fuzz.runs", true, func(c *TestConfig) any { return &c.Fuzz.Runs }},
	{"fuzz.fail_on_revert", true, func(c *TestConfig) any { return &c.Fuzz.FailOnRevert }},
	{"fuzz.max_test_rejects", true, func(c *TestConfig) any { return &c.Fuzz.MaxTestRejects }},
	{"fuzz.seed", true, func(c *TestConfig) any { return &c.Fuzz.Seed }},
	{"fuzz.dictionary_weight", true, func(c *TestConfig) any { return &c.Fuzz.Dictionary.Weight }},
	{"fuzz.include_storage", true, func(c *TestConfig) any { return &c.Fuzz.Dictionary.Storage }},
	{"fuzz.include_push_bytes", true, func(c *TestConfig) any { return &c.Fuzz.Dictionary.PushBytes }},
	{"fuzz.failure_persist_dir", true, func(c *TestConfig) any { return &c.Fuzz.FailureDir }},
	{"fuzz.corpus_dir", true, func(c *TestConfig) any { return &c.Fuzz.CorpusDir }},
	{"fuzz.show_logs", true, func(c *TestConfig) any { return &c.Fuzz.ShowLogs }},
	{"fuzz.timeout", true, func(c *TestConfig) any { return (*seconds)(&c.Fuzz.Timeout) }},

	{"invariant.runs", true, func(c *TestConfig) any { return &c.Invariant.Runs }},
	{"invariant.depth", true, func(c *TestConfig) any { return &c.Invariant.Depth }},
	{"invariant.fail_on_revert", true, func(c *TestConfig) any { return &c.Invariant.FailOnRevert }},
	{"invariant.call_override", true, func(c *TestConfig) any { return &c.Invariant.CallOverride }},
	{"invariant.dictionary_weight", true, func(c *TestConfig) any { return &c.Invariant.Dictionary.Weight }},
	{"invariant.include_storage", true, func(c *TestConfig) any { return &c.Invariant.Dictionary.Storage }},
	{"invariant.include_push_bytes", true, func(c *TestConfig) any { return &c.Invariant.Dictionary.PushBytes }},
	{"invariant.shrink_run_limit", true, func(c *TestConfig) any { return &c.Invariant.ShrinkRunLimit }},
	{"invariant.max_assume_rejects", true, func(c *TestConfig) any { return &c.Invariant.MaxAssumeRejects }},
	{"invariant.failure_persist_dir", true, func(c *TestConfig) any { return &c.Invariant.FailureDir }},
	{"invariant.corpus_dir", true, func(c *TestConfig) any { return &c.Invariant.CorpusDir }},
	{"invariant.show_metrics", true, func(c *TestConfig) any { return &c.Invariant.ShowMetrics }},
	{"invariant.show_solidity", true, func(c *TestConfig) any { return &c.Invariant.ShowSolidity }},
	{"invariant.timeout", true, func(c *TestConfig) any { return (*seconds)(&c.Invariant.Timeout) }},
	{"invariant.max_time_delay", true, func(c *TestConfig) any { return &c.Invariant.MaxTimeDelay }},
	{"invariant.max_block_delay", true, func(c *TestConfig) any { return &c.Invariant.MaxBlockDelay }},
	{"invariant.check_interval", true, func(c *TestConfig) any { return &c.Invariant.CheckInterval }},

	{"ffi", false, func(c *TestConfig) any { return &c.Cheats.FFI }},
	{"fs_permissions", true, func(c *TestConfig) any { return &c.Cheats.Permissions }},
	{"broadcast", false, func(c *TestConfig) any { return &c.Cheats.Broadcasts }},
	{"prompt_timeout", true, func(c *TestConfig) any { return (*seconds)(&c.Cheats.PromptTimeout) }},
	{"allow_internal_expect_revert", true, func(c *TestConfig) any { return &c.Cheats.InternalExpectRevert }},
	{"assertions_revert", true, func(c *TestConfig) any { return &c.Cheats.AssertionsRevert }},
	{"always_use_create_2_factory", true, func(c *TestConfig) any { return &c.Cheats.Create2Factory }},
	{"unchecked_cheatcode_artifacts", false, func(c *TestConfig) any { return &c.Cheats.UncheckedArtifacts }},

	{"eth_rpc_url", false, func(c *TestConfig) any { return &c.Fork.URL }},
	{"fork_block_number", false, func(c *TestConfig) any { return &c.Fork.Block }},
	{"rpc_endpoints", true, func(c *TestConfig) any { return &c.Fork.Endpoints }},

	{"match_test", false, func(c *TestConfig) any { return &c.Filter.MatchTest }},
	{"no_match_test", false, func(c *TestConfig) any { return &c.Filter.NoMatchTest }},
	{"match_contract", false, func(c *TestConfig) any { return &c.Filter.MatchContract }},
	{"no_match_contract", false, func(c *TestConfig) any { return &c.Filter.NoMatchContract }},
	{"match_path", false, func(c *TestConfig) any { return &c.Filter.MatchPath }},
	{"no_match_path", false, func(c *TestConfig) any { return &c.Filter.NoMatchPath }},
	{"skip", false, func(c *TestConfig) any { return &c.Filter.Skip }},

	{"libraries", false, func(c *TestConfig) any { return &c.Libraries }},
	{"labels", true, func(c *TestConfig) any { return &c.Labels }},
	{"isolate", true, func(c *TestConfig) any { return &c.Isolate }},
	{"legacy_assertions", true, func(c *TestConfig) any { return &c.LegacyAssertions }},
}

// TestKeys returns the names of the keys about tests that foundry.toml may have,
// "fuzz.runs" for one of a section.
func TestKeys() []string {
	var names []string
	for _, k := range testKeys {
		names = append(names, k.name)
	}
	return names
}

// A BadValue is a value of the wrong type or out of range. It is no error of the
// others: its key keeps the value that it had.
type BadValue struct {
	Key   string // "fuzz.runs"
	Value any    // as parsed
	Want  string // what is right, "a whole number from 0 to 4294967295"
}

// Error says what is wrong and what would be right.
func (b *BadValue) Error() string {
	value := fmt.Sprintf("%#v", b.Value)
	const most = 60
	if _, text := b.Value.(string); len(value) > most || !text && strings.ContainsAny(value, "{[") || strings.Contains(value, "://") {
		value = "its value" // a URL may have a key in it
	}
	return fmt.Sprintf("%s: %s is not %s", b.Key, value, b.Want)
}

// With returns c with the values of the keys of a profile; a section is a table
// in it. Keys that are not about tests are skipped. profiles are all that are
// declared.
func (c TestConfig) With(profile string, profiles []string, keys map[string]any) (TestConfig, []*BadValue) {
	c = c.withProfiles(profiles)
	c.Profile = cmp.Or(profile, "default")
	if !slices.Contains(c.Profiles, c.Profile) {
		c.Profile = "default"
	}
	return c.set(keys, false)
}

// set returns c with the values of keys, with those alone that comments may set
// if inline.
func (c TestConfig) set(keys map[string]any, inline bool) (TestConfig, []*BadValue) {
	c = c.clone()
	var bad []*BadValue
	for _, k := range testKeys {
		if inline && !k.inline {
			continue
		}
		if wrong := setKey(keys, k.name, k.field(&c)); wrong != nil {
			bad = append(bad, wrong)
		}
	}
	return c, bad
}

// setKey sets what a pointer points to, from the key with a name, "fuzz.runs" for
// one in a table. Missing and null values change nothing.
func setKey(keys map[string]any, name string, to any) *BadValue {
	value := any(keys)
	for part := range strings.SplitSeq(name, ".") {
		table, _ := value.(map[string]any)
		value = table[part]
	}
	if value == nil {
		return nil
	}
	if want := setValue(to, value); want != "" {
		return &BadValue{name, value, want}
	}
	return nil
}

type (
	seconds    time.Duration
	chainID    uint64
	evmVersion string
)

// setValue sets what a pointer points to. If the value is wrong, it changes
// nothing and returns what would be right. Numbers may be numbers of TOML or
// JSON, or text, as forge prints those that do not fit into 64 bits.
func setValue(to, value any) (want string) {
	switch to := to.(type) {
	case *bool:
		return assign(to, value, "true or false")
	case *string:
		return assign(to, value, "a text")
	case *EndpointURL:
		text, ok := value.(string)
		return assignIf(to, EndpointURL(text), ok, "the URL of a node")
	case *uint32:
		n, ok := whole(value, 32)
		return assignIf(to, uint32(n), ok, "a whole number from 0 to 4294967295")
	case *uint64:
		n, ok := whole(value, 64)
		return assignIf(to, n, ok, "a whole number from 0 to 18446744073709551615, or max")
	case **uint64:
		n, ok := whole(value, 64)
		return assignIf(to, &n, ok, "a whole number from 0 to 18446744073709551615")
	case *Percent:
		n, ok := whole(value, 32)
		return assignIf(to, Percent(n), ok && n <= 100, "a percentage from 0 to 100")
	case *seconds:
		n, ok := whole(value, 32)
		return assignIf(to, seconds(time.Duration(n)*time.Second), ok, "a number of seconds")
	case *uint256.Int:
		n, ok := word(value)
		return assignIf(to, n, ok, "a number of at most 256 bits")
	case **uint256.Int:
		n, ok := word(value)
		return assignIf(to, &n, ok, "a number of at most 256 bits")
	case *common.Address:
		a, ok := address(value)
		return assignIf(to, a, ok, "an address: 0x and 40 hexadecimal digits")
	case *common.Hash:
		text, _ := value.(string)
		b := common.FromHex(text)
		return assignIf(to, common.BytesToHash(b), len(b) == common.HashLength, "32 bytes: 0x and 64 hexadecimal digits")
	case *chainID:
		return to.set(value)
	case *evmVersion:
		return to.set(value)
	case *[]string:
		list, ok := texts(value)
		return assignIf(to, list, ok, "a list of texts")
	case *[]FilePermission:
		return setPermissions(to, value)
	case *[]LibraryAddress:
		return setLibraries(to, value)
	case *map[string]Endpoint:
		return setEndpoints(to, value)
	case *map[common.Address]string:
		return setLabels(to, value)
	case harnessValue:
		return to.set(value)
	}
	panic(fmt.Sprintf("no values for %T", to))
}

func assign[T any](to *T, value any, want string) string {
	v, ok := value.(T)
	return assignIf(to, v, ok, want)
}

func assignIf[T any](to *T, value T, ok bool, want string) string {
	if !ok {
		return want
	}
	*to = value
	return ""
}

// whole returns a number from 0 to 2^bits-1. The text "max" is the largest one.
func whole(value any, bits int) (uint64, bool) {
	n, ok := word(value)
	if text, isText := value.(string); isText && strings.EqualFold(text, "max") {
		return 1<<bits - 1, true
	}
	return n.Uint64(), ok && n.BitLen() <= bits
}

// word returns a number from 0 to 2^256-1.
func word(value any) (n uint256.Int, ok bool) {
	switch v := value.(type) {
	case int64:
		return *uint256.NewInt(uint64(max(v, 0))), v >= 0
	case float64: // a number of JSON
		if v < 0 || v >= 1<<63 || v != math.Trunc(v) {
			return uint256.Int{}, false
		}
		return *uint256.NewInt(uint64(v)), true
	case string:
		const most = 100 // digits
		parsed, ok := new(big.Int).SetString(v[:min(len(v), most)], 0)
		if !ok || len(v) > most || parsed.Sign() < 0 || n.SetFromBig(parsed) {
			return uint256.Int{}, false
		}
		return n, true
	}
	return uint256.Int{}, false
}

func address(value any) (common.Address, bool) {
	text, _ := value.(string)
	return common.HexToAddress(text), common.IsHexAddress(text)
}

func texts(value any) ([]string, bool) {
	if one, ok := value.(string); ok {
		return []string{one}, true
	}
	items, ok := value.([]any)
	list := make([]string, 0, len(items))
	for _, item := range items {
		text, isText := item.(string)
		list, ok = append(list, text), ok && isText
	}
	return list, ok
}

// chains lists names of chains that forge knows. Others are told by number.
var chains = map[string]uint64{
	"mainnet": 1, "ethereum": 1, "sepolia": 11155111, "holesky": 17000, "hoodi": 560048,
	"optimism": 10, "optimism-sepolia": 11155420, "arbitrum": 42161, "arbitrum-sepolia": 421614, "base": 8453, "base-sepolia": 84532,
	"polygon": 137, "bsc": 56, "gnosis": 100, "avalanche": 43114, "linea": 59144, "scroll": 534352, "celo": 42220,
	"dev": DevChainID, "anvil": DevChainID, "hardhat": DevChainID, "anvil-hardhat": DevChainID,
}

func (c *chainID) set(value any) (want string) {
	if name, ok := value.(string); ok {
		if id := chains[strings.ReplaceAll(strings.ToLower(name), "_", "-")]; id != 0 {
			*c = chainID(id)
			return ""
		}
	}
	n, ok := whole(value, 64)
	return assignIf(c, chainID(n), ok, "the number of a chain, or the name of a well-known one")
}

// hardforks are those that tests may name, as the compiler and as forge calls them.
var hardforks = []string{
	"frontier", "homestead", "tangerine", "tangerinewhistle", "spurious", "spuriousdragon", "byzantium", "constantinople", "petersburg",
	"istanbul", "muirglacier", "berlin", "london", "merge", "paris", "shanghai", "cancun", "prague", "osaka",
}

// set takes names in any case; hardfork may name the network, "ethereum:cancun".
func (e *evmVersion) set(value any) (want string) {
	text, _ := value.(string)
	text = strings.TrimPrefix(strings.ToLower(text), "ethereum:")
	return assignIf(e, evmVersion(text), slices.Contains(hardforks, text), "the name of an EVM version, such as cancun")
}

// setPermissions reads [{ access = "read-write", path = "./" }].
func setPermissions(to *[]FilePermission, value any) (want string) {
	want = `a list like [{ access = "read", path = "./" }]; access is read, write, read-write or none`
	items, ok := value.([]any)
	if !ok {
		return want
	}
	list := []FilePermission{}
	for _, item := range items {
		keys, _ := item.(map[string]any)
		path, ok := keys["path"].(string)
		p := FilePermission{Path: path}
		switch keys["access"] {
		case true, "true", "read-write", "readwrite":
			p.Read, p.Write = true, true
		case "read":
			p.Read = true
		case "write":
			p.Write = true
		case false, "false", "none":
		default:
			ok = false
		}
		if !ok {
			return want
		}
		list = append(list, p)
	}
	*to = list
	return ""
}

// setLibraries reads ["src/L.sol:L:0x…"].
func setLibraries(to *[]LibraryAddress, value any) (want string) {
	want = `a list like ["src/Library.sol:Library:0x…"]`
	entries, ok := texts(value)
	if !ok {
		return want
	}
	var list []LibraryAddress
	for _, entry := range entries {
		at := strings.LastIndexByte(entry, ':')
		name := strings.LastIndexByte(entry[:max(at, 0)], ':')
		if name <= 0 || name+1 == at || !common.IsHexAddress(entry[at+1:]) {
			return want
		}
		list = append(list, LibraryAddress{File: strings.TrimPrefix(entry[:name], "./"), Name: entry[name+1 : at], Address: common.HexToAddress(entry[at+1:])})
	}
	*to = list
	return ""
}

// setEndpoints reads { name = "https://…" }, or tables with endpoint or
// endpoints, auth, retries and retry_backoff, and adds them.
func setEndpoints(to *map[string]Endpoint, value any) (want string) {
	want = `a table like { mainnet = "${RPC_URL}" }`
	table, ok := value.(map[string]any)
	if !ok {
		return want
	}
	all := map[string]Endpoint{}
	maps.Copy(all, *to)
	for name, value := range table {
		e, ok := readEndpoint(value)
		if !ok {
			return want + "; " + strconv.Quote(name) + " is none"
		}
		all[name] = e
	}
	*to = all
	return ""
}

func readEndpoint(value any) (e Endpoint, ok bool) {
	keys, isTable := value.(map[string]any)
	if !isTable {
		url, ok := value.(string)
		return Endpoint{URLs: []EndpointURL{EndpointURL(url)}}, ok
	}
	several, _ := texts(keys["endpoints"])
	for _, key := range []string{"endpoint", "url"} {
		if one, ok := keys[key].(string); ok {
			several = append(several, one)
		}
	}
	for _, url := range several {
		e.URLs = append(e.URLs, EndpointURL(url))
	}
	for key, field := range map[string]any{"auth": &e.Auth, "retries": &e.Retries} {
		if keys[key] != nil && setValue(field, keys[key]) != "" {
			return e, false
		}
	}
	if milliseconds, ok := whole(keys["retry_backoff"], 32); ok {
		e.Backoff = time.Duration(milliseconds) * time.Millisecond
	}
	return e, len(e.URLs) > 0
}

// setLabels reads { "0x…" = "name" } and adds the names.
func setLabels(to *map[common.Address]string, value any) (want string) {
	want = `a table like { "0x…" = "name" }`
	table, ok := value.(map[string]any)
	if !ok {
		return want
	}
	all := map[common.Address]string{}
	maps.Copy(all, *to)
	for key, value := range table {
		name, ok := value.(string)
		if !ok || !common.IsHexAddress(key) {
			return want
		}
		all[common.HexToAddress(key)] = name
	}
	*to = all
	return ""
}
