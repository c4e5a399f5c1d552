package solc

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Harness returns the configuration with which c is fuzzed as a harness of Echidna or
// Medusa; nil: it is none. Harnesses are contracts that a test runner calls: they have
// properties, as the configurations say, or as Echidna and Medusa have it if there are none;
// or medusa.json names them. For files of tests it suffices that a configuration names them, or
// that one in their folder, below the root, finds properties. forge's tests, except
// invariants without a setUp, come first, and other contracts are fuzzed with all oracles.
// It is decided once: neither the contract nor its build may change after that.
func (c *Contract) Harness() *HarnessConfig {
	c.harnessSet.Do(func() {
		if c.Deployable() && !c.IsScript() && !strings.HasSuffix(c.File, TestSuffix) {
			c.harness = c.findHarness()
		}
	})
	return c.harness
}

// inTests reports whether c is in a file of tests.
func (c *Contract) inTests() bool {
	if c.Build == nil {
		return false
	}
	s := c.Build.Source(c.File)
	return s != nil && s.Test
}

// forgeRuns reports whether forge runs c: it has a setUp, or tests that are no invariants.
func (c *Contract) forgeRuns() bool {
	s := Suite(c)
	return s != nil && c.needsRunner() && (s.SetUp || slices.ContainsFunc(s.Tests, func(t Test) bool { return t.Kind != InvariantTest }))
}

func (c *Contract) findHarness() *HarnessConfig {
	var list []HarnessConfig
	if c.Build != nil {
		list = c.configurations(c.Build.Harnesses)
	}
	at := slices.IndexFunc(list, func(h HarnessConfig) bool { return h.names(c) })
	switch {
	case c.forgeRuns():
		return nil
	case at >= 0 && (c.needsRunner() || c.inTests()):
		return &list[at]
	case !c.needsRunner() && !c.inTests():
		return nil
	}
	if len(list) == 0 {
		list = defaultHarnesses()
	}
	at = slices.IndexFunc(list, func(h HarnessConfig) bool {
		return (c.needsRunner() || h.Folder != "") && c.constructorInputs() == 0 && len(h.Tests(c)) > 0
	})
	if at < 0 {
		return nil
	}
	h := list[at]
	if len(h.Deploy.Targets) > 0 { // others, which it does without
		h.Deploy.Targets, h.Deploy.Balances = nil, nil
	}
	return &h
}

// configurations returns those of a project's configurations that may be c's: they lie in its
// folder or in one above, the nearest first, or they name it.
func (c *Contract) configurations(all []HarnessConfig) []HarnessConfig {
	nearness := func(h *HarnessConfig) int {
		switch {
		case h.Covers(c.File):
			return 1 + len(h.Folder)
		case h.names(c):
			return 0
		}
		return -1
	}
	list := slices.DeleteFunc(slices.Clone(all), func(h HarnessConfig) bool { return nearness(&h) < 0 })
	slices.SortStableFunc(list, func(a, b HarnessConfig) int { return cmp.Compare(nearness(&b), nearness(&a)) })
	return list
}

// Covers reports whether the configuration lies in the folder of a source, by its name, or in
// one above.
func (h *HarnessConfig) Covers(source string) bool {
	return h.Folder == "" || strings.HasPrefix(source, h.Folder+"/")
}

// Name returns the path of the configuration relative to the project's root; empty: there is
// no file.
func (h *HarnessConfig) Name() string {
	if h.File == "" {
		return ""
	}
	return path.Join(h.Folder, filepath.Base(h.File))
}

// HarnessFor returns the configuration with which a user's harness runs: of the project's
// that may be its own, the first that names it, or that finds tests in it, or the first; if
// there is none, that of Harness, or the defaults of the tool that finds tests in it, else
// of Echidna.
func HarnessFor(c *Contract, configs []HarnessConfig) HarnessConfig {
	configs = c.configurations(configs)
	if len(configs) == 0 {
		if h := c.Harness(); h != nil {
			return *h
		}
		configs = defaultHarnesses()
	}
	for _, fits := range []func(HarnessConfig) bool{
		func(h HarnessConfig) bool { return h.names(c) },
		func(h HarnessConfig) bool { return len(h.Tests(c)) > 0 },
	} {
		if at := slices.IndexFunc(configs, fits); at >= 0 {
			return configs[at]
		}
	}
	return configs[0]
}

// defaultHarnesses returns what holds without a configuration, for each tool.
func defaultHarnesses() []HarnessConfig {
	return []HarnessConfig{DefaultHarnessConfig(Echidna), DefaultHarnessConfig(Medusa)}
}

// names reports whether the configuration names a contract as a target, or has its name.
func (h *HarnessConfig) names(c *Contract) bool {
	return slices.ContainsFunc(h.Named(), c.IsNamed)
}

// Named returns the contracts that may be the harness, as artifacts are named: the targets, and
// one with the name of the file.
func (h *HarnessConfig) Named() []string {
	base := filepath.Base(h.File)
	return append(slices.Clone(h.Deploy.Targets), strings.TrimSuffix(base, filepath.Ext(base)))
}

// Tests returns the properties of a harness, then the functions to maximize, as tests.
func (h *HarnessConfig) Tests(c *Contract) []Test {
	var properties, maximized []Test
	places := c.places()
	for _, e := range c.abiEntries() {
		if e.Type != "function" || len(e.Inputs) > 0 || len(e.Outputs) != 1 {
			continue
		}
		t := Test{Name: e.Name, Signature: e.Name + "()", Kind: InvariantTest}
		t.File, t.Line = places(t.Signature)
		switch result := e.Outputs[0].Type; {
		case h.Checks.IsProperty(e.Name, result):
			properties = append(properties, t)
		case h.Checks.IsMaximized(e.Name, result):
			maximized = append(maximized, t)
		}
	}
	return append(properties, maximized...)
}

// IsProperty reports whether a function without parameters, with one result, says
// whether the state is as it must be.
func (c *HarnessChecks) IsProperty(name, result string) bool {
	return c.Properties && result == "bool" && prefixed(name, c.Prefixes)
}

// IsMaximized reports whether a function without parameters returns a number to maximize.
func (c *HarnessChecks) IsMaximized(name, result string) bool {
	return c.Optimization && result == MaximizedType && prefixed(name, c.Maximized)
}

// MaximizedType is what functions to maximize return.
const MaximizedType = "int256"

// IsCheck reports whether a name is one of properties or of functions to maximize.
func (c *HarnessChecks) IsCheck(name string) bool {
	return prefixed(name, c.Prefixes) || prefixed(name, c.Maximized)
}

func prefixed(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// TestConfig returns how the project runs the tests of c: as forge without a
// configuration, if it says nothing.
func (c *Contract) TestConfig() TestConfig {
	config := DefaultTestConfig()
	if c.Build != nil && c.Build.Tests != nil {
		config = *c.Build.Tests
	}
	if h := c.Harness(); h != nil {
		return h.Reach(config)
	}
	return config
}

// Reach returns what a configuration of tests says with what a harness may reach of the
// machine: programs, and the chain it starts from.
func (h *HarnessConfig) Reach(tests TestConfig) TestConfig {
	tests.Cheats.FFI = h.FFI || tests.Cheats.FFI
	tests.Fork.URL, tests.Fork.Block = h.Fork.URL, h.Fork.Block
	return tests
}
