package cheat

import (
	"errors"
	"strings"
	"testing"

	"leveret/engine/input"
)

func TestStrings(t *testing.T) {
	newVM(t).check([]cheatTest{
		{"toString(address)", "(0x7109709ecfa91a80626ff3989d68f67f5b1dd12d)", "0x7109709ECfa91a80626fF3989D68f67F5b1DD12D"},
		{"toString(bytes32)", "(0x7465737400000000000000000000000000000000000000000000000000000000)", "0x7465737400000000000000000000000000000000000000000000000000000000"},
		{"toString(bool)", "(true)", "true"},
		{"toString(bytes)", "(0x7109)", "0x7109"},
		{"toString(uint256)", "(420)", "420"},
		{"toString(int256)", "(-420)", "-420"},
		{"parseBytes(string)", "(0x7109)", "0x7109"},
		{"parseBytes(string)", "(7109)", "0x7109"},
		{"parseBytes(string)", "(710)", "revert: failed parsing \"710\" as type `bytes`"},
		{"parseBytes(string)", "('')", "revert: vm.parseBytes: failed parsing \"\" as type `bytes`"},
		{"parseAddress(string)", "(7109709ecfa91a80626ff3989d68f67f5b1dd12d)", "0x7109709ECfa91a80626fF3989D68f67F5b1DD12D"},
		{"parseAddress(string)", "(0x71)", "revert: invalid string length"},
		{"parseUint(string)", "(420)", "420"},
		{"parseUint(string)", "(0x1A4)", "420"},
		{"parseUint(string)", "(-1)", "revert: expected at least one digit"},
		{"parseUint(string)", "(01a4)", "revert: missing hex prefix"},
		{"parseInt(string)", "(-420)", "-420"},
		{"parseInt(string)", "(-0x8000000000000000000000000000000000000000000000000000000000000000)", "-57896044618658097711785492504343953926634992332820282019728792003956564819968"},
		{"parseInt(string)", "(0x8000000000000000000000000000000000000000000000000000000000000000)", "revert: number too large"},
		{"parseBytes32(string)", "(7465737400000000000000000000000000000000000000000000000000000000)", "0x7465737400000000000000000000000000000000000000000000000000000000"},
		{"parseBool(string)", "(true)", "true"},
		{"parseBool(string)", "(0)", "false"},
		{"parseBool(string)", "(TRUE)", "true"},
		{"parseBool(string)", "(yes)", "revert: failed parsing"},
		{"toLowercase(string)", "('Hello Wörld')", "hello wörld"},
		{"toUppercase(string)", "('Hello World')", "HELLO WORLD"},
		{"trim(string)", "('  Hello  ')", "Hello"},
		{"replace(string,string,string)", "('Hello World', World, Reth)", "Hello Reth"},
		{"replace(string,string,string)", "(ab, '', x)", "xaxbx"},
		{"split(string,string)", "('Hello,World', ',')", `["Hello", "World"]`},
		{"split(string,string)", "('', ',')", `[""]`},
		{"split(string,string)", "(ab, '')", `["", "a", "b", ""]`},
		{"indexOf(string,string)", "('Hello, World!', 'World!')", "7"},
		{"indexOf(string,string)", "('Hello, World!', '')", "0"},
		{"indexOf(string,string)", "('Hello, World!', 'x')", "115792089237316195423570985008687907853269984665640564039457584007913129639935"},
		{"contains(string,string)", "('this is a test', test)", "true"},
		{"contains(string,string)", "('this is a test', foundry)", "false"},
		{"replace(string,string,string)", "(" + strings.Repeat("a", 1<<13) + ", a, " + strings.Repeat("b", 1<<12) + ")", "revert: larger than 16 MB"},
		{"split(string,string)", "(" + strings.Repeat("a", 1<<17) + ", a)", "revert: more than 65536 parts"},
	})
}

