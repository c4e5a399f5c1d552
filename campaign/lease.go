package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"leveret/engine/finding"
)

// Work is divided by leases. A lease is a part of a contract for a slice of time; a
// worker that dies loses it after the time presence. Parts of a contract have different
// random numbers and prefer different functions. A worker takes the free part whose contract had least, where time
// without new coverage counts double for each slice in a row. Others may lie about what
// they did: one choice in ownChoice counts only what the worker did itself.

// An Effort is what workers say they did on a contract.
type Effort struct {
	Seconds  float64 `json:"seconds"` // of all workers together
	Slices   int     `json:"slices"`
	Dry      int     `json:"dry"`      // slices in a row without new coverage
	Covered  int     `json:"covered"`  // instructions; the most of any worker
	Total    int     `json:"total"`    // instructions
	Branches int     `json:"branches"` // covered; the most of any worker
	Executed
}

// An Executed counts what a worker says it executed.
type Executed struct {
	Inputs       int                           `json:"inputs"`
	Transactions int                           `json:"transactions"`
	Sources      map[string]finding.SourceStat `json:"sources,omitempty"` // of inputs, by name
}

// executedOf returns what a search executed. Sources without inputs are left out.
func executedOf(s *finding.Stats) Executed {
	e := Executed{Inputs: s.Inputs, Transactions: s.Transactions, Sources: maps.Clone(s.Sources)}
	maps.DeleteFunc(e.Sources, func(_ string, s finding.SourceStat) bool { return s == finding.SourceStat{} })
	return e
}

// add adds what another worker, or another slice, executed.
func (e *Executed) add(o *Executed) {
	e.Inputs, e.Transactions = e.Inputs+o.Inputs, e.Transactions+o.Transactions
	if e.Sources == nil {
		e.Sources = map[string]finding.SourceStat{}
	}
	finding.AddSources(e.Sources, o.Sources)
}

// maxSources bounds the sources of inputs that a worker may name.
const maxSources = 64

var sourceName = regexp.MustCompile(`^[a-z-]{1,32}$`)

// sane reports whether a worker can have executed that.
func (e *Executed) sane() bool {
	for name, s := range e.Sources {
		if !sourceName.MatchString(name) || s.Tried < 0 || s.Repeats < 0 || s.NewPaths < 0 || s.Findings < 0 {
			return false
		}
	}
	return e.Inputs >= 0 && e.Transactions >= 0 && len(e.Sources) <= maxSources
}

// The bounds of what dry slices cost, and of parts of a contract.
const (
	maxDry     = 6
	maxParts   = 1000
	maxSeconds = 1e12

	ownChoice = 4
)

// sane reports whether an effort can be true.
func (e *Effort) sane() bool {
	return e.Seconds >= 0 && e.Seconds < maxSeconds && e.Slices >= 0 && e.Dry >= 0 && e.Covered >= 0 && e.Covered <= e.Total && e.Branches >= 0 && e.Executed.sane()
}

// cost ranks the parts of a contract with some effort: the least is done first.
func (e *Effort) cost(part int, slice time.Duration) float64 {
	seconds := e.Seconds + float64(part)*slice.Seconds()
	return seconds * float64(int(1)<<min(e.Dry, maxDry))
}

// merge adds a slice of a worker.
func (e *Effort) merge(slice *Effort, news bool) {
	e.Seconds, e.Slices = e.Seconds+slice.Seconds, e.Slices+1
	e.Executed.add(&slice.Executed)
	e.Covered, e.Branches, e.Total = max(e.Covered, slice.Covered), max(e.Branches, slice.Branches), slice.Total
	if e.Dry++; news {
		e.Dry = 0
	}
}

// A lease is the right to work on a part of a contract.
type lease struct {
	contract, part int
	key            string // empty: the broker could not be asked
	revision       uint64
}

func leaseKey(contract, part int) string { return fmt.Sprintf("lease.%d.%d", contract, part) }

func effortKey(contract int) string { return fmt.Sprintf("contract.%d", contract) }

// choose takes a lease. If the broker cannot be asked, the lease has no key: work goes
// on without.
func (w *Worker) choose(ctx context.Context) *lease {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	if taken, err := w.refresh(ctx); err == nil {
		if l := w.acquire(ctx, taken); l != nil {
			return l
		}
	}
	return w.order(nil)[0]
}

// refresh reads what was done on each contract, and which parts are taken.
func (w *Worker) refresh(ctx context.Context) (taken map[string]bool, err error) {
	for i := range w.efforts {
		e, _, err := w.link.effort(ctx, i)
		if err != nil {
			return nil, err
		}
		w.efforts[i] = e
	}
	bucket, err := w.link.bucket(ctx, w.link.presence)
	if err != nil {
		return nil, err
	}
	keys, err := bucket.ListKeysFiltered(ctx, "lease.>")
	if err != nil {
		return nil, err
	}
	taken = map[string]bool{}
	for key := range keys.Keys() {
		taken[key] = true
	}
	return taken, ctx.Err()
}

// order returns for each contract the first part that is free, the least first.
func (w *Worker) order(taken map[string]bool) []*lease {
	efforts := w.efforts
	if w.slices%ownChoice == ownChoice-1 {
		efforts = w.own
	}
	var list []*lease
	for contract := range w.efforts {
		part := 0
		for part < maxParts && taken[leaseKey(contract, part)] {
			part++
		}
		list = append(list, &lease{contract: contract, part: part})
	}
	slices.SortStableFunc(list, func(a, b *lease) int {
		x, y := efforts[a.contract].cost(a.part, w.Slice), efforts[b.contract].cost(b.part, w.Slice)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return a.part - b.part
	})
	return list
}

