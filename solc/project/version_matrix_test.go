package project

import (
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// matrix lists the expected output of each version. Every version runs.
var matrix = []struct {
	version, file                 string
	layout, immutables, generated bool
}{
	{"0.4.11", "Oldest.sol", false, false, false},
	{"0.4.26", "Oldest.sol", false, false, false},
	{"0.5.16", "Middle.sol", true, false, false},
	{"0.5.17", "Middle.sol", true, false, false},
	{"0.6.6", "Middle.sol", true, false, false},
	{"0.6.12", "Middle.sol", true, false, false},
	{"0.7.6", "Middle.sol", true, false, true},
	{"0.8.0", "Newest.sol", true, true, true},
	{"0.8.19", "Newest.sol", true, true, true},
	{"0.8.30", "Newest.sol", true, true, true},
	{"0.8.37", "Newest.sol", true, true, true},
}

func TestEveryVersion(t *testing.T) {
	for _, row := range matrix {
		t.Run(row.version, func(t *testing.T) {
			env := realTools(t)
			env.Solc = filepath.Join(env.ToolDirs[0], "node_modules", "solc-"+row.version)
			solctest.Need(t, solctest.Exists(filepath.Join(env.Solc, "soljson.js")), "no solc "+row.version+": run make tools")
			p := open(t, "testdata/versions", env)
			b, err := p.Compile(t.Context(), []string{filepath.Join(p.Root, row.file)}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if b.Version != row.version {
				t.Errorf("compiled with %s", b.Version)
			}
			checkSources(t, b)
			c := b.Contract("Counter")
			if c == nil {
				t.Fatal("no Counter")
			}
			checkContract(t, c)
			if has := c.Layout != nil; has != row.layout {
				t.Errorf("storage layout: %t", has)
			}
			if has := len(c.Runtime.Immutables) > 0; has != row.immutables {
				t.Errorf("immutables: %v", c.Runtime.Immutables)
			}
			if has := len(c.Runtime.Generated) > 0; has != row.generated {
				t.Errorf("generated sources: %d", len(c.Runtime.Generated))
			}
		})
	}
}

func checkSources(t *testing.T, b *solc.Build) {
	t.Helper()
	for i, s := range b.Sources {
		if s == nil || s.ID != i || s.Unit == nil || s.Path == "" || len(s.Text) == 0 {
			t.Errorf("source %d is incomplete: %+v", i, s)
			continue
		}
		contracts := s.Unit.Root.Find("ContractDefinition")
		if len(contracts) == 0 {
			t.Errorf("the tree of %s has no contract", s.Name)
			continue
		}
		span := contracts[0].Span
		text := string(s.Text[span.Start:span.End()])
		if span.Source != i || !strings.Contains(text, "{") || !strings.HasSuffix(text, "}") {
			t.Errorf("%s: the first contract's span is %+v: %q", s.Name, span, text)
		}
	}
}

// checkContract checks the output that all versions have in common.
func checkContract(t *testing.T, c *solc.Contract) {
	t.Helper()
	if c.Node == nil || c.Kind != solc.KindContract || c.Abstract || !c.Deployable() || len(c.Runtime.Object) == 0 {
		t.Errorf("Counter is %+v", c)
	}
	if got := c.Methods["add(uint256)"]; got != "1003e2d2" {
		t.Errorf("selector of add: %q", got)
	}
	if len(c.Runtime.Links) == 0 || c.Runtime.Links[0].Library != "Sums" || c.Runtime.Links[0].File != "Sums.sol" || c.Runtime.Links[0].At.Length != 20 {
		t.Errorf("links: %+v", c.Runtime.Links)
	}
	source := c.Build.Source(c.File)
	asserted := false
	for _, e := range c.Runtime.Map {
		if e.Source == source.ID && strings.HasPrefix(string(source.Text[e.Start:e.End()]), "assert(") {
			asserted = true
		}
	}
	if !asserted {
		t.Error("no instruction maps to the assertion")
	}
	if !strings.Contains(string(c.ABI), `"add"`) {
		t.Errorf("ABI: %s", c.ABI)
	}
}