func TestCoerce(t *testing.T) {
	const max = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	for _, c := range []struct{ typ, text, want string }{
		{"uint256", max, max},
		{"uint256", "1" + max, ""},
		{"uint8", "256", ""}, {"uint8", "255", "255"}, {"int8", "128", ""}, {"int8", "-128", "-128"}, {"int8", "-129", ""}, {"int8", "+5", "5"}, {"int256", "-0", "0"},
		{"uint256", "1wei", "1"}, {"uint256", "1 wei", "1"}, {"uint256", "1.", ""}, {"uint256", "1.0wei", ""}, {"uint256", "0.1 gwei", "100000000"},
		{"uint256", "1nano", "1000000000"}, {"uint256", "123456.123456789123456789ether", "123456123456789123456789"}, {"uint256", "0.0000000000000000001ether", ""},
		{"uint256", "1abc", ""}, {"uint256", "1 gwei ", ""}, {"uint256", "0b101", "5"}, {"uint256", "0o17", "15"}, {"uint256", "0b102", ""}, {"uint256", "0x", ""},
		{"uint256", "4.2e1", "42"}, {"uint256", "1e18", "1000000000000000000"}, {"uint256", "1e-1", ""}, {"uint256", "1e999", ""}, {"uint256", "1e99999999999999999999", ""}, {"uint256", "", ""},
		{"uint256[]", "[ 1   ether,  10 ether ]", "[1000000000000000000, 10000000000000000000]"}, {"uint256[]", "[]", "[]"}, {"uint256[]", "[1", ""}, {"uint256[]", "[1,]", ""},
		{"uint256[2]", "[1,2]", "[1, 2]"}, {"uint256[2]", "[1]", ""},
		{"(uint256,string)[]", `[(0, "hello"), (4.2e1, 'w,]')]`, `[(0, "hello"), (42, "w,]")]`}, {"(uint256,string)", "(1)", ""},
		{"string", "  a b ", "  a b"}, {"string", `"a" `, ""}, {"string", "'a", ""}, {"string[]", "[a b , c]", `["a b", "c"]`},
		{"bytes2", "0x0102", "0x0102"}, {"bytes2", "0x01", ""}, {"bytes", "0x", "0x"}, {"bool", "tru", ""}, {"function", "0x" + strings.Repeat("11", 24), "0x" + strings.Repeat("11", 24)},
	} {
		typ, err := input.ParseType(c.typ)
		if err != nil {
			t.Fatal(err)
		}
		v, err := coerce(c.text, typ)
		if (err != nil) != (c.want == "") {
			t.Errorf("%q as %s: %v", c.text, c.typ, err)
		} else if err == nil && display(&v) != c.want {
			t.Errorf("%q as %s is %s, want %s", c.text, c.typ, display(&v), c.want)
		}
	}
}

func FuzzCoerce(f *testing.F) {
	types := []string{"uint8", "int256", "bytes3[]", "(string,bool[2])", "address", "function", "bytes"}
	for _, text := range []string{"1.5 ether", "-0x1", "[0x010203]", "('a', [true,false])", "0x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range types {
			typ, _ := input.ParseType(name)
			v, err := coerce(text, typ)
			if err != nil {
				continue
			}
			if err := v.Check(); err != nil {
				t.Errorf("%q as %s: %v", text, name, err)
			}
		}
	})
}

// A fakeHost has an environment, and refuses everything else.
type fakeHost struct {
	Host
	env     map[string]string
	refused error
}

func (h *fakeHost) Env(name string) (string, bool, error) {
	value, set := h.env[name]
	return value, set, h.refused
}

