package cheat

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"leveret/engine/input"
)

// abiHex returns abi.encode of a value.
func abiHex(t *testing.T, typ, text string) string {
	t.Helper()
	parsed, err := input.ParseType(typ)
	if err != nil {
		t.Fatal(err)
	}
	v, err := coerce(text, parsed)
	if err != nil {
		t.Fatal(err)
	}
	return hexutil.Encode(input.AppendValues(nil, []input.Value{v}))
}

const (
	maxUint  = "115792089237316195423570985008687907853269984665640564039457584007913129639935"
	jsonText = `{"basicString": "hai", "null": null, "stringArray": ["hai", "there"], // a comment
"address": "` + anvil0 + `", "H160NotAddress": "0000000000000000000000000000000000001337", "boolArray": [true, false], "boolString": "true",
"uintNumber": ` + maxUint + `, "uintString": "` + maxUint + `", "uintHex": "0x12C980", "uintArray": [42, 43], "mixed": [1231232, "0x12C980", "1231232"],
"intNumber": -12, "intString": "-12", "intHex": "-0xC", "bytesString": "0x01", "bytesArray": ["0x01", "0x02"], "big": 1e20, "fraction": 1.5,
"nested": {"str": "NEST", "number": 7}, /* another one */ "list": [{ "id": 1 }, { "id": 2 }], "a-b": {"31337": "x y"}, "empty": [], "short": "0x123", "odd": "0x000000000000000000000000000000000001337",
"word": "0x1111111111111111111111111111111111111111111111111111111111111111"}`
)

