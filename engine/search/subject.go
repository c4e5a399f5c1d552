// Package search holds what the input sources of a campaign share: the contract
// under test as it is deployed, the corpus with its cached states, what inputs
// are made of, and candidates with their results.
package search

import (
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/cover"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/program"
)

// A Subject is a contract under test and its deployment. It does not change
// once a campaign runs.
type Subject struct {
	Program *program.Program
	Cover   *cover.Map
	Probe   common.Hash            // storage key that only an arbitrary write reaches
	Topics  map[common.Hash]string // names of the events that stand for failed assertions

	Deployment *deploy.Deployment
	Start      exec.State      // before the first transaction
	Code       *evm.Code       // deployed code of the contract under test
	Callees    []deploy.Callee // the functions that transactions call
	Suite      *Suite          // the contract under test has tests that the campaign searches; nil: none
	foreign    int             // first evm.Code.ID from which only code of the project is watched
}

// A Suite says how a campaign over tests executes, and what it looks for in
// place of weaknesses. Its functions are safe for concurrent use.
type Suite struct {
	NewMachine  func() *evm.Machine // with cheatcodes
	Gas         uint64              // of a transaction
	PropertyGas uint64              // of the call of a property; 0: Gas
	Sender      input.Actor         // of the calls of properties
	Properties  []*input.Function   // of the contract under test: hold whenever Run checks them
	Maximized   []*input.Function   // of the contract under test: return what is to be as large as possible
	Single      bool                // sequences have one transaction
	Run         Run
	Created     *Created // contracts that transactions create are called, too; nil: they are not

	// Breaks returns the function whose test a transaction breaks by itself; nil:
	// none. w is the world after it.
	Breaks func(tx *input.Tx, o *evm.Outcome, w *evm.World) *input.Function
	// FailedAt returns hooks for a transaction that breaks a function by itself, and what
	// tells then where in the project it fails; nil: not known. Failures at different places
	// are different findings. If it is nil, a function fails once.
	FailedAt func() (*evm.Hooks, func() *program.Location)
	// Holds reports whether the call of a property, which led to w, shows that it
	// holds.
	Holds func(f *input.Function, o *evm.Outcome, w *evm.World) bool
	// Rejects reports whether a transaction ended because its input is not allowed.
	Rejects func(o *evm.Outcome) bool
	// Labels returns the names that the last Call of a Machine, and those before it,
	// gave to addresses.
	Labels func(m *evm.Machine) map[common.Address]string
	// Called returns the cheatcode that a call runs, and Explained what its revert
	// means; nil and empty for what is none.
	Called    func(to common.Address, data []byte) *input.Function
	Explained func(data []byte) string
}

// Single reports whether sequences have one transaction.
func (s *Subject) Single() bool { return s.Suite != nil && s.Suite.Single }

// NewSubject returns the subject of a program before its deployment. The probe
// is the same in every run, so that findings can be replayed.
func NewSubject(p *program.Program) *Subject {
	s := &Subject{Program: p, Cover: cover.NewMap(), Probe: crypto.Keccak256Hash([]byte("leveret probe")), foreign: evm.Overflow}
	s.Cover.Arithmetic = p.Arithmetic
	s.Topics, _ = p.AssertionTopics()
	return s
}

// Settle takes over a deployment. It fails if the deployment leaves no code.
func (s *Subject) Settle(d *deploy.Deployment) error {
	return s.SettleAt(d, d.Block, d.Callees(s.Program))
}

// SettleAt is Settle with the block of the deployment and the functions that
// transactions call.
func (s *Subject) SettleAt(d *deploy.Deployment, block evm.BlockContext, callees []deploy.Callee) error {
	code := d.World.Code(d.UnderTest().Address)
	if code == nil || len(code.Bytes) == 0 {
		return fmt.Errorf("%s was not fuzzed: its deployment leaves no code, as its constructor destroys the contract or returns nothing", s.Program.UnderTest.Name)
	}
	s.Deployment, s.Start, s.Code = d, exec.State{World: d.World, Block: block}, code
	s.Callees, s.foreign = callees, s.Program.Codes.Len()+maxForeign
	return nil
}

// Rejects reports whether a test or a handler does not allow an input.
func (s *Subject) Rejects(r *Result) bool {
	return s.Suite != nil && !r.Succeeded() && s.Suite.Rejects(&r.Outcome)
}

