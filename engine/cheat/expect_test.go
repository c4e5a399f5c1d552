package cheat

import (
	"strings"
	"testing"
)

func TestExpectedReverts(t *testing.T) {
	run(t, "Expect.sol", "Reverts", false, []expectation{
		{"any", ""}, {"reason", ""}, {"encodedReason", ""},
		{"otherReason", "Error != expected error: other != text"},
		{"selector", "Error != expected error: custom error 0x…"},
		{"partialMatch", ""}, {"encodedCustom", ""},
		{"otherCustom", "Error != expected error: custom error 0x…"},
		{"noData", "call reverted as expected, but without data"},
		{"emptyData", ""}, {"halts", ""}, {"returnsZero", ""},
		{"noRevert", "next call did not revert as expected"},
		{"dangling", "call didn't revert at a lower depth than cheatcode call depth"},
		{"internalRevert", "call didn't revert at a lower depth than cheatcode call depth"},
		{"twice", "call didn't revert at a lower depth than cheatcode call depth"},
		{"creation", ""},
		{"creationSucceeds", "next call did not revert as expected"},
		{"counted", ""},
		{"countedOnce", "next call did not revert as expected"},
		{"zeroTimes", ""},
		{"zeroTimesFails", "call reverted when it was expected not to revert"},
		{"zeroTimesReason", "expected 0 reverts with reason: text, but got one"},
		{"reverter", ""},
		{"otherReverter", "Reverter != expected reverter: 0x…"},
		{"innermostReverter", ""},
		{"afterwards", "other"},
		{"cheatcode", ""},
		{"cheatcodeFine", "next call did not revert as expected"},
		{"tolerate", "FOUNDRY::ASSUME"},
		{"tolerateFine", "text"},
		{"toleratePattern", "FOUNDRY::ASSUME"},
		{"tolerateOther", "text"},
		{"tolerateTwice", "FOUNDRY::ASSUME"},
	})
}

func TestInternalReverts(t *testing.T) {
	code := compile(t, "Expect.sol")["Reverts"]
	for _, c := range []expectation{
		{"internalRevert", ""}, {"reason", ""}, {"noRevert", "next call did not revert as expected"}, {"dangling", "next call did not revert as expected"},
	} {
		f := newFixture(t)
		f.cheats.Config.ExpectInternal = true
		if got := reason(f.call(f.deploy(code), c.function+"()")); got != c.reason {
			t.Errorf("%s: %q, want %q", c.function, got, c.reason)
		}
	}
}

func TestExpectedRevertsInWordsOfTheContract(t *testing.T) {
	f := newFixture(t)
	f.cheats.Config.Explain = func(data []byte) string {
		if len(data) > 4 {
			return "Poor(" + string('0'+rune(data[35])) + ", 7)"
		}
		return "Poor"
	}
	got := reason(f.call(f.deploy(compile(t, "Expect.sol")["Reverts"]), "otherCustom()"))
	if want := "Error != expected error: Poor(1, 7) != Poor(2, 7)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExpectedEvents(t *testing.T) {
	word := func(n string) string { return "0x" + strings.Repeat("0", 63) + n }
	run(t, "Expect.sol", "Emits", false, []expectation{
		{"same", ""},
		{"otherTopic", "log mismatch at param 0: expected=" + word("1") + ", got=" + word("3")},
		{"otherData", "log mismatch at param 1: expected=" + word("2") + ", got=" + word("3")},
		{"otherEvent", "log != expected log"},
		{"unchecked_", ""}, {"emitter", ""},
		{"otherEmitter", "log emitter mismatch: expected=0x0000000000000000000000000000000000000001, got=0x…"},
		{"order", ""},
		{"wrongOrder", "log != expected log"},
		{"skipped", ""},
		{"late", "log != expected log"},
		{"dangling", "expected an emit, but no logs were emitted afterwards. you might have mismatched events or not enough events were emitted"},
		{"danglingModel", "expected an emit, but no logs were emitted afterwards. you might have mismatched events or not enough events were emitted"},
		{"reverts", "fails"},
		{"never", ""},
		{"neverBut", "log emitted but expected 0 times"},
		{"countedEmitter", ""},
		{"tooFew", "log != expected log"},
		{"anonymous_", ""},
		{"anonymousOther", "anonymous log mismatch at param 0: expected=" + word("1") + ", got=" + word("2")},
		{"anonymousPlain", "use vm.expectEmitAnonymous to match anonymous events"},
	})
}

func TestExpectedCalls(t *testing.T) {
	run(t, "Expect.sol", "Calls", false, []expectation{
		{"once", ""}, {"selector", ""}, {"inner", ""},
		{"never", "expected call to 0x…"},
		{"twiceExpected", "expected call to 0x…"},
		{"counted", ""},
		{"tooOften", "expected call to 0x…"},
		{"zeroTimes", ""}, {"value", ""},
		{"otherValue", "expected call to 0x…"},
		{"gas", ""}, {"leastGas", ""},
		{"tooLittleGas", "expected call to 0x…"},
		{"delegate", ""},
		{"notDelegate", "expected call to 0x…"},
		{"overwrite", "vm.expectCall: cannot overwrite a counted expectCall with a non-counted expectCall"},
		{"created", ""}, {"created2", ""},
		{"notCreated", "expected CREATE call by address 0x…"},
		{"otherCreator", "expected CREATE2 call by address 0x0000000000000000000000000000000000000001 for bytecode 0x00 but not found"},
	})
}

func TestExpectedCallsAreDescribed(t *testing.T) {
	code := compile(t, "Expect.sol")["Calls"]
	for name, want := range map[string]string{
		"never":         "with data 0x771602f7 to be called 1 time, but was called 0 times",
		"tooOften":      "with data 0x771602f7 to be called 1 time, but was called 2 times",
		"otherValue":    "with data 0x771602f7, value 3 to be called 1 time, but was called 0 times",
		"tooLittleGas":  "with data 0x771602f7, value 0, minimum gas 50000 to be called 1 time, but was called 0 times",
		"notDelegate":   "with data 0x771602f7, call type DelegateCall to be called 1 time, but was called 0 times",
		"twiceExpected": "with data 0x771602f7 to be called 2 times, but was called 1 time",
	} {
		f := newFixture(t)
		if got := reason(f.call(f.deploy(code), name+"()")); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}
