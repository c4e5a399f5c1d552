package cheat

import (
	"bytes"
	"errors"
	"fmt"
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// An expectedRevert is what vm.expectRevert waits for.
type expectedRevert struct {
	revertPattern
	depth     int             // of the frame that expects it
	deepest   int             // frame since then
	count     uint64          // reverts to be seen
	seen      uint64          // so far
	by        *common.Address // that reverted
	cheatcode bool            // a cheatcode is to revert, instead of a call
	entered   bool            // of those: the cheatcode that expects it is over
}

// A revertPattern says which reverts are meant.
type revertPattern struct {
	reason   []byte // data of the revert, or the text of its reason
	any      bool   // whatever the reason is
	partial  bool   // only the first four bytes of the reason count
	reverter *common.Address
}

// A toleratedRevert is what vm.assumeNoRevert rejects inputs for.
type toleratedRevert struct {
	depth    int
	patterns []revertPattern // none: every revert
	by       *common.Address
}

// reverts are what tests expect of reverts.
type reverts struct {
	expected  *expectedRevert
	tolerated *toleratedRevert
}

func (r *reverts) clone() reverts {
	own := *r
	if r.expected != nil {
		e := *r.expected
		own.expected = &e
	}
	if r.tolerated != nil {
		t := *r.tolerated
		own.tolerated = &t
	}
	return own
}

var revertRows = func() []row {
	const (
		partial = 1 << iota
		cheatcode
	)
	// expect makes a handler from the positions of arguments; -1: there is none.
	expect := func(reason, reverter, count, flags int) func(*call) error {
		return func(c *call) error {
			e := expectedRevert{count: 1, cheatcode: flags&cheatcode != 0}
			e.any, e.partial = reason < 0, flags&partial != 0
			if reason >= 0 {
				e.reason = c.bytes(reason)
			}
			if reverter >= 0 {
				a := c.address(reverter)
				e.reverter = &a
			}
			if count >= 0 {
				e.count = c.number(count)
			}
			return c.expectRevert(&e)
		}
	}
	rows := []row{
		{"expectRevert()", "", expect(-1, -1, -1, 0), "expects the next call to revert"},
		{"expectRevert(address)", "", expect(-1, 0, -1, 0), "expects the next call to revert in a contract"},
		{"expectRevert(uint64)", "", expect(-1, -1, 0, 0), "expects the next calls to revert"},
		{"expectRevert(address,uint64)", "", expect(-1, 0, 1, 0), "expects the next calls to revert in a contract"},
		{"expectPartialRevert(bytes4)", "", expect(0, -1, -1, partial), "expects the next call to revert with a custom error of any arguments"},
		{"expectPartialRevert(bytes4,address)", "", expect(0, 1, -1, partial), "expects the next call to revert in a contract with a custom error of any arguments"},
		{"_expectCheatcodeRevert()", "", expect(-1, -1, -1, cheatcode), "expects the next cheatcode to fail"},
		{"assumeNoRevert()", "", func(c *call) error { return c.assumeNoRevert(nil) }, "rejects the input if the next call reverts"},
		{"assumeNoRevert((address,bool,bytes))", "", func(c *call) error { return c.assumeNoRevert(c.args) }, "rejects the input if the next call reverts in a way"},
		{"assumeNoRevert((address,bool,bytes)[])", "", func(c *call) error { return c.assumeNoRevert(c.args[0].Elems) }, "rejects the input if the next call reverts in one of several ways"},
	}
	for _, t := range []string{"bytes4", "bytes"} {
		rows = append(rows,
			row{"expectRevert(" + t + ")", "", expect(0, -1, -1, 0), "expects the next call to revert with a reason"},
			row{"expectRevert(" + t + ",address)", "", expect(0, 1, -1, 0), "expects the next call to revert in a contract with a reason"},
			row{"expectRevert(" + t + ",uint64)", "", expect(0, -1, 1, 0), "expects the next calls to revert with a reason"},
			row{"expectRevert(" + t + ",address,uint64)", "", expect(0, 1, 2, 0), "expects the next calls to revert in a contract with a reason"},
			row{"_expectCheatcodeRevert(" + t + ")", "", expect(0, -1, -1, cheatcode), "expects the next cheatcode to fail with a reason"})
	}
	return rows
}()

func (c *call) expectRevert(e *expectedRevert) error {
	r := &c.memory.reverts
	if r.expected != nil {
		return errors.New("you must call another function prior to expecting a second revert")
	}
	e.depth, e.deepest = c.depth(), c.depth()
	r.expected = e
	return nil
}

func (c *call) assumeNoRevert(tolerated []input.Value) error {
	r := &c.memory.reverts
	if r.tolerated != nil {
		return errors.New("you must make another external call prior to calling assumeNoRevert again")
	}
	t := &toleratedRevert{depth: c.depth()}
	for i := range tolerated {
		fields := tolerated[i].Elems
		p := revertPattern{partial: !fields[1].Word.IsZero(), reason: fields[2].Data}
		if a := fields[0].Address(); a != (common.Address{}) {
			p.reverter = &a
		}
		t.patterns = append(t.patterns, p)
	}
	r.tolerated = t
	return nil
}

// enter notes that a frame opens.
func (r *reverts) enter(depth int) {
	if r.expected != nil {
		r.expected.deepest = max(depth+1, r.expected.deepest)
	}
}

// reject ends a call that vm.assumeNoRevert is for; it reports whether it did.
func (r *reverts) reject(depth int, m *evm.Message, e *evm.Ending, custom func([]byte) string) bool {
	t := r.tolerated
	if t == nil {
		return false
	}
	if rejects(e) && t.by == nil {
		by := m.Self
		t.by = &by
	}
	if depth > t.depth || isCheat(m) {
		return false
	}
	r.tolerated = nil
	if !rejects(e) {
		return false
	}
	for i := range t.patterns {
		if t.patterns[i].match(e, t.by, false, custom) == nil {
			e.Output = cheatcodeError(string(magicAssume))
			return true
		}
	}
	if len(t.patterns) == 0 {
		e.Output = cheatcodeError(string(magicAssume))
	} else {
		e.Err = evm.ErrReverted
	}
	return true
}

// satisfy compares how a call ended with what is expected, and makes it succeed
// if that came; it reports whether the expectation is over.
func (r *reverts) satisfy(depth int, m *evm.Message, e *evm.Ending, c *Config) bool {
	x := r.expected
	if x == nil {
		return false
	}
	if e.Failed() && x.reverter != nil && (x.by == nil || x.count > 1) {
		by := m.Self
		x.by = &by
	}
	if depth > x.depth {
		return false
	}
	if !x.due(depth, isCheat(m), e.Failed(), c.ExpectInternal) {
		x.entered = true
		return false
	}
	r.expected = nil
	if err := x.check(e, isCheat(m), c); err != nil {
		fail(e, err.Error())
		return true
	}
	if x.seen++; x.seen < x.count {
		r.expected = x
	}
	e.Err, e.Output = nil, zeroOutput
	return true
}

// satisfyCreation is satisfy for a creation.
func (r *reverts) satisfyCreation(depth int, e *evm.Ending, c *Config) bool {
	x := r.expected
	if x == nil {
		return false
	}
	if rejects(e) && x.reverter != nil && x.by == nil && e.Created != (common.Address{}) {
		by := e.Created
		x.by = &by
	}
	if depth > x.depth || x.cheatcode {
		return false
	}
	r.expected = nil
	if err := x.check(e, false, c); err != nil {
		fail(e, err.Error())
		return true
	}
	if x.seen++; x.seen < x.count {
		x.by = nil
		r.expected = x
	}
	e.Err, e.Output, e.Created = nil, nil, someContract
	return true
}

// What calls and creations return that reverted as expected: enough zeros for
// Solidity to decode.
var (
	zeroOutput   = make([]byte, 8192)
	someContract = common.Address{19: 1}
)

// due reports whether the end of a message decides an expectation.
func (x *expectedRevert) due(depth int, cheatcode, failed, internal bool) bool {
	if x.cheatcode {
		return cheatcode && x.entered
	}
	switch {
	case cheatcode:
		return false
	case failed, depth == 0:
		return true
	}
	return !internal
}

// check tells what is wrong with how a message ended; nil if it is as expected.
func (x *expectedRevert) check(e *evm.Ending, cheatcode bool, c *Config) error {
	if !cheatcode && !c.ExpectInternal && x.deepest <= x.depth {
		return errors.New("call didn't revert at a lower depth than cheatcode call depth")
	}
	if x.count == 0 {
		return x.checkNone(e)
	}
	if !e.Failed() {
		return errors.New("next call did not revert as expected")
	}
	return x.match(e, x.by, cheatcode, c.Explain)
}

// checkNone tells what is wrong where no revert is expected.
func (x *expectedRevert) checkNone(e *evm.Ending) error {
	if !e.Failed() {
		return nil
	}
	if x.any && x.reverter == nil {
		return errors.New("call reverted when it was expected not to revert")
	}
	actual := unwrapped(e.Output)
	sameReason := !x.any && bytes.Equal(actual, x.reason)
	sameReverter := x.reverter != nil && x.by != nil && *x.reverter == *x.by
	var by common.Address
	if x.by != nil {
		by = *x.by
	}
	switch {
	case sameReason && sameReverter:
		return fmt.Errorf("expected 0 reverts with reason: %s, from address: %s, but got one", plain(x.reason), x.reverter.Hex())
	case sameReason && x.reverter == nil:
		return fmt.Errorf("expected 0 reverts with reason: %s, but got one", plain(x.reason))
	case sameReverter && x.any:
		return fmt.Errorf("expected 0 reverts from address: %s, but got one", x.reverter.Hex())
	case x.reverter != nil && !x.any:
		return fmt.Errorf("call reverted with '%s' from %s, but expected 0 reverts with reason '%s' from %s", plain(actual), by.Hex(), plain(x.reason), x.reverter.Hex())
	case x.reverter != nil:
		return fmt.Errorf("call reverted with '%s' from %s, but expected 0 reverts from %s", plain(actual), by.Hex(), x.reverter.Hex())
	}
	return fmt.Errorf("call reverted with '%s' when it was expected not to revert", plain(actual))
}

// match tells how a failed message differs from a pattern; nil if it does not.
func (p *revertPattern) match(e *evm.Ending, by *common.Address, cheatcode bool, custom func([]byte) string) error {
	if p.reverter != nil && by != nil && *p.reverter != *by {
		return fmt.Errorf("Reverter != expected reverter: %s != %s", by.Hex(), p.reverter.Hex())
	}
	if p.any {
		return nil
	}
	actual := e.Output
	if len(actual) == 0 && len(p.reason) > 0 {
		if e.Err == evm.ErrReverted {
			return errors.New("call reverted as expected, but without data")
		}
		actual = []byte(Explain(nil, e.Err, nil))
	}
	if p.partial && sameStart(actual, p.reason) {
		return nil
	}
	actual = unwrapped(actual)
	if bytes.Equal(actual, p.reason) || cheatcode && bytes.Contains(actual, p.reason) {
		return nil
	}
	if len(p.reason) >= 4 && [4]byte(p.reason) == selectorError {
		if text, ok := decodeText(p.reason[4:]); ok && text == string(actual) {
			return nil
		}
	}
	is, want := Explain(actual, e.Err, custom), Explain(p.reason, e.Err, custom)
	if is == want {
		return nil
	}
	return fmt.Errorf("Error != expected error: %s != %s", is, want)
}

// sameStart compares the selectors of two errors.
func sameStart(a, b []byte) bool {
	if len(a) < 4 || len(b) < 4 {
		return len(a) < 4 && len(b) < 4
	}
	return [4]byte(a) == [4]byte(b)
}

// unwrapped returns the text of Error(string) or CheatcodeError(string), and other
// data as it is.
func unwrapped(output []byte) []byte {
	if len(output) >= 4 && ([4]byte(output) == selectorError || [4]byte(output) == selectorCheatcodeError) {
		if text, ok := decodeText(output[4:]); ok {
			return []byte(text)
		}
	}
	return output
}
