package solc

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"leveret/solc/srcmap"
)

// outputs are what the reader is fuzzed from.
var outputs = []string{
	`{}`,
	`{"errors":[{"severity":"error","message":"no","formattedMessage":"A.sol:1:2: : no"}]}`,
	`{"errors":[{"severity":"warning","message":"hm","sourceLocation":{"file":"A.sol","start":3,"end":9}},{"severity":"info","sourceLocation":{"file":"B.sol","start":-1,"end":-1}}]}`,
	`{"sources":{"A.sol":{"id":0,"ast":{"nodeType":"SourceUnit","id":3,"src":"0:13:0","nodes":[{"nodeType":"ContractDefinition","id":2,"name":"A","contractKind":"contract","fullyImplemented":true,"src":"0:13:0","nodes":[]}]}}},
	  "contracts":{"A.sol":{"A":{"abi":[],"storageLayout":{"storage":[],"types":null},"evm":{"methodIdentifiers":{"f()":"26121ff0"},
	  "bytecode":{"object":"6001__$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$__00","sourceMap":"0:13:0:-:0;;","linkReferences":{"L.sol":{"L":[{"start":2,"length":20}]}},"generatedSources":[]},
	  "deployedBytecode":{"object":"0x60","sourceMap":"0:1:0","linkReferences":{},"immutableReferences":{"2":[{"start":0,"length":1}]},"generatedSources":[{"id":1,"name":"#utility.yul","contents":"{}","language":"Yul"}]}}}}}}`,
}

func given() map[string]*Source {
	return map[string]*Source{"A.sol": {Name: "A.sol", Path: "/A.sol", Text: []byte("contract A {}")}}
}

func TestReadOutput(t *testing.T) {
	b, err := readOutput([]byte(outputs[3]), given())
	if err != nil {
		t.Fatal(err)
	}
	c := b.Contract("A")
	if c == nil || len(c.Creation.Object) != 23 || c.Creation.Object[5] != 0 || c.Creation.Links[0] != (Link{"L.sol", "L", ByteRange{2, 20}}) {
		t.Fatalf("contract %+v", c)
	}
	if len(c.Creation.Map) != 3 || c.Runtime.Immutables[2][0] != (ByteRange{0, 1}) || string(c.Runtime.Generated[0].Text) != "{}" {
		t.Errorf("code %+v, %+v", c.Creation, c.Runtime)
	}
	place, ok := b.SpanPlace(c.Node.Span)
	if want := (Place{File: "A.sol", Path: "/A.sol", Start: srcmap.Position{Line: 1, Column: 1}, End: srcmap.Position{Line: 1, Column: 14}}); !ok || place != want {
		t.Errorf("place %+v, %t, want %+v", place, ok, want)
	}
	if span, ok := c.Creation.Instructions().PCSpan(0); !ok || span.Length != 13 {
		t.Errorf("first instruction: %+v", span)
	}
	if _, ok := b.SpanPlace(srcmap.Span{Source: -1}); ok {
		t.Error("the compiler's own code has a place")
	}
}

func TestReadOutputErrors(t *testing.T) {
	for _, text := range []string{
		``, `[]`, `{"sources":{"B.sol":{"id":0}}}`, `{"sources":{"A.sol":{"id":-1}}}`, `{"sources":{"A.sol":{"id":99999999}}}`,
		`{"sources":{"A.sol":{"id":0,"ast":[]}}}`,
		`{"contracts":{"A.sol":{"A":{"evm":{"bytecode":{"object":"6"}}}}}}`,
		`{"contracts":{"A.sol":{"A":{"evm":{"bytecode":{"object":"60","linkReferences":{"L":{"L":[{"start":0,"length":20}]}}}}}}}}`,
		`{"contracts":{"A.sol":{"A":{"evm":{"bytecode":{"object":"60","linkReferences":{"L":{"L":[{"start":9223372036854775807,"length":20}]}}}}}}}}`,
		`{"contracts":{"A.sol":{"A":{"evm":{"deployedBytecode":{"object":"60","immutableReferences":{"2":[{"start":1,"length":32}]}}}}}}}`,
		`{"contracts":{"A.sol":{"A":{"evm":{"deployedBytecode":{"object":"60","sourceMap":"x"}}}}}}`,
	} {
		if b, err := readOutput([]byte(text), given()); err == nil {
			t.Errorf("readOutput(%s) = %+v", text, b)
		}
	}
}

