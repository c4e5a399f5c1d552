package solc

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"leveret/solc/ast"
)

// A TestKind is what a function of a test contract is for.
type TestKind string

// The kinds of functions. The first four are tests.
const (
	UnitTest      TestKind = "unit"      // test…, without parameters
	FuzzTest      TestKind = "fuzz"      // test…, with parameters
	TableTest     TestKind = "table"     // table…, its parameters take the values of fixtures, row by row
	InvariantTest TestKind = "invariant" // invariant… or statefulFuzz…

	SetUpFunction    TestKind = "setUp"           // runs before each test
	AfterInvariant   TestKind = "afterInvariant"  // runs after each sequence of an invariant test
	BeforeTestSetup  TestKind = "beforeTestSetup" // names transactions that run before a test
	Fixture          TestKind = "fixture"         // has values of the parameter that its name names
	OrdinaryFunction TestKind = ""
)

// FunctionTestKind returns what an external function of a test contract is for, by its name
// and whether it has parameters, as forge 1.7 decides
// (TestFunctionKind::classify in crates/common/src/traits.rs).
func FunctionTestKind(name string, parameters bool) TestKind {
	switch {
	case strings.HasPrefix(name, "test") && parameters:
		return FuzzTest
	case strings.HasPrefix(name, "test"):
		return UnitTest
	case strings.HasPrefix(name, "invariant"), strings.HasPrefix(name, "statefulFuzz"):
		return InvariantTest
	case strings.HasPrefix(name, "table"):
		return TableTest
	case strings.EqualFold(name, "setUp") && !parameters:
		return SetUpFunction
	case strings.EqualFold(name, "afterInvariant"):
		return AfterInvariant
	case strings.EqualFold(name, "beforeTestSetup"):
		return BeforeTestSetup
	case strings.HasPrefix(name, "fixture"):
		return Fixture
	}
	return OrdinaryFunction
}

// A Test is a test function of a contract.
type Test struct {
	Name      string
	Signature string // "testDeposit(uint256)"
	Kind      TestKind
	Removed   bool   // testFail…, which forge no longer runs
	File      string // source unit name of the definition, which may be that of a base contract; empty if unknown
	Line      int    // of the function's name, 1-based; 0 if unknown
}

// RemovedTest tells why a test contract with a testFail… function fails.
const RemovedTest = "testFail* has been removed; expect the revert with vm.expectRevert in a function test_RevertWhen_…"

// A TestSuite is the functions of a test contract that forge calls.
type TestSuite struct {
	Tests           []Test // sorted by signature
	SetUp           bool   // there is a setUp()
	AfterInvariant  bool   // there is an afterInvariant()
	BeforeTestSetup bool
	Fixtures        []string // signatures, sorted
	Fault           string   // why no test can run, a sentence without full stop; empty if they can
	Warnings        []string // misspelled functions, which are not called
}

// Has reports whether there is a test of a kind.
func (s *TestSuite) Has(kind TestKind) bool {
	return slices.ContainsFunc(s.Tests, func(t Test) bool { return t.Kind == kind })
}

// Tests returns the tests of a contract: those of its suite, sorted by signature, or of
// a harness its properties; none if it is neither.
func Tests(c *Contract) []Test {
	if h := c.Harness(); h != nil {
		return h.Tests(c)
	}
	if s := Suite(c); s != nil {
		return s.Tests
	}
	return nil
}

// Suite returns the test suite of a contract, or nil if it is no test contract.
// A test contract has code, a constructor without parameters, and a test. That
// it inherits from Test, or has IS_TEST, is not required. It is read once and shared:
// neither it nor the contract may change after that.
func Suite(c *Contract) *TestSuite {
	c.suiteSet.Do(func() { c.suite = c.readSuite() })
	return c.suite
}

func (c *Contract) readSuite() *TestSuite {
	if !c.Deployable() || c.constructorInputs() > 0 {
		return nil
	}
	places := c.places()
	s := &TestSuite{}
	setUps, after := 0, 0
	for _, signature := range slices.Sorted(maps.Keys(c.Methods)) {
		name, rest, _ := strings.Cut(signature, "(")
		switch kind := FunctionTestKind(name, rest != ")"); kind {
		case UnitTest, FuzzTest, TableTest, InvariantTest:
			t := Test{Name: name, Signature: signature, Kind: kind, Removed: strings.HasPrefix(name, "testFail")}
			if t.Removed {
				t.Kind = UnitTest // it fails without a call
			}
			t.File, t.Line = places(signature)
			s.Tests = append(s.Tests, t)
		case SetUpFunction:
			setUps++
			s.SetUp = s.called(signature, "setUp") || s.SetUp
		case AfterInvariant:
			after++
			s.AfterInvariant = s.called(signature, "afterInvariant") || s.AfterInvariant
		case BeforeTestSetup:
			s.BeforeTestSetup = true
		case Fixture:
			s.Fixtures = append(s.Fixtures, signature)
		}
	}
	switch {
	case len(s.Tests) == 0:
		return nil
	case setUps > 1:
		s.Fault = "multiple setUp functions; keep one"
	case after > 1:
		s.Fault = "multiple afterInvariant functions; keep one"
	}
	return s
}

// called reports whether a function has the name that forge calls, and warns if
// only its letters' case differs.
func (s *TestSuite) called(signature, name string) bool {
	have, _, _ := strings.Cut(signature, "(")
	if have == name {
		return true
	}
	s.Warnings = append(s.Warnings, signature+" is not called; did you mean "+name+"()?")
	return false
}

// constructorInputs returns the number of the constructor's parameters.
func (c *Contract) constructorInputs() int {
	for _, entry := range c.abiEntries() {
		if entry.Type == "constructor" {
			return len(entry.Inputs)
		}
	}
	return 0
}

// An abiEntry is a part of a JSON ABI, with the types of parameters and results.
type abiEntry struct {
	Type, Name      string
	Inputs, Outputs []struct{ Type string }
}

// abiEntries reads the ABI; none if that is not possible.
func (c *Contract) abiEntries() (list []abiEntry) {
	if json.Unmarshal(c.ABI, &list) != nil {
		return nil
	}
	return list
}

// places returns a function that finds file and line of a function of c.
func (c *Contract) places() func(signature string) (file string, line int) {
	found := map[string]*ast.Node{}
	if c.Node != nil && c.Build != nil {
		trees := c.Build.Trees()
		for _, f := range append(trees.Functions(c.Node, false), trees.StateVariables(c.Node)...) {
			if signature, ok := trees.Signature(f); ok && found[signature] == nil {
				found[signature] = f
			}
		}
	}
	return func(signature string) (string, int) {
		f := found[signature]
		if f == nil {
			return "", 0
		}
		source := c.Build.SpanSource(f.Span)
		if source == nil {
			return "", 0
		}
		return source.Name, source.Lines.Line(f.NameSpan(source.Text).Start)
	}
}

// IsScript reports whether c is a script of Foundry: it has IS_SCRIPT, as forge-std's
// Script does, or a function run in a file .s.sol.
func (c *Contract) IsScript() bool {
	if _, ok := c.Methods["IS_SCRIPT()"]; ok {
		return true
	}
	if !strings.HasSuffix(c.File, ".s.sol") || !c.Deployable() {
		return false
	}
	for signature := range c.Methods {
		if strings.HasPrefix(signature, "run(") {
			return true
		}
	}
	return false
}
