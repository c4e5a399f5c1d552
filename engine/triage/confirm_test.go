package triage

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
)

// Ether that a stranger takes is reported however the sequence is cluttered: with other
// re-entrant calls, wei in several parts, or payments of others afterwards.
func TestLeaksInClutter(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/ether-leak/hit_loan_08.sol", "Lender")
	from := func(who input.Actor, name string, wei uint64, args ...uint64) input.Tx {
		tx := all.call(t, name, args...).Txs[0]
		tx.From, tx.Value = who, *uint256.NewInt(wei)
		return tx
	}
	again := func(first int, name string, wei uint64) input.Reentry {
		return input.Reentry{Tx: from(input.Attacker, name, wei), First: first}
	}
	loan := func(wei uint64, calls ...input.Reentry) input.Tx {
		tx := from(input.Attacker, "flashLoan", 0, wei)
		tx.Script = &input.Script{Mode: input.Reenter, Calls: calls}
		return tx
	}
	others := from(input.User1, "deposit", 500)
	withdraw := from(input.Attacker, "withdraw", 0)
	borrowed := loan(90, again(0, "deposit", 90))
	for _, row := range []struct {
		name  string
		txs   []input.Tx
		found bool
	}{
		{"plain", []input.Tx{others, borrowed, withdraw}, true},
		{"other calls", []input.Tx{others, loan(90, again(0, "withdraw", 0), again(0, "deposit", 90)), withdraw}, true},
		{"later calls", []input.Tx{others, loan(90, again(0, "flashLoan", 0), again(2, "deposit", 90)), withdraw}, true},
		{"in parts", []input.Tx{others, loan(90, again(0, "deposit", 40), again(0, "deposit", 50)), withdraw}, true},
		{"others later", []input.Tx{from(input.Attacker, "deposit", 7), others, borrowed, withdraw}, true},
		{"others later, other calls", []input.Tx{from(input.Attacker, "deposit", 7), others, loan(90, again(0, "flashLoan", 0), again(2, "deposit", 90)), withdraw}, true},
		{"own wei", []input.Tx{from(input.Attacker, "deposit", 7), others, withdraw}, false},
		{"own wei in a loan", []input.Tx{others, loan(0, again(0, "deposit", 90)), withdraw}, false},
	} {
		s := input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: row.txs}
		found := false
		for _, v := range all.Check(s) {
			if v.report.Oracle != &oracle.EtherLeak {
				continue
			}
			shown := s
			if v.instead != nil {
				shown = *v.instead
			}
			_, again := all.checker.shows(shown, v.key, v.Place.Span, repeating)
			if found = true; !again {
				t.Errorf("%s: not shown again by\n%s", row.name, shown.String())
			}
		}
		if found != row.found {
			t.Errorf("%s: %v", row.name, found)
		}
	}
	twice := loan(90, again(0, "flashLoan", 0), again(2, "deposit", 90))
	if all.checker.retry = false; len(all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: []input.Tx{others, twice, twice, withdraw}})) > 0 || !all.checker.retry {
		t.Error("a sequence that is not confirmed settles its path")
	}
}

