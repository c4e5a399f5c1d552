package cheat

import (
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
)

// A prank makes calls from one frame come from another address.
type prank struct {
	depth    int             // of the frame that asked for it
	caller   common.Address  // of the cheatcode: whose calls are changed
	origin   common.Address  // before
	sender   common.Address  // msg.sender of the calls
	as       *common.Address // tx.origin of the calls; nil: as it is
	once     bool            // only the next call
	delegate bool            // delegate calls too
	used     bool
}

// pranks are those that are active, at most one for each depth.
type pranks []prank

func (ps pranks) clone() pranks { return slices.Clone(ps) }

// at returns the prank of the deepest frame that is not below a depth; nil if
// there is none.
func (ps pranks) at(depth int) *prank {
	var found *prank
	for i := range ps {
		if p := &ps[i]; p.depth <= depth && (found == nil || p.depth > found.depth) {
			found = p
		}
	}
	return found
}

func (ps *pranks) end(depth int) {
	*ps = slices.DeleteFunc(*ps, func(p prank) bool { return p.depth == depth })
}

var prankRows = []row{
	{"prank(address)", "", func(c *call) error { return c.prank(nil, true, false) }, "sets msg.sender of the next call"},
	{"prank(address,address)", "", func(c *call) error { return c.prank(c.second(), true, false) }, "sets msg.sender and tx.origin of the next call"},
	{"prank(address,bool)", "", func(c *call) error { return c.prank(nil, true, c.flag(1)) }, "sets msg.sender of the next call or delegate call"},
	{"prank(address,address,bool)", "", func(c *call) error { return c.prank(c.second(), true, c.flag(2)) }, "sets msg.sender and tx.origin of the next call or delegate call"},
	{"startPrank(address)", "", func(c *call) error { return c.prank(nil, false, false) }, "sets msg.sender of calls until stopPrank"},
	{"startPrank(address,address)", "", func(c *call) error { return c.prank(c.second(), false, false) }, "sets msg.sender and tx.origin of calls until stopPrank"},
	{"startPrank(address,bool)", "", func(c *call) error { return c.prank(nil, false, c.flag(1)) }, "sets msg.sender of calls and delegate calls until stopPrank"},
	{"startPrank(address,address,bool)", "", func(c *call) error { return c.prank(c.second(), false, c.flag(2)) }, "sets msg.sender and tx.origin of calls and delegate calls until stopPrank"},
	{"stopPrank()", "", func(c *call) error { c.memory.pranks.end(c.depth()); return nil }, "ends startPrank"},
	{"readCallers()", "(uint8,address,address)", (*call).readCallers, "returns the active prank or broadcast, msg.sender and tx.origin"},
}

// second returns the second argument, an address.
func (c *call) second() *common.Address {
	a := c.address(1)
	return &a
}

func (c *call) prank(origin *common.Address, once, delegate bool) error {
	sender, depth := c.loaded(0), c.depth()
	if delegate && len(c.state.Code(sender)) == 0 {
		return errors.New("cannot `prank` delegate call from an EOA")
	}
	ps := &c.memory.pranks
	before := *c.state.Origin()
	if p := ps.at(depth); p != nil {
		switch {
		case !p.used:
			return errors.New("cannot overwrite a prank until it is applied at least once")
		case p.once != once:
			return errors.New("cannot override an ongoing prank with a single vm.prank; use vm.startPrank to override the current prank")
		}
		if p.depth == depth {
			before = p.origin
		}
	}
	if c.memory.broadcasts.active != nil {
		return errors.New("cannot `prank` for a broadcasted transaction; pass the desired `tx.origin` into the `broadcast` cheatcode call")
	}
	ps.end(depth)
	*ps = append(*ps, prank{depth: depth, caller: c.frame.Self, origin: before, sender: sender, as: origin, once: once, delegate: delegate})
	return nil
}

// enter changes a message that a prank is for.
func (ps pranks) enter(s *evm.State, depth int, m *evm.Message) {
	p := ps.at(depth)
	if p == nil {
		return
	}
	if p.delegate && depth == p.depth && m.Kind == evm.FrameDelegateCall {
		m.Self, m.From = p.sender, p.sender
		p.applyOrigin(s)
		p.used = true
		return
	}
	if m.From != p.caller || m.Kind == evm.FrameDelegateCall {
		return
	}
	if depth == p.depth {
		m.From = p.sender
		s.Touch(p.sender, nil)
		p.used = true
	}
	if p.applyOrigin(s) {
		p.used = true
	}
}

func (p *prank) applyOrigin(s *evm.State) bool {
	if p.as == nil {
		return false
	}
	*s.Origin() = *p.as
	return true
}

// leave ends what a prank changed for a message.
func (ps *pranks) leave(s *evm.State, depth int) {
	p := ps.at(depth)
	if p == nil || p.depth != depth {
		return
	}
	*s.Origin() = p.origin
	if p.once {
		ps.end(depth)
	}
}

// Modes of readCallers.
const (
	callersNone uint64 = iota
	callersBroadcast
	callersRecurrentBroadcast
	callersPrank
	callersRecurrentPrank
)

func (c *call) readCallers() error {
	mode, sender, origin := callersNone, *c.state.Origin(), *c.state.Origin()
	if p := c.memory.pranks.at(c.depth()); p != nil {
		mode, sender = callersRecurrentPrank, p.sender
		if p.once {
			mode = callersPrank
		}
		if p.as != nil {
			origin = *p.as
		}
	} else if b := c.memory.broadcasts.active; b != nil {
		mode, sender, origin = callersRecurrentBroadcast, b.sender, b.sender
		if b.once {
			mode = callersBroadcast
		}
	}
	return c.give(numberValue(mode), addressValue(sender), addressValue(origin))
}