func FuzzOutput(f *testing.F) {
	for _, text := range outputs {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := readOutput(text, given())
		if err != nil {
			return
		}
		b.Errors()
		for _, c := range b.Contracts {
			for _, l := range c.Runtime.Links {
				_ = c.Runtime.Object[l.At.Start : l.At.Start+l.At.Length]
			}
			if c.Node != nil {
				b.SpanPlace(c.Node.Span)
			}
		}
	})
}

// TestInputKeepsToVersion: a compiler refuses settings it does not know.
func TestInputKeepsToVersion(t *testing.T) {
	s := Settings{Optimizer: true, OptimizerRuns: 7, ViaIR: true, EVMVersion: "cancun"}
	for version, want := range map[string]inputSettings{
		"0.4.11": {},
		"0.6.0":  {Metadata: map[string]string{"bytecodeHash": "none"}, EVMVersion: "istanbul"}, // the last one that it knows
		"0.8.24": {Metadata: map[string]string{"bytecodeHash": "none"}, ViaIR: true, EVMVersion: "cancun"},
	} {
		v, _ := ParseVersion(version)
		text, err := json.Marshal(newInput(v, map[string][]byte{"A.sol": []byte("é\"")}, []string{"a=b"}, s))
		var in standardInput
		if err != nil || json.Unmarshal(text, &in) != nil {
			t.Fatalf("%s, %v", text, err)
		}
		got := in.Settings
		if got.ViaIR != want.ViaIR || got.EVMVersion != want.EVMVersion || len(got.Metadata) != len(want.Metadata) {
			t.Errorf("%s: %+v", version, got)
		}
		if got.Optimizer != (inputOptimizer{true, 7}) || got.Remappings[0] != "a=b" || in.Sources["A.sol"].Content != "é\"" {
			t.Errorf("%s: %s", version, text)
		}
	}
}

// TestSettingsAreAccepted compiles with every EVM version by every compiler.
func TestSettingsAreAccepted(t *testing.T) {
	env := realTools(t)
	tools := NewToolchain(env)
	defer tools.Close()
	root := write(t, "A.sol", "contract A {}")
	p, err := tools.OpenProject(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range []string{"0.4.26", "0.5.17", "0.8.19", "0.8.37"} {
		i, err := Named(t.Context(), filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+version))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range evmNames {
			evm := e.name
			c, err := p.closure([]string{filepath.Join(root, "A.sol")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.compile(t.Context(), c, choice{Installation: i, settings: Settings{Optimizer: true, OptimizerRuns: 1, ViaIR: true, EVMVersion: evm}}); err != nil {
				t.Errorf("%s, %s: %v", version, evm, err)
			}
		}
	}
}

// TestRawCompiler runs soljson.js as Hardhat keeps it, without its package.
func TestRawCompiler(t *testing.T) {
	for _, version := range []string{"0.4.11", "0.4.26", "0.5.17", "0.6.12", "0.8.37"} {
		env := realTools(t)
		env.Solc = filepath.Join(t.TempDir(), "soljson-v"+version+"+commit.00000000.js")
		text, err := os.ReadFile(filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+version, "soljson.js"))
		if err == nil {
			err = os.WriteFile(env.Solc, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		root := write(t, "A.sol", "contract A { uint public x; }")
		b, err := open(t, root, env).Compile(t.Context(), []string{filepath.Join(root, "A.sol")}, nil)
		if err != nil || b.Version != version || !b.Contract("A").Deployable() {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// A compiler's message has a bound, whatever the compiler says.
func TestLongMessageIsCut(t *testing.T) {
	long := strings.Repeat("é", maxMessage)
	b, err := readOutput([]byte(`{"errors":[{"severity":"error","message":"`+long+`","formattedMessage":"`+long+`"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	m := b.Messages[0]
	for _, text := range []string{m.Text, m.Formatted} {
		if len(text) > maxMessage+len("…") || !utf8.ValidString(text) || !strings.HasSuffix(text, "é…") {
			t.Errorf("%d bytes: %.20q … %q", len(text), text, text[len(text)-10:])
		}
	}
}