// Tokens that a stranger takes are reported if others paid them by calling the contract,
// or would have, and if an account approved no more than the contract.
func TestTokenLeaks(t *testing.T) {
	for _, row := range []struct {
		file, contract string
		sequences      map[string]bool
	}{
		{"hit_locker_08", "Locker", map[string]bool{
			"user1 approve 8, user1 lock 8 9, user2 approve 8, user2 lock 8 9, user2 unlock, user2 unlock":                             true,
			"user2 approve 8, user2 lock 8 9, user1 approve 8, user1 lock 8 9, user2 unlock, user2 unlock":                             true,
			"user1 transfer 8, user2 approve 8, user2 lock 8 9, user2 unlock, user2 unlock":                                            true, // as deposits of others do
			"user1 approve 8, user1 lock 8 9, user2 approve 8, user2 lock 8 9, user2 unlock":                                           false,
			"deployer approve 8, deployer lock 8 9, deployer transfer 8, deployer unlock, deployer unlock":                             false,
			"user1 approve 8000, user1 lock 8000 9, user1 transfer 8, user2 approve 8, user2 lock 8 9, user2 unlock, user2 unlock":     false, // a thousandth
			"user1 approve 8000, user1 lock 8000 9, user1 transfer 8, user2 approve 800, user2 lock 800 9, user2 unlock, user2 unlock": true,
		}},
		{"miss_surplus_08", "Pool", map[string]bool{
			"user1 approve 8, user1 deposit 8, user1 transfer 5, user2 skim self":                   false,
			"user1 approve 8, user1 deposit 8, user1 withdraw 8, user1 transfer 5, user2 skim self": false,
		}},
		{"hit_from_08", "Bank", map[string]bool{
			"user1 approve 8, user2 deposit user1 8, user2 withdraw 8":                           true,
			"user1 approve 9, user1 deposit user1 1, user2 deposit user1 8, user2 withdraw 8":    true,
			"user2 approve 8, user2 deposit self 8, user2 withdraw 8":                            false,
			"deployer approve 8, user1 approve 8, deployer deposit user1 8, deployer withdraw 8": false,
		}},
		{"hit_rescue_08", "Vault", map[string]bool{
			"user1 approve 8, user1 deposit 8, user2 rescue token self":    true,
			"user1 approve 8, user1 deposit 8, deployer rescue token self": false, // who may
		}},
		{"miss_market_08", "Market", map[string]bool{
			"user1 approve 8, user1 offer 8 attacker 8, user2 buy 1 4":               false, // paid with what the attacker's contract answers
			"attacker approve 8, attacker offer 8 attacker 8, user1 buy 1 4":         false,
			"user1 approve 8, user1 offer 8 token 8, user2 approve 4, user2 buy 1 4": false,
		}},
		{"miss_payroll_08", "Payroll", map[string]bool{
			"user1 approve 8, user1 employ user2 8, user2 collect user1 8": false,
		}},
		{"miss_owner_08", "Treasury", map[string]bool{
			"user1 approve 8, user1 deposit 8, deployer close, user2 inherit":      false,
			"user1 approve 8, user1 deposit 8, deployer name user2, user2 inherit": false,
		}},
	} {
		all := newTriaging(t, "../oracle/testdata/token-leak/"+row.file+".sol", row.contract)
		for text, want := range row.sequences {
			s := input.Sequence{Deployment: all.Subject.Deployment.Record}
			for call := range strings.SplitSeq(text, ", ") {
				s.Txs = append(s.Txs, all.tokenCall(t, call))
			}
			found := slices.ContainsFunc(all.Check(s), func(v Verdict) bool { return v.report.Oracle == &oracle.TokenLeak })
			if found != want {
				t.Errorf("%s: %s: %v", row.contract, text, found)
			}
		}
	}
}

// The loop of a finding is the one that others lengthen, also if it did not run before they do.
func TestLoopThatOthersLengthen(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/unbounded-loop/hit_market_08.sol", "Market")
	offer, end := all.call(t, "offer", 8).Txs[0], all.call(t, "close").Txs[0]
	found := all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: []input.Tx{offer, offer, end, end}})
	if len(found) != 1 || found[0].Place.Start.Line != 25 {
		t.Errorf("%+v", found)
	}
}

// Calls that change no end of a loop do not keep others from being tried.
func TestLoopsOfOtherGroups(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/unbounded-loop/hit_groups_08.sol", "Groups")
	txs := slices.Repeat([]input.Tx{all.call(t, "add", 2).Txs[0]}, 2)
	txs = append(txs, slices.Repeat([]input.Tx{all.call(t, "add", 1).Txs[0]}, 12)...)
	txs = append(txs, all.call(t, "total", 2).Txs[0])
	if found := all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: txs}); len(found) != 1 || found[0].Place.Start.Line != 14 {
		t.Errorf("%+v", found)
	}
}

// What a re-entrant call does for lack of gas, which it has when it is made alone, says nothing
// of the state in between.
func TestReentryWithLessGas(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/assertion/miss_gas_08.sol", "Relay")
	relay := func(from input.Actor, gas uint64) input.Tx {
		tx := all.call(t, "relay", 0, gas, 0).Txs[0]
		tx.From, tx.Args[0] = from, input.NewAddress(input.Attacker.Address())
		return tx
	}
	tx := relay(input.User1, 86_041)
	tx.Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: relay(input.Attacker, 551), Times: 1}}}
	for _, v := range all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: []input.Tx{tx}}) {
		if v.report.Oracle == &oracle.Reentrancy {
			t.Error(v.report.Message)
		}
	}
}