func TestParseJSON(t *testing.T) {
	in := "('" + jsonText + "', "
	whole := "('{\"b\": 1, \"a\": {\"y\": \"t\", \"x\": true}}'"
	newVM(t).check([]cheatTest{
		{"parseJson(string,string)", in + "'.basicString')", abiHex(t, "string", "hai")},
		{"parseJson(string,string)", in + "'$.basicString')", abiHex(t, "string", "hai")},
		{"parseJson(string,string)", in + "'.null')", abiHex(t, "uint256", "0")},
		{"parseJson(string,string)", in + "'.stringArray')", abiHex(t, "string[]", "[hai, there]")},
		{"parseJson(string,string)", in + "'.address')", abiHex(t, "address", anvil0)},
		{"parseJson(string,string)", in + "'.H160NotAddress')", abiHex(t, "string", "0000000000000000000000000000000000001337")},
		{"parseJson(string,string)", in + "'.boolArray')", abiHex(t, "bool[]", "[true, false]")},
		{"parseJson(string,string)", in + "'.uintNumber')", abiHex(t, "uint256", maxUint)},
		{"parseJson(string,string)", in + "'.uintString')", abiHex(t, "uint256", maxUint)},
		{"parseJson(string,string)", in + "'.intNumber')", abiHex(t, "int256", "-12")},
		{"parseJson(string,string)", in + "'.intString')", abiHex(t, "string", "-12")},
		{"parseJson(string,string)", in + "'.big')", abiHex(t, "uint256", "1e20")},
		{"parseJson(string,string)", in + "'.short')", abiHex(t, "bytes", "0x0123")},
		{"parseJson(string,string)", in + "'.word')", abiHex(t, "bytes32", "0x1111111111111111111111111111111111111111111111111111111111111111")},
		{"parseJson(string,string)", in + "'.odd')", "revert: If you want to specify address, prepend zero to the value."},
		{"parseJson(string,string)", in + "'.fraction')", "revert: unsupported JSON number: 1.5"},
		{"parseJson(string,string)", in + "'.nested')", abiHex(t, "(uint256,string)", "(7, NEST)")},
		{"parseJson(string,string)", in + "'.list[*].id')", abiHex(t, "uint256[]", "[1, 2]")},
		{"parseJson(string,string)", in + "'.list[1].id')", abiHex(t, "uint256", "2")},
		{"parseJson(string,string)", in + "'.list')", abiHex(t, "(uint256)[]", "[(1), (2)]")},
		{"parseJson(string,string)", in + "'.absent')", "0x"},
		{"parseJson(string,string)", whole + ", '.')", abiHex(t, "((bool,string),uint256)", "((true, t), 1)")},
		{"parseJson(string)", whole + ")", abiHex(t, "((bool,string),uint256)", "((true, t), 1)")},
		{"parseJson(string)", "('{')", "revert: vm.parseJson: failed parsing JSON"},
		{"parseJson(string)", "('{} {}')", "revert: trailing characters"},
		{"parseJson(string,string)", whole + ", '$.b[1:2:9223372036854775807]')", "0x"},
		{"parseJson(string)", "('/* ')", "revert: unterminated block comment"},
		{"parseJson(string)", "('" + strings.Repeat("[", 100_000) + "')", "revert: recursion limit exceeded"},
		{"parseJsonUint(string,string)", in + "'.uintHex')", "1231232"},
		{"parseJsonUint(string,string)", in + "'.uintString')", maxUint},
		{"parseJsonUint(string,string)", in + "'.nested')", "revert: expected uint256, found JSON object"},
		{"parseJsonUint(string,string)", in + "'.uintArray')", "revert: expected uint256, found array"},
		{"parseJsonUint(string,string)", in + "'.absent')", "revert: path \".absent\" must return exactly one JSON value"},
		{"parseJsonUint(string,string)", in + "'.list[*].id')", "revert: must return exactly one JSON value"},
		{"parseJsonUint(string,string,uint256)", in + "'.absent', 42)", "42"},
		{"parseJsonUint(string,string,uint256)", in + "'.uintHex', 42)", "1231232"},
		{"parseJsonUintArray(string,string)", in + "'.mixed')", "[1231232, 1231232, 1231232]"},
		{"parseJsonUintArray(string,string,uint256[])", in + "'.absent', [42])", "[42]"},
		{"parseJsonInt(string,string)", in + "'.intNumber')", "-12"},
		{"parseJsonInt(string,string)", in + "'.intHex')", "-12"},
		{"parseJsonInt(string,string,int256)", in + "'.absent', -1)", "-1"},
		{"parseJsonIntArray(string,string)", in + "'.uintArray')", "[42, 43]"},
		{"parseJsonIntArray(string,string,int256[])", in + "'.absent', [])", "[]"},
		{"parseJsonBool(string,string)", in + "'.boolString')", "true"},
		{"parseJsonBool(string,string,bool)", in + "'.absent', true)", "true"},
		{"parseJsonBoolArray(string,string)", in + "'.boolArray')", "[true, false]"},
		{"parseJsonBoolArray(string,string,bool[])", in + "'.absent', [])", "[]"},
		{"parseJsonAddress(string,string)", in + "'.address')", anvil0},
		{"parseJsonAddress(string,string,address)", in + "'.absent', " + anvil0 + ")", anvil0},
		{"parseJsonAddressArray(string,string)", in + "'.empty')", "[]"},
		{"parseJsonAddressArray(string,string,address[])", in + "'.absent', [])", "[]"},
		{"parseJsonString(string,string)", in + "'.basicString')", "hai"},
		{"parseJsonString(string,string)", in + "'.intNumber')", "-12"},
		{"parseJsonString(string,string)", in + "'.a-b.31337')", "x y"},
		{"parseJsonString(string,string,string)", in + "'.absent', d)", "d"},
		{"parseJsonStringArray(string,string)", in + "'.stringArray')", `["hai", "there"]`},
		{"parseJsonStringArray(string,string,string[])", in + "'.absent', [])", "[]"},
		{"parseJsonBytes(string,string)", in + "'.bytesString')", "0x01"},
		{"parseJsonBytes(string,string,bytes)", in + "'.absent', 0x02)", "0x02"},
		{"parseJsonBytesArray(string,string)", in + "'.bytesArray')", "[0x01, 0x02]"},
		{"parseJsonBytesArray(string,string,bytes[])", in + "'.absent', [0x05])", "[0x05]"},
		{"parseJsonBytes32(string,string)", in + "'.word')", "0x1111111111111111111111111111111111111111111111111111111111111111"},
		{"parseJsonBytes32(string,string,bytes32)", in + "'.absent', 0x1111111111111111111111111111111111111111111111111111111111111111)", "0x1111111111111111111111111111111111111111111111111111111111111111"},
		{"parseJsonBytes32Array(string,string)", in + "'.empty')", "[]"},
		{"parseJsonBytes32Array(string,string,bytes32[])", in + "'.absent', [])", "[]"},
		{"parseJsonKeys(string,string)", whole + ", '$')", `["b", "a"]`},
		{"parseJsonKeys(string,string)", in + "'.nested')", `["str", "number"]`},
		{"parseJsonKeys(string,string)", in + "'.basicString')", "revert: JSON value at \".basicString\" is not an object"},
		{"parseJsonKeys(string,string)", in + "'.*')", "revert: key \".*\" must return exactly one JSON object"},
		{"parseJsonArrayLength(string,string)", in + "'.uintArray')", "2"},
		{"parseJsonArrayLength(string,string)", in + "'.empty')", "0"},
		{"parseJsonArrayLength(string,string)", in + "'.nested')", "revert: JSON value at \".nested\" is not an array"},
		{"parseJsonArrayLength(string,string)", in + "'.absent')", "revert: key \".absent\" must return exactly one JSON array"},
		{"keyExists(string,string)", in + "'.nested.str')", "true"},
		{"keyExistsJson(string,string)", in + "'.nested.str')", "true"},
		{"keyExistsJson(string,string)", in + "'.nested.absent')", "false"},
		{"parseJsonType(string,string)", "('[1,[2,3]]', '(uint8,uint256[2])')", abiHex(t, "(uint8,uint256[2])", "(1, [2, 3])")},
		{"parseJsonType(string,string)", "('{\"n\":\"x\",\"p\":[{\"a\":1}]}', 'B(P[] p,string n)P(uint8 a)')", abiHex(t, "((uint8)[],string)", "([(1)], x)")},
		{"parseJsonType(string,string,string)", "('{\"q\":{\"a\":1}}', '.q', 'P(uint8 a)')", abiHex(t, "(uint8)", "(1)")},
		{"parseJsonType(string,string)", "('{}', 'P(uint8 a)')", "revert: field \"a\" not found in JSON object"},
		{"parseJsonType(string,string)", "('[1]', 'uint8[2]')", "revert: array length mismatch"},
		{"parseJsonType(string,string)", "('[1]', 'what')", "revert: type description should be a valid Solidity type"},
		{"parseJsonTypeArray(string,string,string)", "('{\"q\":[{\"a\":1}]}', '.q', 'P(uint8 a)')", abiHex(t, "(uint8)[]", "[(1)]")},
	})
}