func TestEnv(t *testing.T) {
	v := newVM(t)
	v.Config.Host = &fakeHost{env: map[string]string{"LIST": "1, 2,3", "NAME": "x", "SECRET": "hunter2", "EMPTY": "", "TRUE": "true"}}
	word := "0x0000000000000000000000000000000000000000000000000000000000000001"
	v.check([]cheatTest{
		{"envUint(string,string)", "(LIST, ',')", "[1, 2, 3]"},
		{"envInt(string,string)", "(LIST, ',')", "[1, 2, 3]"},
		{"envString(string,string)", "(LIST, ',')", `["1", "2", "3"]`},
		{"envString(string,string)", "(EMPTY, ',')", "[]"},
		{"envBool(string,string)", "(TRUE, ',')", "[true]"},
		{"envString(string)", "(NAME)", "x"},
		{"envBool(string)", "(TRUE)", "true"},
		{"envUint(string)", "(SECRET)", "revert: failed parsing $SECRET as type `uint256`: expected at least one digit"},
		{"envUint(string,string)", "(SECRET, ',')", "revert: failed parsing a part of $SECRET as type `uint256`"},
		{"envUint(string)", "(ABSENT)", "revert: vm.envUint: environment variable \"ABSENT\" not found"},
		{"envExists(string)", "(ABSENT)", "false"},
		{"envExists(string)", "(NAME)", "true"},
		{"envOr(string,uint256)", "(ABSENT, 5)", "5"},
		{"envOr(string,uint256)", "(SECRET, 5)", "5"},
		{"envOr(string,string)", "(NAME, y)", "x"},
		{"envOr(string,string)", "(ABSENT, y)", "y"},
		{"envOr(string,bool)", "(TRUE, false)", "true"},
		{"envOr(string,int256)", "(ABSENT, -5)", "-5"},
		{"envOr(string,address)", "(ABSENT, " + anvil0 + ")", anvil0},
		{"envOr(string,bytes32)", "(ABSENT, " + word + ")", word},
		{"envOr(string,bytes)", "(ABSENT, 0x01)", "0x01"},
		{"envOr(string,string,uint256[])", "(LIST, ',', [7])", "[1, 2, 3]"},
		{"envOr(string,string,uint256[])", "(ABSENT, ',', [7])", "[7]"},
		{"envOr(string,string,bool[])", "(ABSENT, ',', [true])", "[true]"},
		{"envOr(string,string,int256[])", "(ABSENT, ',', [-1])", "[-1]"},
		{"envOr(string,string,address[])", "(ABSENT, ',', [])", "[]"},
		{"envOr(string,string,bytes32[])", "(ABSENT, ',', [])", "[]"},
		{"envOr(string,string,string[])", "(ABSENT, ',', [a])", `["a"]`},
		{"envOr(string,string,bytes[])", "(ABSENT, ',', [0x01])", "[0x01]"},
		{"setEnv(string,string)", "(NAME, " + anvil0 + ")", ""},
		{"envAddress(string)", "(NAME)", anvil0},
		{"envAddress(string,string)", "(NAME, ',')", "[" + anvil0 + "]"},
		{"envBytes(string)", "(NAME)", strings.ToLower(anvil0)},
		{"envBytes(string,string)", "(NAME, ',')", "[" + strings.ToLower(anvil0) + "]"},
		{"setEnv(string,string)", "(NAME, " + word + ")", ""},
		{"envBytes32(string)", "(NAME)", word},
		{"envBytes32(string,string)", "(NAME, ',')", "[" + word + "]"},
		{"envInt(string)", "(NAME)", "1"},
		{"resolveEnv(string)", "('a ${ NAME } ${TRUE} $TRUE')", "a " + word + " true $TRUE"},
		{"resolveEnv(string)", "('${ABSENT}')", "revert: failed to resolve env var: environment variable \"ABSENT\" not found"},
		{"setEnv(string,string)", "('', a)", "revert: key can't be empty"},
		{"setEnv(string,string)", "('a=b', a)", "revert: equal sign"},
		{"isContext(uint8)", "(0)", "true"},
		{"isContext(uint8)", "(1)", "true"},
		{"isContext(uint8)", "(2)", "false"},
	})
	for _, host := range []Host{nil, &fakeHost{env: map[string]string{"OTHER": "1"}, refused: errors.New("only in trusted projects")}} {
		v.Config.Host = host
		for signature, args := range map[string]string{"envUint(string)": "(OTHER)", "envOr(string,uint256)": "(OTHER, 1)", "envExists(string)": "(OTHER)", "resolveEnv(string)": "('${OTHER}')"} {
			if got, ok := v.try(signature, args); ok {
				t.Errorf("%s gives %s although the host refuses", signature, got)
			}
		}
		v.check([]cheatTest{{"envInt(string)", "(NAME)", "1"}}) // of setEnv
	}
}
