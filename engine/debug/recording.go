// Package debug steps through recorded transactions, forwards and backwards. It
// knows debugging and no protocol.
//
// A Recording numbers the instructions of a sequence of transactions. It keeps no
// snapshot of them, but an index: where statements begin, where frames begin and
// end, which storage words change and which frames fail. All moves are searches in
// the index; see Session. What the state was at a position, the Session finds out by
// executing the transaction again up to there, from the World before it, which is a
// copy-on-write checkpoint. That is sound because executions are deterministic, and
// checked: an execution that differs from the recorded one is an error.
package debug

import (
	"errors"
	"sort"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/replay"
)

// A Position is the number of an instruction in a Recording, from 0: the one that is
// about to run.
type Position uint32

// A Transaction is one execution of a sequence, which can be repeated.
type Transaction struct {
	replay.Opening
	Block input.BlockTime
	Tx    *input.Tx
	Run   func(*evm.Hooks) evm.Outcome // executes it from the state before it, always alike
}

// A Subject is what runs in a Recording.
type Subject struct {
	Program  *program.Program
	Resolver replay.Resolver
	Machine  *evm.Machine // that Transaction.Run uses
	Blamed   finding.Finding
}

// Limits of a Recording; see Recording.Cut.
const (
	maxPositions  = 1 << 31
	maxStatements = 4 << 20
	maxFrames     = 2 << 20
	maxWrites     = 2 << 20
	maxOutputs    = 16 << 20 // bytes
)

// A Recording is an index of executed transactions. It does not change once it is
// complete; only the functions that were given at its beginning execute again.
type Recording struct {
	Subject
	Cut bool // a limit was reached: the Recording ends before the transactions do

	visit    func(execute func(Transaction) evm.Outcome) // see Record
	changes  []change                                    // that its transactions undergo, by position
	txs      []transaction
	end      Position // of the last transaction
	entries  []entry
	frames   []frame
	writes   []write
	calls    []call
	failures []Failure
	slots    map[Slot]uint32
	accounts []common.Address // that take part, in order
	finding  Position         // at which the finding shows
	found    bool             // finding is set
	fails    bool             // a frame fails there
	*codeTable
}

// A transaction has the positions from start to end, end excluded.
type transaction struct {
	Transaction
	start, end Position
	outcome    evm.Outcome
}

// An entry is where a statement begins, or goes on after a call.
type entry struct {
	at        Position
	depth     uint32 // activations below, in all open frames
	statement int32
	flags     entryFlags
}

type entryFlags uint8

const (
	resumes   entryFlags = 1 << iota // the statement goes on after a call
	beginLine                        // the activation comes to another line
	beginCall                        // the first one of an activation
)

// A frame has the positions from start to end, end excluded.
type frame struct {
	start, end Position
	parent     int32 // -1: none
}

// A call is where a function begins.
type call struct {
	at       Position
	function string // "Vault.withdraw"; empty: unknown
}

// A write is an instruction that changes a word of storage.
type write struct {
	at   Position
	slot uint32
}

// A Slot is a word of storage that transactions change.
type Slot struct {
	evm.Slot
	Transient bool
}

// A FailureKind says how a frame failed.
type FailureKind uint8

// The kinds of failures.
const (
	Reverted FailureKind = iota // with REVERT
	Panicked                    // with a Panic of Solidity
	Halted                      // by an exceptional halt, such as out of gas or INVALID
)

// A Failure is a frame that fails by itself, not because a call that it made did.
type Failure struct {
	At     Position // of the failing instruction
	Kind   FailureKind
	Output []byte // revert data
	Halt   error  // of Halted
	code   *evm.Code
}

// errEmpty says why there is no Recording.
var errEmpty = errors.New("the transactions execute no instruction")

// Len returns the number of positions.
func (r *Recording) Len() int { return int(r.end) }

// Transactions returns how many transactions the Recording has.
func (r *Recording) Transactions() int { return len(r.txs) }

// Transaction returns the nth transaction, the position of its first instruction,
// and how it ended.
func (r *Recording) Transaction(n int) (*Transaction, Position, *evm.Outcome) {
	t := &r.txs[n]
	return &t.Transaction, t.start, &t.outcome
}

// TransactionAt returns the number of the transaction at a position.
func (r *Recording) TransactionAt(p Position) int {
	return sort.Search(len(r.txs), func(i int) bool { return r.txs[i].end > p })
}

// Finding returns the position at which the blamed finding shows; false if it does
// not.
func (r *Recording) Finding() (Position, bool) { return r.finding, r.found }

// Judged reports whether the finding is known to show where Finding says: with changes,
// the oracles of findings that fail no frame are not asked again.
func (r *Recording) Judged() bool { return len(r.changes) == 0 || r.fails }

// Failures returns the frames that fail, in order.
func (r *Recording) Failures() []Failure { return r.failures }

// FailureAt returns the failure of the instruction at a position; nil if it does not
// fail.
func (r *Recording) FailureAt(p Position) *Failure {
	i := sort.Search(len(r.failures), func(i int) bool { return r.failures[i].At >= p })
	if i < len(r.failures) && r.failures[i].At == p {
		return &r.failures[i]
	}
	return nil
}

// frameAt returns the innermost frame at a position.
func (r *Recording) frameAt(p Position) int32 {
	i := int32(sort.Search(len(r.frames), func(i int) bool { return r.frames[i].start > p })) - 1
	for i >= 0 && r.frames[i].end <= p {
		i = r.frames[i].parent
	}
	return i
}

// entryBefore returns the index of the last entry at or before a position; -1 if
// there is none.
func (r *Recording) entryBefore(p Position) int {
	return sort.Search(len(r.entries), func(i int) bool { return r.entries[i].at > p }) - 1
}

// Explain describes a failure.
func (r *Recording) Explain(f *Failure) string { return r.Resolver.Failure(f.code, f.Output, f.Halt) }