// TestParseStructs uses forge's tests of structs.
func TestParseStructs(t *testing.T) {
	v, _ := newFolder(t)
	var list []Struct
	for _, s := range []string{"A.Whole(string str,uint256 num)", "A.Static(uint256[1] timestamp)", "A.Nested(uint256[2][1] matrix)", "A.First(uint256[1] values)", "A.Second(uint256[] values)",
		"A.Bytes(bytes4[1] selectors)", "A.Sibling(uint256[1] fixedValues,string inferred)", "A.Child(uint256 value,string label)", "A.Parent((uint256,string)[1] children)", "A.Grand((uint256[1])[2][1] nested)"} {
		name, fields, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
		var found Struct
		for field := range strings.SplitSeq(strings.ReplaceAll(fields, "(uint256,string)", "(uint256;string)"), ",") {
			typ, fieldName, _ := strings.Cut(field, " ")
			parsed, err := input.ParseType(strings.ReplaceAll(typ, ";", ","))
			if err != nil {
				t.Fatal(err)
			}
			found.Fields = append(found.Fields, input.Field{Name: fieldName, Type: parsed})
		}
		found.Name = name
		list = append(list, found)
	}
	v.Config.Host.(*folderHost).structs = list
	v.check([]cheatTest{
		{"parseJson(string)", "('{\"num\":1,\"str\":\"x\"}')", abiHex(t, "(string,uint256)", "(x, 1)")},
		{"parseJson(string)", "('{\"timestamp\":[1655140035]}')", abiHex(t, "(uint256[1])", "([1655140035])")},
		{"parseJson(string)", "('{\"matrix\":[[42,43]]}')", abiHex(t, "(uint256[2][1])", "([[42,43]])")},
		{"parseJson(string)", "('{\"timestamp\":[1,2]}')", "revert: array length mismatch"},
		{"parseJson(string)", "('{\"timestamp\":1}')", "revert: expected array"},
		{"parseJson(string)", "('{\"values\":[42]}')", abiHex(t, "(uint256[])", "([42])")},
		{"parseJson(string)", "('{\"selectors\":[\"0x12345678\"]}')", abiHex(t, "(bytes4[1])", "([0x12345678])")},
		{"parseJson(string)", "('{\"inferred\":\"" + anvil0 + "\",\"fixedValues\":[42]}')", abiHex(t, "(uint256[1],address)", "([42], "+anvil0+")")},
		{"parseJson(string)", "('{\"children\":[{\"label\":\"child\",\"value\":42}]}')", abiHex(t, "((uint256,string)[1])", "([(42, child)])")},
		{"parseJson(string)", "('{\"children\":[]}')", "revert: array length mismatch"},
		{"parseToml(string)", "('num = 1\nstr = \"x\"')", abiHex(t, "(string,uint256)", "(x, 1)")},
	})
}

