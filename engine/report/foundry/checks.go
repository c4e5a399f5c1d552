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

// A check is how a test tells that the failure is there: a row for each
// symptom, the first that fits counts. Those for a finding.Effect are in
// foundry_signs.go.
type check struct {
	name     string
	fits     func(*test) bool
	data     bool        // it looks at what is returned
	follows  bool        // it looks at the state that the last call leaves, not at how that ends
	recorded bool        // it looks at what Foundry records of the last call
	gas      int         // handed to the last call; 0: all there is
	before   func(*test) // written before the last call
	write    func(*test) // written behind it
}

// allGas is what a call gets where losing all of it matters.
const allGas = 30_000_000

var checks = append([]check{
	{
		name:    "property",
		fits:    func(t *test) bool { return t.finding.Observable.Property != "" },
		data:    true,
		follows: true,
		write: func(t *test) {
			t.printf("\n")
			t.line("// The property is looked at.")
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
}, signChecks...)

// checks reports whether the finding is that a check in the code fails.
func (t *test) checks() bool {
	o := oracle.Named(t.finding.Oracle)
	return o != nil && o.FailedCheck
}

// weighGas and demandGas look whether a call loses all its gas.
func weighGas(t *test) { t.line("uint256 spent = gasleft();") }

func demandGas(t *test) {
	t.line("spent -= gasleft();")
	t.demand(fmt.Sprintf("ok || data.length > 0 || spent < %d", allGas))
}

// panicCode returns the code of Panic(uint256) that the last transaction fails
// with.
func (t *test) panicCode() (uint64, bool) {
	data := t.finding.Observable.Data
	if !t.finding.Observable.Fails || len(data) != 36 || hex.EncodeToString(data[:4]) != "4e487b71" {
		return 0, false
	}
	return binary.BigEndian.Uint64(data[28:]), true
}

// demand writes what has to hold, with the finding's message if it does not.
func (t *test) demand(condition string) {
	t.line("require(%s, %s);", condition, solidityString(t.finding.Message))
}

// solidityString quotes a message; literals of Solidity are ASCII.
func solidityString(s string) string {
	s = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, strings.ReplaceAll(s, "…", "..."))
	return strconv.Quote(s)
}
