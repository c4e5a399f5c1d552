package scan

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

var scans = []struct {
	text    string
	pragmas []Pragma
	imports []Import
}{
	{"", nil, nil},
	{"pragma solidity ^0.8.0;", []Pragma{{"^0.8.0", 1}}, nil},
	{"// pragma solidity ^0.7.0;\n/* import 'x';\n*/pragma /* here */ solidity >=0.8.0 // low\n <0.9.0;", []Pragma{{">=0.8.0 <0.9.0", 3}}, nil},
	{"pragma experimental ABIEncoderV2; pragma abicoder v2;\npragma solidity 0.8.4;\npragma solidity ^0.8;", []Pragma{{"0.8.4", 2}, {"^0.8", 3}}, nil},
	{`import "a.sol"; import 'b.sol' as B;` + "\nimport * as C from\n\"c.sol\";import {D as E, F} from \"d.sol\";", nil,
		[]Import{{"a.sol", 1}, {"b.sol", 1}, {"c.sol", 3}, {"d.sol", 3}}},
	{`contract A { string s = "import 'no.sol';"; function f() { s = 'pragma solidity ^1;'; } } import "yes.sol";`, nil, []Import{{"yes.sol", 1}}},
	{`import "with \"quote\" and \x41\u00e9\\";`, nil, []Import{{`with "quote" and Aé\`, 1}}},
	{"import \"unclosed\nimport \"next.sol\";", nil, []Import{{"unclosed", 1}}},
	{"contract A {", nil, nil},
	{"/* never closed\npragma solidity ^0.8.0;", nil, nil},
	{"string constant important = 'x'; contract importer { uint pragma_; }", nil, nil},
	{"contract A { uint x } import 'after.sol';", nil, []Import{{"after.sol", 1}}},
	{"pragma solidity '^0.8.0';", []Pragma{{"^0.8.0", 1}}, nil},
	{"pragma solidity", nil, nil},
	{"import", nil, nil},
	{"import {A};", nil, nil},
	{"pragma solidity\r\n^0.8.0\r\n;\r\nimport \"a\";\r\n", []Pragma{{"^0.8.0", 1}}, []Import{{"a", 4}}},
	{"unicode\"import\" hex'00' import 'in-the-middle';", nil, nil},
}

func TestScan(t *testing.T) {
	for _, row := range scans {
		pragmas, imports := Directives([]byte(row.text))
		if !reflect.DeepEqual(pragmas, row.pragmas) || !reflect.DeepEqual(imports, row.imports) {
			t.Errorf("Scan(%q) = %v, %v, want %v, %v", row.text, pragmas, imports, row.pragmas, row.imports)
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, row := range scans {
		f.Add(row.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pragmas, imports := Directives([]byte(text))
		lines := strings.Count(text, "\n") + 1
		for _, p := range pragmas {
			if p.Line < 1 || p.Line > lines {
				t.Errorf("pragma in line %d of %d", p.Line, lines)
			}
		}
		for _, i := range imports {
			if i.Line < 1 || i.Line > lines {
				t.Errorf("import in line %d of %d", i.Line, lines)
			}
		}
		// A leading comment has no effect.
		again, _ := Directives([]byte("/* import 'x'; */" + text))
		if !reflect.DeepEqual(again, pragmas) {
			t.Errorf("with a comment in front: %v, without: %v", again, pragmas)
		}
	})
}

func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                   nil,
		" // only a comment":                 nil,
		"a+b;// é\n/* x */c":                 {"a", "+", "b", ";", "c"},
		"x = \"a // b\\\"\" /**/ 'c'; /* no": {"x", "=", "\"a // b\\\"\"", "'c'", ";"},
		"é\r\n$_1":                           {"\xc3", "\xa9", "$_1"},
	} {
		var got []string
		for _, span := range Tokens([]byte(text)) {
			got = append(got, text[span.Start:span.End()])
		}
		if !slices.Equal(got, want) {
			t.Errorf("tokens of %q: %q, want %q", text, got, want)
		}
	}
}

func TestBases(t *testing.T) {
	for text, want := range map[string][]string{
		"contract A {}": {"contract A"},
		"abstract contract A is B {} interface I is J,K{}":                                        {"abstract contract A B", "interface I J K"},
		"contract A is m.B(1, f(x)), C({a: 1, b: 2}), x.y.D/**/{ function is() {} } library L {}": {"contract A B C D", "library L"},
		"contract A is B layout at 0x10 + c {} contract Z is Y {}":                                {"contract A B", "contract Z Y"},
		"contract A is B":                  {"contract A"},
		"contract A is ) { contract B {}":  {"contract A"},
		"contract A; contract B is A { }":  {"contract A", "contract B A"},
		"string s = 'contract A is B {}';": nil,
	} {
		var got []string
		for _, d := range Definitions([]byte(text)) {
			kind := d.Kind
			if d.Abstract {
				kind = "abstract " + kind
			}
			got = append(got, strings.Join(append([]string{kind, d.Name}, d.Bases...), " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("definitions in %q: %q, want %q", text, got, want)
		}
	}
}

func TestContracts(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil,
		"contract A {} abstract contract B {} library C {} interface D {}\ncontract/**/E is A, B {}": {"A", "E"},
		"// contract A {}\ncontract B { string s = \"contract C\"; }":                                {"B"},
		"contract": nil,
	} {
		if got := Contracts([]byte(text)); !slices.Equal(got, want) {
			t.Errorf("contracts of %q: %q, want %q", text, got, want)
		}
	}
}

// What is unfinished counts, too; comments and strings do not.
func TestCreated(t *testing.T) {
	text := "import './A.sol'; // new Commented()\n" +
		"contract C { type Id is uint8; function f() external { new A(); new m.B{salt: 0}(1); bytes memory b = new bytes(3); " +
		"string memory s = 'new Quoted()'; b = type(m.n.D).creationCode; a[0] = new E[](2); } } new G"
	if got, want := Created([]byte(text)), []string{"A", "B", "bytes", "D", "E", "G"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