func TestJSONPaths(t *testing.T) {
	tree, err := parseJSON(`{"a": {"b c": [1, 2, 3, 4], "d": {"id": 5}}, "id": 6, "x.y": 7}`)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"$": string(appendJSON(nil, []any{tree})), "": string(appendJSON(nil, []any{tree})), ".": string(appendJSON(nil, []any{tree})),
		".a['b c'][0]": "[1]", `$["a"]["b c"][-1]`: "[4]", ".a['b c'][1:3]": "[2,3]", ".a['b c'][-2:]": "[3,4]", ".a['b c'][::2]": "[1,3]", ".a['b c'][0, 3, 9]": "[1,4]",
		".a['b c'][:99]": "[1,2,3,4]", "..id": "[6,5]", ".['x.y']": "[7]", "['x.y','id']": "[7,6]", ".a.*": `[[1,2,3,4],{"id":5}]`, ".a.d[*]": "[5]", "$..d..id": "[5]", ".a.id": "[]", ".id.a": "[]", ".id[0]": "[]",
		".a[?(@.id)]": "error", "a.b": "error", ".a[": "error", ".a['b": "error", ".a[x]": "error", ".a[0;1]": "error", ".a..": "error", ".a[0:1:0]": "error", ".a[1:2:3:4]": "error", "$.": string(appendJSON(nil, []any{tree})),
	} {
		found, err := selectJSON(tree, path)
		if got := string(appendJSON(nil, append([]any{}, found...))); err == nil && got != want || (err != nil) != (want == "error") {
			t.Errorf("%q selects %s, %v; want %s", path, got, err, want)
		}
	}
	deep, err := parseJSON(strings.Repeat("[", 100) + strings.Repeat("]", 100))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := selectJSON(deep, strings.Repeat("..*", 12)); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a path without bounds: %v", err)
	}
}