// NewExecutor returns an executor that records the coverage of all code but the
// attacker's.
func (s *Subject) NewExecutor(now func() time.Time) *exec.Executor {
	set := map[common.Hash]bool{}
	for topic := range s.Topics {
		set[topic] = true
	}
	x := exec.New(s.Cover, s.Watched, s.Probe, set, now)
	if s.Suite != nil {
		x.Machine, x.Gas, x.PropertyGas = s.Suite.NewMachine(), s.Suite.Gas, s.Suite.PropertyGas
		x.Failing = s.Suite.Waits
	}
	return x
}

// Waits reports whether time passes before a transaction that fails with an outcome, as
// Foundry, Echidna and Medusa have it: only what the test does not allow is as if it had
// not been.
func (s *Suite) Waits(o *evm.Outcome) bool { return !s.Rejects(o) }

// Watched reports whether coverage is recorded in code. Transactions can create code that no
// contract of the project compiles to, such as clones with arguments. Only the first of
// these codes are watched, because each would be a new path.
func (s *Subject) Watched(code *evm.Code) bool {
	return code.ID != evm.Overflow && code != s.Program.Attacker && code != s.Program.Forcer &&
		(code.ID < s.foreign || s.Program.IsProject(code))
}

// maxForeign is how many codes that appear after the deployment are watched whatever they are.
const maxForeign = 64

// Bind looks up the functions that a sequence from a file or from an earlier
// build calls. It returns false if one of them is gone.
func (s *Subject) Bind(seq input.Sequence) (input.Sequence, bool) {
	if len(seq.Txs) == 0 {
		return seq, false
	}
	bound := input.Sequence{Deployment: s.Deployment.Record}
	for _, tx := range seq.Txs {
		if tx.Function == nil {
			return seq, false
		}
		if was := seq.Deployment.Find(tx.To); was != nil {
			now := s.Deployment.Named(was.Name)
			if now == nil {
				return seq, false
			}
			tx.To = now.Address
		}
		f := s.function(tx.To, tx.Function.Signature)
		if f == nil {
			return seq, false
		}
		tx.Function = f
		bound.Txs = append(bound.Txs, tx.Typed())
	}
	return bound, true
}

func (s *Subject) function(address common.Address, signature string) *input.Function {
	for i := range s.Callees {
		if s.Callees[i].Address == address && s.Callees[i].Function.Signature == signature {
			return s.Callees[i].Function
		}
	}
	if signature == input.Forced.Signature && s.ABIAt(address) != nil {
		return input.Forced
	}
	if s.Suite != nil && s.Suite.Created != nil && s.Deployment.Record.Find(address) == nil {
		return s.Suite.Created.Function(signature)
	}
	return nil
}

// near returns how many Callees come before those of remote contracts.
func (s *Subject) near() int {
	n := slices.IndexFunc(s.Callees, func(c deploy.Callee) bool { return c.Remote })
	if n <= 0 {
		return len(s.Callees)
	}
	return n
}

// senders lists who may send transactions; none if that is the actors of every
// campaign.
func (s *Subject) senders() Actors {
	var list []*input.Function
	for i := range s.Callees {
		list = append(list, s.Callees[i].Function)
	}
	return sendersOf(list)
}

// BalanceReaders lists the deployed contracts of the project whose code reads a
// balance.
func (s *Subject) BalanceReaders() (list []common.Address) {
	for _, d := range s.Deployment.Contracts {
		code := s.Deployment.World.Code(d.Address)
		if d.Mock == nil && code != nil && program.ReadsBalance(s.Cover.Bytecode(code)) {
			list = append(list, d.Address)
		}
	}
	return list
}

// Functions returns the functions of the contract under test that transactions
// call.
func (s *Subject) Functions() []*input.Function {
	var list []*input.Function
	for i := range s.Callees {
		if s.Callees[i].Contract == s.Program.UnderTest {
			list = append(list, s.Callees[i].Function)
		}
	}
	return list
}

// ABIAt returns the ABI of a contract of the deployment; nil for other
// addresses.
func (s *Subject) ABIAt(a common.Address) *input.ABI {
	for _, d := range s.Deployment.Contracts {
		if d.Address == a {
			return s.Program.ABI(d.Contract)
		}
	}
	return nil
}
