package foundry

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"leveret/engine/oracle"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
)

// A check is how a test detects the failure: one row per kind of observable, and
// the first that fits is used. Rows for a finding.Effect are in effects.go.
type check struct {
	name     string
	fits     func(*test) bool
	data     bool        // reads the return data
	follows  bool        // checks the state after the last call, not its status
	recorded bool        // reads what Foundry records of the last call
	gas      int         // of the last call; 0: all that is left
	before   func(*test) // writes code before the last call
	write    func(*test) // writes code after it
}

// allGas is the gas of a call that must show whether it loses all of it.
const allGas = 30_000_000

var checks = append([]check{
	{
		name:    "property",
		fits:    func(t *test) bool { return t.finding.Observable.Property != "" },
		data:    true,
		follows: true,
		write: func(t *test) {
			t.printf("\n")
			t.line("// Check the property.")
			t.line("vm.prank(deployer, deployer);")
			t.line("(ok, data) = %s.call(abi.encodeWithSignature(%q));",
				t.address(t.finding.Witness.UnderTest().Address), t.finding.Observable.Property)
			t.demand("ok && (data.length < 32 || abi.decode(data, (uint256)) != 0)")
		},
	},
	{
		name:   "event",
		fits:   func(t *test) bool { return t.checks() && t.finding.Observable.Event != "" },
		before: func(t *test) { t.line("vm.recordLogs();") },
		write: func(t *test) {
			t.demand(fmt.Sprintf("!emitted(0x%x)", crypto.Keccak256([]byte(t.finding.Observable.Event))))
		},
	},
	{
		name: "panic",
		fits: func(t *test) bool { _, ok := t.panicCode(); return t.checks() && ok },
		data: true,
		write: func(t *test) {
			code, _ := t.panicCode()
			t.demand(fmt.Sprintf("!panics(ok, data, 0x%02x)", code))
		},
	},
	{
		name: "gas",
		fits: func(t *test) bool {
			s := t.finding.Observable
			return t.checks() && s.Fails && len(s.Data) == 0 && !atLeast(t.contract.Solc, 0, 8, 0)
		},
		data:   true,
		gas:    allGas,
		before: weighGas,
		write:  demandGas,
	},
}, effectChecks...)

// checks reports whether the finding is a failed assertion or compiler check.
func (t *test) checks() bool {
	o := oracle.Named(t.finding.Oracle)
	return o != nil && o.FailedCheck
}

// weighGas and demandGas check that a call does not lose all its gas.
func weighGas(t *test) { t.line("uint256 spent = gasleft();") }

func demandGas(t *test) {
	t.line("spent -= gasleft();")
	t.demand(fmt.Sprintf("ok || data.length > 0 || spent < %d", allGas))
}

// panicCode returns the code with which the last transaction reverts as
// Panic(uint256).
func (t *test) panicCode() (uint64, bool) {
	data := t.finding.Observable.Data
	if !t.finding.Observable.Fails || len(data) != 36 || hex.EncodeToString(data[:4]) != "4e487b71" {
		return 0, false
	}
	return binary.BigEndian.Uint64(data[28:]), true
}

// demand writes a condition that must hold, with the finding's message.
func (t *test) demand(condition string) {
	t.line("require(%s, %s);", condition, solidityString(t.finding.Message))
}

// solidityString quotes a message as an ASCII literal.
func solidityString(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, strings.ReplaceAll(s, "…", "..."))
	return strconv.Quote(s)
}