// acquire takes the first part that is free; nil if the broker cannot be asked.
func (w *Worker) acquire(ctx context.Context, taken map[string]bool) *lease {
	bucket, err := w.link.bucket(ctx, w.link.presence)
	for err == nil {
		l := w.order(taken)[0]
		key := leaseKey(l.contract, l.part)
		l.revision, err = bucket.Create(ctx, key, []byte(w.id))
		if err == nil {
			l.key = key
			return l
		}
		if errors.Is(err, jetstream.ErrKeyExists) { // another worker was faster
			taken[key] = true
			err = nil
		}
	}
	return nil
}

// keep renews a lease, until ctx is done, and releases it then.
func (w *Worker) keep(ctx context.Context, l *lease) {
	if l.key == "" {
		return
	}
	for pause(ctx, w.beat); ctx.Err() == nil; pause(ctx, w.beat) {
		within(ctx, func(ctx context.Context) error {
			bucket, err := w.link.bucket(ctx, w.link.presence)
			if err != nil {
				return err
			}
			revision, err := bucket.Update(ctx, l.key, []byte(w.id), l.revision)
			if err == nil {
				l.revision = revision
			}
			return err
		})
	}
	within(context.WithoutCancel(ctx), func(ctx context.Context) error {
		bucket, err := w.link.bucket(ctx, w.link.presence)
		if err != nil {
			return err
		}
		return bucket.Delete(ctx, l.key, jetstream.LastRevision(l.revision))
	})
}

// within calls f with the time for an answer of the broker.
func within(ctx context.Context, f func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	return f(ctx)
}

// effort reads what was done on a contract, and the revision of that.
func (l *Link) effort(ctx context.Context, contract int) (e Effort, revision uint64, err error) {
	bucket, err := l.bucket(ctx, l.progress)
	if err != nil {
		return e, 0, err
	}
	entry, err := bucket.Get(ctx, effortKey(contract))
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return e, 0, nil
	}
	if err != nil {
		return e, 0, err
	}
	if json.Unmarshal(entry.Value(), &e) != nil || !e.sane() {
		e = Effort{}
	}
	return e, entry.Revision(), nil
}

// add adds a slice to what was done on a contract. It is lost if the broker does not
// answer: it only helps to divide the work.
func (l *Link) add(ctx context.Context, contract int, slice *Effort, news bool) error {
	for range 8 {
		e, revision, err := l.effort(ctx, contract)
		if err != nil {
			return err
		}
		e.merge(slice, news)
		text, err := json.Marshal(e)
		if err != nil {
			return err
		}
		bucket, err := l.bucket(ctx, l.progress)
		if err != nil {
			return err
		}
		if _, err = bucket.Update(ctx, effortKey(contract), text, revision); err == nil {
			return nil
		}
	}
	return errors.New("others are faster")
}

// A WorkerState is what a worker says about itself.
type WorkerState struct {
	ID       string  `json:"id"`
	Threads  int     `json:"threads"`
	Contract int     `json:"contract"` // that it works on
	Part     int     `json:"part"`
	Seconds  float64 `json:"seconds"` // of its turn
	Covered  int     `json:"covered"` // instructions, the same
	Total    int     `json:"total"`   // instructions of the contract
	Waiting  int     `json:"waiting"` // messages that the broker does not have yet
	Dropped  int     `json:"dropped"` // messages that it will not get
	Problem  string  `json:"problem,omitempty"`
	Executed         // in its turn
}

const workerKey = "worker."

// Rate returns the inputs in a second.
func (s *WorkerState) Rate() float64 {
	if s.Seconds <= 0 {
		return 0
	}
	return float64(s.Inputs) / s.Seconds
}

// sane reports whether a state can be true.
func (s *WorkerState) sane() bool {
	e := Effort{Seconds: s.Seconds, Covered: s.Covered, Total: s.Total, Executed: s.Executed}
	return e.sane()
}

// Workers returns the workers that were heard of lately, by ID.
func (l *Link) Workers(ctx context.Context) (list []WorkerState, err error) {
	bucket, err := l.bucket(ctx, l.presence)
	if err != nil {
		return nil, l.unread(err)
	}
	keys, err := bucket.ListKeysFiltered(ctx, workerKey+">")
	if err != nil {
		return nil, l.unread(err)
	}
	for key := range keys.Keys() {
		entry, err := bucket.Get(ctx, key)
		if err != nil {
			continue // it has just left
		}
		var s WorkerState
		if json.Unmarshal(entry.Value(), &s) == nil && s.sane() {
			s.ID = strings.TrimPrefix(key, workerKey)
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b WorkerState) int { return strings.Compare(a.ID, b.ID) })
	return list, nil
}

// Efforts returns what workers say they did on each contract, with the turns that go on.
func (l *Link) Efforts(ctx context.Context, contracts int, working []WorkerState) (list []Effort, err error) {
	for i := range contracts {
		e, _, err := l.effort(ctx, i)
		if err != nil {
			return nil, l.unread(err)
		}
		for _, w := range working {
			if w.Contract == i {
				e.Seconds += w.Seconds
				e.Executed.add(&w.Executed)
				e.Covered, e.Total = max(e.Covered, w.Covered), max(e.Total, w.Total)
			}
		}
		list = append(list, e)
	}
	return list, nil
}