func TestSerializeJSON(t *testing.T) {
	word := "0x1111111111111111111111111111111111111111111111111111111111111111"
	newVM(t).check([]cheatTest{
		{"serializeUint(string,string,uint256)", "(o, z, 254)", `{"z":254}`},
		{"serializeUint(string,string,uint256)", "(o, big, 18446744073709551616)", `{"big":"18446744073709551616","z":254}`},
		{"serializeUint(string,string,uint256)", "(o, big, 18446744073709551615)", `{"big":18446744073709551615,"z":254}`},
		{"serializeInt(string,string,int256)", "(i, n, -234)", `{"n":-234}`},
		{"serializeInt(string,string,int256)", "(i, n, -9223372036854775809)", `{"n":"-9223372036854775809"}`},
		{"serializeUintToHex(string,string,uint256)", "(h, x, 255)", `{"x":"0xff"}`},
		{"serializeUintToHex(string,string,uint256)", "(h, x, 0)", `{"x":"0x0"}`},
		{"serializeBool(string,string,bool)", "(b, x, true)", `{"x":true}`},
		{"serializeAddress(string,string,address)", "(a, x, " + anvil0 + ")", `{"x":"` + anvil0 + `"}`},
		{"serializeBytes32(string,string,bytes32)", "(w, x, " + word + ")", `{"x":"` + word + `"}`},
		{"serializeBytes(string,string,bytes)", "(y, x, 0x01)", `{"x":"0x01"}`},
		{"serializeString(string,string,string)", "(s, x, '<a & \"b\">')", `{"x":"<a & \"b\">"}`},
		{"serializeString(string,string,string)", "(s, x, '{\"q\":1,\"p\":2}')", `{"x":{"q":1,"p":2}}`},
		{"serializeBool(string,string,bool[])", "(l, x, [true, false])", `{"x":[true,false]}`},
		{"serializeUint(string,string,uint256[])", "(l, x, [1])", `{"x":[1]}`},
		{"serializeInt(string,string,int256[])", "(l, x, [-1])", `{"x":[-1]}`},
		{"serializeAddress(string,string,address[])", "(l, x, [])", `{"x":[]}`},
		{"serializeBytes32(string,string,bytes32[])", "(l, x, [" + word + "])", `{"x":["` + word + `"]}`},
		{"serializeString(string,string,string[])", "(l, x, [a])", `{"x":["a"]}`},
		{"serializeBytes(string,string,bytes[])", "(l, x, [0x01])", `{"x":["0x01"]}`},
		{"serializeJson(string,string)", "(r, '{\"foo\": \"bar\"}')", `{"foo": "bar"}`},
		{"serializeBool(string,string,bool)", "(r, boolean, true)", `{"boolean":true,"foo":"bar"}`},
		{"serializeJson(string,string)", "(r, '[]')", "revert: not a JSON object"},
		{"serializeJsonType(string,bytes)", "('B(P[] p,string n)P(uint8 a)', " + abiHex(t, "((uint8)[],string)", "([(1)], x)") + ")", `{"p":[{"a":1}],"n":"x"}`},
		{"serializeJsonType(string,bytes)", "('(uint8,bool)', " + abiHex(t, "(uint8,bool)", "(1, true)") + ")", `[1,true]`},
		{"serializeJsonType(string,string,string,bytes)", "(r, t, 'P(uint8 a)', " + abiHex(t, "(uint8)", "(1)") + ")", `{"boolean":true,"foo":"bar","t":{"a":1}}`},
		{"serializeJsonType(string,bytes)", "('uint8', 0x)", "revert: decode ABI data"},
	})
}

func TestWriteJSON(t *testing.T) {
	v, root := newFolder(t)
	v.check([]cheatTest{{"writeJson(string,string)", "('{\"b\":1,\"a\":[2,{}],\"c\":{}}', x.json)", ""}})
	if got, _ := os.ReadFile(filepath.Join(root, "x.json")); string(got) != "{\n  \"b\": 1,\n  \"a\": [\n    2,\n    {}\n  ],\n  \"c\": {}\n}" {
		t.Errorf("%s", got)
	}
	v.check([]cheatTest{
		{"writeJson(string,string,string)", "(" + anvil0 + ", x.json, '.b')", ""},
		{"writeJson(string,string,string)", "(42, x.json, '$.p.q')", ""},
		{"writeJson(string,string,string)", "('{\"z\":1}', x.json, '.c')", ""},
		{"writeJson(string,string,string)", "(1, new.json, '.x.y')", ""},
		{"readFile(string)", "(new.json)", "{\n  \"x\": {\n    \"y\": 1\n  }\n}"},
		{"writeJson(string,string)", "(plain, plain.json)", ""},
		{"readFile(string)", "(plain.json)", `"plain"`},
		{"writeJson(string,string,string)", "(1, x.json, '$')", "revert: 'valueKey' cannot be empty"},
		{"writeJson(string,string,string)", "(1, x.json, '.a.b')", "revert: final destination is not an object"},
		{"writeJson(string,string,string)", "(1, x.json, '.a.b.c')", "revert: path segment 'b' does not resolve to an object"},
	})
	text := v.call("readFile(string)", "(x.json)")
	tree, err := parseJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(appendJSON(nil, tree)); got != `{"b":"`+anvil0+`","a":[2,{}],"c":{"z":1},"p":{"q":42}}` {
		t.Errorf("%s", got)
	}
}