// The place of a leak is where the account gets more than it paid, not where it gets its own
// back, or nothing.
func TestTokenLeakPlace(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/token-leak/hit_rescue_08.sol", "Vault")
	for _, before := range []string{"", "user2 withdraw 0", "user2 approve 5, user2 deposit 5, user2 withdraw 5"} {
		s := input.Sequence{Deployment: all.Subject.Deployment.Record}
		for call := range strings.SplitSeq("user1 approve 8, user1 deposit 8, "+before+", user2 rescue token self", ", ") {
			if call != "" {
				s.Txs = append(s.Txs, all.tokenCall(t, call))
			}
		}
		places := map[int]bool{}
		for _, v := range all.Check(s) {
			if v.report.Oracle == &oracle.TokenLeak {
				places[v.Place.Start.Line] = true
			}
		}
		if !maps.Equal(places, map[int]bool{31: true}) {
			t.Errorf("%q: lines %v", before, places)
		}
	}
}

// What the attacker's contract gives away when it is called is no leak, at once or later.
func TestGivenTokens(t *testing.T) {
	all := newTriaging(t, "testdata/Gifts.sol", "Gifts")
	invitation := all.tokenCall(t, "user1 invite attacker")
	invitation.Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: all.tokenCall(t, "attacker give 5")}}}
	approval := all.tokenCall(t, "attacker approve 8")
	for name, txs := range map[string][]input.Tx{
		"at once": {approval, invitation, all.tokenCall(t, "user1 collect")},
		"later":   {approval, invitation, all.tokenCall(t, "user1 collect"), all.tokenCall(t, "user1 collect")},
	} {
		user, tokens := input.User1.Address(), tokensOf(all.Subject)
		ending := all.checker.run.rerun(txs)
		if had, has := holdings(all.checker.run, all.Subject.Start.World, user, tokens), holdings(all.checker.run, ending.World, user, tokens); !has[1].Gt(&had[1]) {
			t.Fatalf("%s: nothing is given", name)
		}
		for _, v := range all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: txs}) {
			t.Errorf("%s: %s", name, v.report.Message)
		}
	}
}

// A finding about a wrong number that initializes a contract is a note. Neither the sender nor earlier writes
// change that.
func TestInitializedWrongly(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/overflow/miss_initializer_08.sol", "Pool")
	initialize, stamp := all.call(t, "initialize", 0).Txs[0], all.call(t, "stamp").Txs[0]
	initialize.Args[0].Word.AddUint64(new(uint256.Int).Lsh(uint256.NewInt(1), 208), 7)
	owners := initialize
	owners.From = input.Deployer
	for name, txs := range map[string][]input.Tx{"a user": {initialize}, "the deployer": {owners}, "later": {stamp, initialize}} {
		found := all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: txs})
		i := slices.IndexFunc(found, func(v Verdict) bool { return v.report.Oracle == &oracle.Overflow })
		if i < 0 || found[i].report.Severity != finding.Information {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// A contract that the deployment chose, whose part the attacker plays, does harm if it has to send a
// transaction itself, too. What the attacker does to others as anybody could is an error.
func TestChosenSender(t *testing.T) {
	all := newTriaging(t, "testdata/Fed.sol", "Fed")
	by := func(from input.Actor, name string, args ...uint64) input.Tx {
		tx := all.call(t, name, args...).Txs[0]
		tx.From = from
		return tx
	}
	most := new(uint256.Int).Not(new(uint256.Int))
	ask := by(input.User1, "ask", 0)
	ask.Script = &input.Script{Answers: [][]uint256.Int{{*most}}}
	deposits := []input.Tx{by(input.User1, "deposit"), by(input.Attacker, "deposit")}
	for i := range deposits {
		deposits[i].Value.SetUint64(1e18)
	}
	withdrawal := by(input.Attacker, "withdraw")
	withdrawal.Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: by(input.Attacker, "withdraw")}}}
	for of, row := range map[*oracle.Oracle]struct {
		txs  []input.Tx
		want finding.Severity
	}{
		&oracle.Overflow:   {[]input.Tx{ask, ask, by(input.Attacker, "onTold", 1)}, finding.Information},
		&oracle.Reentrancy: {append(deposits, withdrawal), finding.Error},
	} {
		found := all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: row.txs})
		i := slices.IndexFunc(found, func(v Verdict) bool { return v.report.Oracle == of })
		if i < 0 || found[i].report.Severity != row.want {
			t.Errorf("%s: %v", of.Name, found)
		}
	}
}

