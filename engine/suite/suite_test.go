package suite_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/engine/suite"
	"leveret/solc"
)

// newSuite deploys a test contract of testdata, with a changed configuration.
func newSuite(t *testing.T, name string, change func(*solc.TestConfig)) *suite.Suite {
	t.Helper()
	return suiteOf(t, "testdata/Suite.t.sol", name, change)
}

// suiteOf deploys a test contract of a file.
func suiteOf(t *testing.T, file, name string, change func(*solc.TestConfig)) *suite.Suite {
	t.Helper()
	return suiteWith(t, file, name, suite.Options{}, change)
}

// suiteWith is suiteOf with options, whose Config and clock it sets.
func suiteWith(t *testing.T, file, name string, o suite.Options, change func(*solc.TestConfig)) *suite.Suite {
	t.Helper()
	b := searchtest.Compile(t, file)
	o.Config, o.Now = solc.DefaultTestConfig(), time.Now
	if change != nil {
		change(&o.Config)
	}
	s, err := suite.New(context.Background(), searchtest.Contract(t, b, name), b.Contracts, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// test returns the test of a suite with a name.
func test(t *testing.T, s *suite.Suite, name string) solc.Test {
	t.Helper()
	for _, candidate := range s.Tests.Tests {
		if candidate.Name == name {
			return candidate
		}
	}
	t.Fatalf("%s has no test %s", s.Program.UnderTest.Name, name)
	return solc.Test{}
}

// Each test starts from the state after setUp and gets forge's verdict.
func TestVerdicts(t *testing.T) {
	s := newSuite(t, "VerdictTest", func(c *solc.TestConfig) { c.Chain.GasLimit = 10_000_000 })
	if f := s.Fault(); f != nil {
		t.Fatal(f.Reason)
	}
	for _, row := range []struct {
		name   string
		status suite.Status
		reason string
	}{
		{"testPasses", suite.Passed, ""},
		{"testAgain", suite.Passed, ""},
		{"testError", suite.Failed, "Full(10)"},
		{"testPanic", suite.Failed, "panic: assertion failed (0x01)"},
		{"testReason", suite.Failed, "not today"},
		{"testSkips", suite.Skipped, "later"},
		{"testRejects", suite.Rejected, ""},
		{"testFree", suite.Passed, ""},
		{"testLinked", suite.Passed, ""},
		{"testEndless", suite.Failed, "EvmError: OutOfGas"},
	} {
		v := s.Run(context.Background(), test(t, s, row.name))
		if v.Status != row.status || v.Reason != row.reason && row.status != suite.Rejected {
			t.Errorf("%s: %s, %q; want %s, %q", row.name, v.Status, v.Reason, row.status, row.reason)
		}
		if v.Status == suite.Passed && v.Gas == 0 {
			t.Errorf("%s used no gas", row.name)
		}
	}
}

// gas_price is what tests read of their transactions.
func TestGasPrice(t *testing.T) {
	s := newSuite(t, "VerdictTest", func(c *solc.TestConfig) { c.Chain.GasPrice = 7 })
	if v := s.Run(context.Background(), test(t, s, "testFree")); v.Reason != "gas is not free" {
		t.Errorf("%s, %q", v.Status, v.Reason)
	}
}

// Verdicts are the same if the functions that tests execute are recorded.
func TestRecord(t *testing.T) {
	for file, contract := range map[string]string{"Suite": "VerdictTest", "Gas": "GasTest", "Isolate": "IsolateTest"} {
		file = "testdata/" + file + ".t.sol"
		limited := func(c *solc.TestConfig) { c.Chain.GasLimit, c.Isolate = 10_000_000, file == "testdata/Isolate.t.sol" }
		without, with := suiteOf(t, file, contract, limited), suiteWith(t, file, contract, suite.Options{Record: true}, limited)
		for _, x := range with.Tests.Tests {
			want, got := without.Run(context.Background(), x), with.Run(context.Background(), x)
			if own := file + ":" + contract + "." + x.Name; !slices.Contains(got.Executed, own) {
				t.Errorf("%s executed %q", own, got.Executed)
			}
			if got.Status != want.Status || got.Reason != want.Reason || got.Gas != want.Gas || !slices.Equal(got.Lines, want.Lines) {
				t.Errorf("%s: %+v, want %+v", x.Name, got, want)
			}
		}
	}
}

// With isolate, calls of a test are transactions of their own: the tests say what
// forge does. Without it, those fail that see a difference.
func TestIsolate(t *testing.T) {
	s := suiteOf(t, "testdata/Isolate.t.sol", "IsolateTest", func(c *solc.TestConfig) { c.Isolate = true })
	without := suiteOf(t, "testdata/Isolate.t.sol", "IsolateTest", nil)
	for _, x := range s.Tests.Tests {
		if v := s.Run(context.Background(), x); v.Status != suite.Passed {
			t.Errorf("%s: %s, %s", x.Name, v.Status, v.Reason)
		}
		if v := without.Run(context.Background(), x); (v.Status == suite.Passed) != (x.Name == "testOwnWords" || x.Name == "testLeaves") {
			t.Errorf("%s without isolate: %s, %s", x.Name, v.Status, v.Reason)
		}
	}
}

// What reverts as expected gives back its gas and its refund, and the call that ends
// pauseGasMetering is paid for. The figures are forge's, of 1.7.1.
func TestForgeGas(t *testing.T) {
	s := suiteOf(t, "testdata/Gas.t.sol", "GasTest", nil)
	for name, gas := range map[string]uint64{
		"testCatch": 46226, "testChild": 38931, "testCreate": 42475, "testCreateInv": 42244, "testInv": 13118,
		"testLoop": 105987, "testModifier": 3103, "testNested": 1040429536, "testPause": 27701, "testPoor": 14674,
		"testRefund": 22189, "testRefundZ": 8361, "testTwice": 11072, "testWrite": 1040429505,
	} {
		if v := s.Run(context.Background(), test(t, s, name)); v.Status != suite.Passed || v.Gas != gas {
			t.Errorf("%s: %s, %s, gas %d; want %d", name, v.Status, v.Reason, v.Gas, gas)
		}
	}
}

// What cheatcodes leave of frames that fail in setUp is there in the tests if setUp
// touched the account.
func TestLeft(t *testing.T) {
	s := suiteOf(t, "testdata/Left.t.sol", "LeftTest", nil)
	if f := s.Fault(); f != nil {
		t.Fatal(f.Reason)
	}
	for _, c := range s.Tests.Tests {
		if v := s.Run(context.Background(), c); v.Status != suite.Passed {
			t.Errorf("%s: %s, %s", c.Name, v.Status, v.Reason)
		}
	}
}

// The way to a failure begins where it happens and leads to the test.
func TestTrace(t *testing.T) {
	s := newSuite(t, "VerdictTest", nil)
	failing := test(t, s, "testError")
	trail := s.Trace(context.Background(), failing).Trail()
	if len(trail) < 2 || trail[0].Own || !strings.Contains(trail[0].Text, "Full(n)") {
		t.Fatalf("trail %+v", trail)
	}
	if last := trail[len(trail)-1]; !last.Own || last.Place.Start.Line != failing.Line+1 {
		t.Errorf("the trail ends at %+v", last.Place)
	}
	if trail := s.Trace(context.Background(), test(t, s, "testPasses")).Trail(); len(trail) > 0 {
		t.Errorf("a test that passes has the trail %+v", trail)
	}
}

// A setUp that fails is the verdict on all tests.
func TestFault(t *testing.T) {
	s := newSuite(t, "BrokenTest", nil)
	if f := s.Fault(); f == nil || f.Test.Name != "setUp" || f.Reason != "no set-up" || len(s.FaultTrail()) == 0 {
		t.Fatalf("fault %+v", f)
	}
	if v := s.Run(context.Background(), test(t, s, "testNothing")); v.Status != suite.Failed || v.Reason != "no set-up" {
		t.Errorf("%+v", v)
	}
}

func TestTables(t *testing.T) {
	s := newSuite(t, "TableTest", nil)
	for name, reason := range map[string]string{
		"tableSmall": "", "tableLarge": "large",
		"tableUneven":  "fixtures of one test have 3 and 2 values; give all the same number",
		"tableMissing": "parameter other has no fixture; add a function or public array fixtureOther that returns its values",
	} {
		v := s.Table(context.Background(), test(t, s, name))
		if v.Reason != reason || (v.Status == suite.Failed) != (reason != "") {
			t.Errorf("%s: %s, %q", name, v.Status, v.Reason)
		}
	}
}

// Invariants call the contracts of setUp but those that are excluded, of a contract
// with selectors only these, from the senders that the test names.
func TestTargets(t *testing.T) {
	s := newSuite(t, "TargetTest", nil)
	targets, err := s.Targets()
	if err != nil {
		t.Fatal(err)
	}
	var functions []string
	for _, target := range targets {
		names := ""
		for _, f := range target.Functions {
			names += f.Name + " "
		}
		functions = append(functions, target.Contract.Name+": "+names)
	}
	slices.Sort(functions)
	if got, want := strings.Join(functions, "\n"), "Box: drop put \nBox: put "; got != want {
		t.Errorf("targets %s", got)
	}
	if senders := s.Senders(); len(senders) != 1 || senders[0] != input.Actor(common.HexToAddress("0x07")) {
		t.Errorf("senders %v", senders)
	}
}

// A test with all the gas there is ends with one message, and its state stays small.
func TestHostile(t *testing.T) {
	s := newSuite(t, "HostileTest", func(c *solc.TestConfig) { c.Chain.GasLimit, c.Chain.MemoryLimit = math.MaxUint64, 32<<20 })
	const memory, held, work = "needs more than 32 MB of memory", "keeps more than 128 MB", "did not end within"
	for name, reason := range map[string]string{
		"testMemory": memory, "testFrames": memory, "testLabels": held, "testLogs": held, "testContracts": held, "testStateDiff": held,
		"testCopies": work, "testAnswers": work,
	} {
		v := s.Run(context.Background(), test(t, s, name))
		if v.Status != suite.Failed || !strings.Contains(v.Reason, reason) {
			t.Errorf("%s: %s, %q; want %q", name, v.Status, v.Reason, reason)
		}
	}
}

// What a contract says about a failure is cut.
func TestLongReason(t *testing.T) {
	s := newSuite(t, "HostileTest", nil)
	for name, status := range map[string]suite.Status{"testReason": suite.Failed, "testSkips": suite.Skipped} {
		v := s.Run(context.Background(), test(t, s, name))
		if v.Status != status || len(v.Reason) > 5000 || !strings.HasSuffix(v.Reason, "… (1048576 bytes in all)") {
			t.Errorf("%s: %s with %d bytes", name, v.Status, len(v.Reason))
		}
	}
}

// memory_limit is followed up to what a machine can give.
func TestMemoryLimit(t *testing.T) {
	for limit, want := range map[uint64]int{0: 1, 1000: 1000, 128 << 20: 128 << 20, math.MaxUint64: 256 << 20} {
		s := newSuite(t, "VerdictTest", func(c *solc.TestConfig) { c.Chain.MemoryLimit = limit })
		if m, _ := s.NewMachine(); m.Bounds.Memory != want || m.Bounds.Held == 0 || m.Bounds.Work == 0 {
			t.Errorf("memory_limit %d: %+v", limit, m.Bounds)
		}
	}
}

// A call that reached a bound is no verdict on the input of a fuzz test.
func TestStatusOfBounds(t *testing.T) {
	s := newSuite(t, "VerdictTest", nil)
	w := evm.NewWorld(s.Program.Codes)
	for halt, want := range map[error]suite.Status{evm.ErrHeld: suite.Rejected, evm.ErrSlow: suite.Rejected, evm.ErrMemory: suite.Failed} {
		o := evm.Outcome{Status: evm.Halt, Halt: halt, Slow: halt != evm.ErrMemory}
		if got := s.Status(&o, w); got != want {
			t.Errorf("%v: %s, want %s", halt, got, want)
		}
	}
}