const tomlText = `nan = nan
inf = +inf
neginf = -inf
float = 1.5
basicString = "hai"
nullString = "null"
address = "` + anvil0 + `"
boolArray = [true, false]
datetime = 2021-08-10T14:48:00Z
day = 2021-08-10
uintNumber = 9223372036854775807
uintHex = "0x12C980"
intNumber = -12
bytesString = "0x01"
empty = []
words = ["0x1111111111111111111111111111111111111111111111111111111111111111"]
zz.inline = { b = 1, a = { d = 2, c = 3 } }
[nested]
str = "NEST"
number = 7
[[list]]
id = 1
[[list]]
id = 2
`

func TestParseTOML(t *testing.T) {
	in := "('" + tomlText + "', "
	newVM(t).check([]cheatTest{
		{"parseToml(string,string)", in + "'.basicString')", abiHex(t, "string", "hai")},
		{"parseToml(string,string)", in + "'.nullString')", abiHex(t, "uint256", "0")},
		{"parseToml(string,string)", in + "'.nan')", abiHex(t, "string", "NaN")},
		{"parseToml(string,string)", in + "'.inf')", abiHex(t, "string", "inf")},
		{"parseToml(string,string)", in + "'.neginf')", abiHex(t, "string", "'-inf'")},
		{"parseToml(string,string)", in + "'.datetime')", abiHex(t, "string", "'2021-08-10T14:48:00Z'")},
		{"parseToml(string,string)", in + "'.day')", abiHex(t, "string", "'2021-08-10'")},
		{"parseToml(string,string)", in + "'.float')", "revert: unsupported JSON number: 1.5"},
		{"parseToml(string,string)", in + "'.nested')", abiHex(t, "(uint256,string)", "(7, NEST)")},
		{"parseToml(string,string)", in + "'.list[*].id')", abiHex(t, "uint256[]", "[1, 2]")},
		{"parseToml(string)", "('a = 1')", abiHex(t, "(uint256)", "(1)")},
		{"parseToml(string)", "('a = ')", "revert: vm.parseToml: failed parsing TOML"},
		{"parseToml(string)", "('a = " + strings.Repeat("[", 200_000) + "')", "revert: recursion limit exceeded"},
		{"parseToml(string)", "('" + strings.Repeat("a.", 200_000) + "a = 1')", "revert: recursion limit exceeded"},
		{"parseToml(string)", "('" + strings.Repeat("a.", 200) + "a = 1')", "revert: recursion limit exceeded"},
		{"keyExistsToml(string,string)", in + "'.nested.str')", "true"},
		{"keyExistsToml(string,string)", in + "'.nested.absent')", "false"},
		{"parseTomlKeys(string,string)", in + "'.nested')", `["str", "number"]`},
		{"parseTomlKeys(string,string)", in + "'.zz.inline')", `["b", "a"]`},
		{"parseTomlKeys(string,string)", in + "'.zz.inline.a')", `["d", "c"]`},
		{"parseTomlKeys(string,string)", "('z = 1\nb = 2\n[a]\n[A.x]', '$')", `["z", "b", "a", "A"]`},
		{"parseTomlUint(string,string)", in + "'.uintHex')", "1231232"},
		{"parseTomlUint(string,string,uint256)", in + "'.absent', 42)", "42"},
		{"parseTomlUintArray(string,string)", in + "'.empty')", "[]"},
		{"parseTomlUintArray(string,string,uint256[])", in + "'.absent', [1])", "[1]"},
		{"parseTomlInt(string,string)", in + "'.intNumber')", "-12"},
		{"parseTomlInt(string,string,int256)", in + "'.absent', -1)", "-1"},
		{"parseTomlIntArray(string,string)", in + "'.empty')", "[]"},
		{"parseTomlIntArray(string,string,int256[])", in + "'.absent', [-1])", "[-1]"},
		{"parseTomlBool(string,string)", in + "'.boolArray[0]')", "true"},
		{"parseTomlBool(string,string,bool)", in + "'.absent', true)", "true"},
		{"parseTomlBoolArray(string,string)", in + "'.boolArray')", "[true, false]"},
		{"parseTomlBoolArray(string,string,bool[])", in + "'.absent', [])", "[]"},
		{"parseTomlAddress(string,string)", in + "'.address')", anvil0},
		{"parseTomlAddress(string,string,address)", in + "'.absent', " + anvil0 + ")", anvil0},
		{"parseTomlAddressArray(string,string)", in + "'.empty')", "[]"},
		{"parseTomlAddressArray(string,string,address[])", in + "'.absent', [])", "[]"},
		{"parseTomlString(string,string)", in + "'.basicString')", "hai"},
		{"parseTomlString(string,string,string)", in + "'.absent', d)", "d"},
		{"parseTomlStringArray(string,string)", in + "'.empty')", "[]"},
		{"parseTomlStringArray(string,string,string[])", in + "'.absent', [])", "[]"},
		{"parseTomlBytes(string,string)", in + "'.bytesString')", "0x01"},
		{"parseTomlBytes(string,string,bytes)", in + "'.absent', 0x02)", "0x02"},
		{"parseTomlBytesArray(string,string)", in + "'.words')", "[0x1111111111111111111111111111111111111111111111111111111111111111]"},
		{"parseTomlBytesArray(string,string,bytes[])", in + "'.absent', [])", "[]"},
		{"parseTomlBytes32(string,string)", in + "'.words[0]')", "0x1111111111111111111111111111111111111111111111111111111111111111"},
		{"parseTomlBytes32(string,string,bytes32)", in + "'.absent', 0x1111111111111111111111111111111111111111111111111111111111111111)", "0x1111111111111111111111111111111111111111111111111111111111111111"},
		{"parseTomlBytes32Array(string,string)", in + "'.words')", "[0x1111111111111111111111111111111111111111111111111111111111111111]"},
		{"parseTomlBytes32Array(string,string,bytes32[])", in + "'.absent', [])", "[]"},
		{"parseTomlType(string,string)", "('a = 1', 'P(uint8 a)')", abiHex(t, "(uint8)", "(1)")},
		{"parseTomlType(string,string,string)", "('[q]\na = 1', '.q', 'P(uint8 a)')", abiHex(t, "(uint8)", "(1)")},
		{"parseTomlTypeArray(string,string,string)", "('[[q]]\na = 1', '.q', 'P(uint8 a)')", abiHex(t, "(uint8)[]", "[(1)]")},
	})
}