// What a contract that the deployment chose permits, when an earlier transaction asks it, is a note
// as well, but not what one permits that anyone can choose.
func TestChosenPermission(t *testing.T) {
	all := newTriaging(t, "testdata/Governed.sol", "Governed")
	call := func(name string, args ...input.Actor) input.Tx {
		tx := all.call(t, name).Txs[0]
		for i, who := range args {
			tx.Args[i] = input.NewAddress(who.Address())
		}
		tx.Script = &input.Script{Answers: [][]uint256.Int{{*uint256.NewInt(1)}}}
		return tx
	}
	own, destroy := call("setOwner", input.User1), call("destroy")
	for name, row := range map[string]struct {
		txs  []input.Tx
		want finding.Severity // 0: that of the oracle
	}{
		"the owner":       {[]input.Tx{own, destroy}, finding.Information},
		"the authority":   {[]input.Tx{call("setAuthority", input.Attacker), own, destroy}, finding.Information},
		"anyone's choice": {[]input.Tx{call("setSecond", input.Attacker), call("become"), destroy}, 0},
	} {
		found := all.Check(input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: row.txs})
		i := slices.IndexFunc(found, func(v Verdict) bool { return v.report.Oracle == &oracle.SelfDestruct })
		if i < 0 || found[i].report.Severity != row.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// tokenCall returns a call that text describes: the sender, a function of the contract or of its token, arguments that
// are numbers, accounts or the token. The contract is the first argument of the token's functions.
func (all *triaging) tokenCall(t *testing.T, text string) input.Tx {
	words := strings.Fields(text)
	actors := map[string]input.Actor{}
	for _, a := range input.Actors {
		actors[a.String()] = a
	}
	actors["self"] = actors[words[0]]
	tokens := tokensOf(all.Subject)
	token := tokens[len(tokens)-1].To // that of the constructor
	for _, c := range all.Subject.Callees {
		tx := input.Tx{From: actors[words[0]], To: c.Address, Function: c.Function, Args: c.Function.Zero()}
		args := tx.Args
		if c.Contract != all.Subject.Program.UnderTest && len(args) > 0 {
			args[0], args = input.NewAddress(all.Subject.Deployment.UnderTest().Address), args[1:]
		}
		if own := c.Contract == all.Subject.Program.UnderTest || c.Address == token; !own || c.Function.Name != words[1] || len(args) != len(words)-2 {
			continue
		}
		for i, word := range words[2:] {
			if word == "token" {
				args[i] = input.NewAddress(token)
				continue
			}
			if who, ok := actors[word]; ok {
				args[i] = input.NewAddress(who.Address())
				continue
			}
			if err := args[i].Word.SetFromDecimal(word); err != nil {
				t.Fatal(err)
			}
		}
		return tx
	}
	t.Fatalf("no function for %q", text)
	return input.Tx{}
}

// Calls one after another get the answers that they got in one another, so that what
// differs by the answers alone is no re-entrancy.
func TestAnswersOfReentries(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/panic/miss_arguments.sol", "Market")
	s := all.call(t, "read")
	tx := &s.Txs[0]
	tx.Args[0].Word.SetBytes20(input.Attacker.Address().Bytes())
	inner := *tx
	inner.From = input.Attacker
	long := make([]uint256.Int, 10)
	long[0].SetOne() // a length of 256
	tx.Script = &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: inner}}, Answers: [][]uint256.Int{{{}}, long}}
	for _, v := range all.Check(s) {
		if v.report.Oracle == &oracle.Reentrancy {
			t.Errorf("reported: %s", v.report.Message)
		}
	}
}

// An owner who names an account is its premise however often it is named.
func TestNamedTwice(t *testing.T) {
	all := newTriaging(t, "../oracle/testdata/assertion/miss_module_08.sol", "Book")
	admit := all.call(t, "admit").Txs[0]
	admit.From = input.Deployer
	admit.Args[0].Elems[0].Word.SetUint64(1)
	admit.Args[0].Elems[1] = input.NewAddress(input.User1.Address())
	s := all.call(t, "lend", 1)
	s.Txs = append([]input.Tx{admit, admit}, s.Txs[0], all.call(t, "free").Txs[0])
	found := false
	for _, v := range all.Check(s) {
		if v.report.Oracle == &oracle.Assertion {
			if found = true; v.report.Severity != finding.Information {
				t.Errorf("severity %s: %s", v.report.Severity, v.report.Message)
			}
		}
	}
	if !found {
		t.Error("not reported")
	}
}
