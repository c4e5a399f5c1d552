package solc

import (
	"strings"
	"testing"
	"unicode/utf8"

	"leveret/solc/srcmap"
)

// outputs is the seed corpus of the fuzz test.
var outputs = []string{
	`{}`,
	`{"errors":[{"severity":"error","message":"no","formattedMessage":"A.sol:1:2: : no"}]}`,
	`{"errors":[{"severity":"warning","message":"hm","sourceLocation":{"file":"A.sol","start":3,"end":9}},{"severity":"info","sourceLocation":{"file":"B.sol","start":-1,"end":-1}}]}`,
	`{"sources":{"A.sol":{"id":0,"ast":{"nodeType":"SourceUnit","id":3,"src":"0:13:0","nodes":[{"nodeType":"ContractDefinition","id":2,"name":"A","contractKind":"contract","fullyImplemented":true,"src":"0:13:0","nodes":[]}]}}},
	  "contracts":{"A.sol":{"A":{"abi":[],"storageLayout":{"storage":[],"types":null},"evm":{"methodIdentifiers":{"f()":"26121ff0"},
	  "bytecode":{"object":"6001__$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa$__00","sourceMap":"0:13:0:-:0;;","linkReferences":{"L.sol":{"L":[{"start":2,"length":20}]}},"generatedSources":[]},
	  "deployedBytecode":{"object":"0x60","sourceMap":"0:1:0","linkReferences":{},"immutableReferences":{"2":[{"start":0,"length":1}],"library_deploy_address":[{"start":0,"length":1}]},"generatedSources":[{"id":1,"name":"#utility.yul","contents":"{}","language":"Yul"}]}}}}}}`,
}

func given() map[string]*Source {
	return map[string]*Source{"A.sol": {Name: "A.sol", Path: "/A.sol", Text: []byte("contract A {}")}}
}

func TestReadOutput(t *testing.T) {
	b, err := ReadOutput([]byte(outputs[3]), given())
	if err != nil {
		t.Fatal(err)
	}
	c := b.Contract("A")
	if c == nil || len(c.Creation.Object) != 23 || c.Creation.Object[5] != 0 || c.Creation.Links[0] != (Link{"L.sol", "L", ByteRange{2, 20}}) {
		t.Fatalf("contract %+v", c)
	}
	if len(c.Creation.Map) != 3 || c.Runtime.Immutables[2][0] != (ByteRange{0, 1}) || c.Runtime.Immutables[LibraryAddressID][0] != (ByteRange{0, 1}) || string(c.Runtime.Generated[0].Text) != "{}" {
		t.Errorf("code %+v, %+v", c.Creation, c.Runtime)
	}
	source := b.SpanSource(c.Node.Span)
	if source == nil || source.Name != "A.sol" || source.Path != "/A.sol" {
		t.Fatalf("source %+v", source)
	}
	start, end := source.Lines.SpanPositions(c.Node.Span)
	if start != (srcmap.Position{Line: 1, Column: 1}) || end != (srcmap.Position{Line: 1, Column: 14}) {
		t.Errorf("from %+v to %+v", start, end)
	}
	if span, ok := c.Creation.Instructions().PCSpan(0); !ok || span.Length != 13 {
		t.Errorf("first instruction: %+v", span)
	}
	if b.SpanSource(srcmap.Span{Source: -1}) != nil {
		t.Error("the compiler's own code has a source")
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
		if b, err := ReadOutput([]byte(text), given()); err == nil {
			t.Errorf("readOutput(%s) = %+v", text, b)
		}
	}
}

func FuzzOutput(f *testing.F) {
	for _, text := range outputs {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := ReadOutput(text, given())
		if err != nil {
			return
		}
		b.Errors()
		for _, c := range b.Contracts {
			for _, l := range c.Runtime.Links {
				_ = c.Runtime.Object[l.At.Start : l.At.Start+l.At.Length]
			}
			if c.Node != nil {
				b.SpanSource(c.Node.Span)
			}
		}
	})
}

// Long compiler messages are truncated.
func TestLongMessageIsCut(t *testing.T) {
	long := strings.Repeat("é", maxMessage)
	b, err := ReadOutput([]byte(`{"errors":[{"severity":"error","message":"`+long+`","formattedMessage":"`+long+`"}]}`), nil)
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