func TestWriteTOML(t *testing.T) {
	v, _ := newFolder(t)
	v.check([]cheatTest{
		{"writeToml(string,string)", "('{\"b\":1,\"a\":[\"x\"],\"c\":{\"d\":null},\"f\":1.5}', x.toml)", ""},
		{"writeToml(string,string,string)", "(" + anvil0 + ", x.toml, '.b')", ""},
		{"writeToml(string,string,string)", "(42, x.toml, '.p.q')", ""},
		{"writeToml(string,string,string)", "(42, new.toml, '.p.q')", ""},
		{"writeToml(string,string)", "(42, bad.toml)", "revert: failed to serialize TOML"},
	})
	tree, err := parseTOML(v.call("readFile(string)", "(x.toml)"))
	if err != nil {
		t.Fatal(err)
	}
	o := tree.(*object)
	for key, want := range map[string]string{"a": `["x"]`, "b": `"` + anvil0 + `"`, "c": `{"d":null}`, "f": "1.5", "p": `{"q":42}`} {
		if got := string(appendJSON(nil, o.values[key])); got != want {
			t.Errorf("%s is %s, want %s", key, got, want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	f.Add(jsonText, ".list[*].id")
	f.Add(`[1e5, -1, "0x01"]`, "$..*")
	f.Fuzz(func(t *testing.T, text, path string) {
		tree, err := parseJSON(text)
		if err != nil {
			return
		}
		again, err := parseJSON(string(prettyJSON(tree)))
		if err != nil || string(appendJSON(nil, again)) != string(appendJSON(nil, tree)) {
			t.Errorf("%q is not the same after a round: %v", text, err)
		}
		found, _ := selectJSON(tree, path)
		for _, v := range found {
			structs(nil).guess(v)
		}
	})
}

func FuzzTOML(f *testing.F) {
	f.Add(tomlText)
	f.Fuzz(func(t *testing.T, text string) {
		if tree, err := parseTOML(text); err == nil {
			structs(nil).guess(tree)
			writeTOML(tree)
		}
	})
}
