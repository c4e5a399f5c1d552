package solc

import (
	"testing"

	"github.com/pelletier/go-toml/v2"

	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// FuzzTestKeys sets arbitrary values of all keys. A configuration changes only
// where a value is right, and setting the same values again changes nothing.
func FuzzTestKeys(f *testing.F) {
	for _, text := range []string{
		"", "block_number = nan", "fuzz = 3", "[fuzz]\nruns = '0x10'\nseed = '1_0'", "sender = '0x00000000000000000000000000000000000000aa'",
		"fs_permissions = [{access = true, path = ''}, 3]", "libraries = ['a:b:c', ':::']", "[rpc_endpoints]\na = {endpoints = []}\nb = '${A}${'",
		"[labels]\n0x00000000000000000000000000000000000000aa = ''", "chain_id = -1", "gas_limit = 'max'", "initial_balance = 1e77",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var keys map[string]any
		if toml.Unmarshal([]byte(text), &keys) != nil {
			return
		}
		first, bad := DefaultTestConfig().With("ci", []string{"ci"}, keys)
		for _, b := range bad {
			if b.Error() == "" {
				t.Error("an empty message")
			}
		}
		_, again := first.With("ci", []string{"ci"}, keys)
		if len(again) != len(bad) {
			t.Errorf("%d values are wrong at first, then %d", len(bad), len(again))
		}
		for _, e := range first.Fork.Endpoints {
			for _, u := range e.URLs {
				_, _ = u.Resolve(func(string) string { return "value" })
				_ = u.String()
			}
		}
		for _, tool := range []HarnessTool{Echidna, Medusa} {
			DefaultHarnessConfig(tool).With(keys)
		}
	})
}

// FuzzInline reads comments of arbitrary sources, with definitions at arbitrary
// places.
func FuzzInline(f *testing.F) {
	for _, text := range []string{
		"/// forge-config: default.fuzz.runs = 3\ncontract A {\n/** forge-config: ci.isolate = true */ function f() {} }", "/// forge-config:", "/** forge-config: a.b = ",
		"/// forge-config: default = 3\n", "/// forge-config: default.x = \"\\u0000\"\n", "forge-config:\n/**forge-config: =", "*/ /** */ /// forge-config: default.fuzz.runs = [",
	} {
		f.Add([]byte(text), 40, 60)
	}
	f.Fuzz(func(t *testing.T, text []byte, contract, function int) {
		b := &Build{Sources: []*Source{{Name: "A.sol", Text: text, Lines: srcmap.NewLines(text)}}}
		c := &Contract{Name: "A", Build: b, Node: &ast.Node{Type: ast.ContractDefinition, Span: srcmap.Span{Start: contract, Length: 1}}}
		c.Node.Children = []*ast.Node{{Type: ast.FunctionDefinition, Role: "nodes", Span: srcmap.Span{Start: function}}}
		own, failures := DefaultTestConfig().Inline(c)
		own.Test("f")
		for _, err := range failures {
			if failure, ok := err.(*Failure); !ok || failure.Line < 1 || failure.Remedy == "" {
				t.Errorf("failure %v", err)
			}
		}
	})
}

// FuzzArtifact looks up arbitrary names.
func FuzzArtifact(f *testing.F) {
	for _, name := range []string{"Token", "src/Token.sol:Token:0.8.30", "out/Token.sol/Token.json", "..", ":.json", "a:b:c:d:e"} {
		f.Add(name)
	}
	all := builds()
	f.Fuzz(func(t *testing.T, name string) {
		c, err := all.Artifact(name, all[0].Contracts[0])
		if (c == nil) == (err == nil) {
			t.Errorf("%v, %v", c, err)
		}
		MatchPath(name, "/p", "/p/test/A.t.sol")
	})
}
