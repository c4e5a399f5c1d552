// Package conditions shows the search what vm.assume and the assertions of
// Foundry's cheatcodes compare: it runs their conditions as code, so that they
// are branches with costs and taint like all others. What such a call does is
// still decided by the Inspector that implements the cheatcodes.
package conditions

import (
	"encoding/binary"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// sites is how many calls of one kind of test have code of their own. Further
// ones share it.
const sites = 32

// A site is a call of a cheatcode: an instruction of a code.
type site struct {
	code  int // evm.Code.ID
	pc    uint64
	tests int // index in kinds
}

// Sites numbers the calls of cheatcodes in a campaign. It is safe for
// concurrent use.
type Sites struct {
	mu    sync.Mutex
	known map[site]common.Address
	next  [len(kinds)]uint16
}

// NewSites returns an empty numbering.
func NewSites() *Sites { return &Sites{known: map[site]common.Address{}} }

// Install puts the code of all sites, interned in codes, into a World.
func Install(w *evm.World, codes *evm.Codes) {
	all := evm.NewWorld(codes)
	defer w.AdoptAll(all)
	for kind, tests := range kinds {
		for n := range uint16(sites) {
			number := uint16(kind)*sites + n
			all.SetCode(addressOf(number), program(number, tests))
		}
	}
}

// addressPrefix starts the addresses of sites.
const addressPrefix = "leveret condition\x00"

func addressOf(number uint16) common.Address {
	return common.Address(binary.BigEndian.AppendUint16([]byte(addressPrefix), number))
}

// Is reports whether an address is that of a site.
func Is(a common.Address) bool { return string(a[:len(addressPrefix)]) == addressPrefix }

// at returns the address of the code of a site.
func (s *Sites) at(code int, pc uint64, kind int) common.Address {
	s.mu.Lock()
	defer s.mu.Unlock()
	this := site{code, pc, kind}
	if a, ok := s.known[this]; ok {
		return a
	}
	number := uint16(kind)*sites + s.next[kind]%sites
	s.next[kind]++
	s.known[this] = addressOf(number)
	return s.known[this]
}

// An Inspector wraps that of the cheatcodes, for one Machine. The World needs the
// code of Install.
type Inspector struct {
	evm.Inspector
	Sites  *Sites
	Cheats common.Address // of the cheatcodes
	state  *evm.State
}

// Begin implements evm.Inspector.
func (i *Inspector) Begin(s *evm.State, env *evm.Env) {
	i.state = s
	i.Inspector.Begin(s, env)
}

// Before implements evm.Inspector: it has the condition of a cheatcode run.
func (i *Inspector) Before(parent *evm.Frame, m *evm.Message) *evm.Ending {
	if kind, ok := i.kind(parent, m); ok {
		m.To = i.Sites.at(parent.Code.ID, i.state.PC(parent), kind)
		return nil
	}
	return i.Inspector.Before(parent, m)
}

// kind returns the kind of test that a message asks for.
func (i *Inspector) kind(parent *evm.Frame, m *evm.Message) (kind int, ok bool) {
	if m.To != i.Cheats || m.Creates() || len(m.Input) < 4 || parent == nil || parent.Code == nil {
		return 0, false
	}
	kind, ok = selectors()[[4]byte(m.Input)]
	return kind, ok
}

// After implements evm.Inspector: what the call does is what the cheatcode does.
func (i *Inspector) After(parent *evm.Frame, m *evm.Message, e *evm.Ending) {
	if !Is(m.To) {
		i.Inspector.After(parent, m, e)
		return
	}
	m.To = i.Cheats
	if end := i.Inspector.Before(parent, m); end != nil {
		*e = *end
	}
	i.Inspector.After(parent, m, e)
}

// kinds are the tests of cheatcodes; signatures refer to them by index.
var kinds = [...][]test{
	{truth}, {equal}, {less}, {greater}, {signedLess}, {signedGreater}, {equalBytes}, {equalLists},
	far(false, false), far(true, false), far(false, true), far(true, true),
}

// The indices of kinds.
const (
	isTruth = iota
	isEqual
	isLess
	isGreater
	isSignedLess
	isSignedGreater
	isEqualBytes
	isEqualLists
	isFar
	isSignedFar
	isFarRelative
	isSignedFarRelative
)

// rows are the cheatcodes: the start of the name, the types of the compared
// arguments, other arguments, and the kind. A row stands for the forms with a
// message, too, and of numbers for the forms with decimals.
var rows = []struct {
	name  string
	types []string
	also  string // further arguments
	kind  int
}{
	{"assume", []string{""}, "bool", isTruth},
	{"assertTrue", []string{""}, "bool", isTruth},
	{"assertFalse", []string{""}, "bool", isTruth},
	{"assertEq", plain, "", isEqual},
	{"assertNotEq", plain, "", isEqual},
	{"assertEq", []string{"string", "bytes"}, "", isEqualBytes},
	{"assertNotEq", []string{"string", "bytes"}, "", isEqualBytes},
	{"assertEq", lists, "", isEqualLists},
	{"assertNotEq", lists, "", isEqualLists},
	{"assertLt", []string{"uint256"}, "", isLess},
	{"assertGe", []string{"uint256"}, "", isLess},
	{"assertGt", []string{"uint256"}, "", isGreater},
	{"assertLe", []string{"uint256"}, "", isGreater},
	{"assertLt", []string{"int256"}, "", isSignedLess},
	{"assertGe", []string{"int256"}, "", isSignedLess},
	{"assertGt", []string{"int256"}, "", isSignedGreater},
	{"assertLe", []string{"int256"}, "", isSignedGreater},
	{"assertApproxEqAbs", []string{"uint256"}, "uint256", isFar},
	{"assertApproxEqAbs", []string{"int256"}, "uint256", isSignedFar},
	{"assertApproxEqRel", []string{"uint256"}, "uint256", isFarRelative},
	{"assertApproxEqRel", []string{"int256"}, "uint256", isSignedFarRelative},
}

var (
	plain = []string{"uint256", "int256", "address", "bytes32", "bool"}
	lists = []string{"uint256[]", "int256[]", "address[]", "bytes32[]", "bool[]"}
)

// selectors are the kinds of the cheatcodes by selector.
var selectors = sync.OnceValue(func() map[[4]byte]int {
	all := map[[4]byte]int{}
	add := func(signature string, kind int) {
		f, err := input.ParseSignature(signature)
		if err != nil {
			panic(err)
		}
		all[f.Selector] = kind
	}
	for _, r := range rows {
		for _, t := range r.types {
			args := r.also
			if t != "" {
				if args = t + "," + t; r.also != "" {
					args += "," + r.also
				}
			}
			add(r.name+"("+args+")", r.kind)
			add(r.name+"("+args+",string)", r.kind)
			if t == "uint256" || t == "int256" {
				add(r.name+"Decimal("+args+",uint256)", r.kind)
				add(r.name+"Decimal("+args+",uint256,string)", r.kind)
			}
		}
	}
	return all
})
