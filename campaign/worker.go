package campaign

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
)

// A Worker takes part in a campaign.
type Worker struct {
	Threads int                             // that search; 0 means 1
	Memory  int64                           // as engine.Options.Memory
	Slice   time.Duration                   // the first turn on a contract; they double with its slices, maxDoubled times
	Begin   func(t Target, d time.Duration) // called with each turn; may be nil
	Observe func(engine.Event)              // as engine.Options.Observe; may be nil
	Tell    func(error)                     // of a problem with the broker, once each, and of a contract that cannot be fuzzed; may be nil

	link     *Link
	revision string
	id       string
	manifest *Manifest
	targets  []Target
	beat     time.Duration

	slices            int      // so far
	efforts           []Effort // by contract, as the broker said last
	own               []Effort // by contract, of this worker
	entries, findings *outbox

	mu    sync.Mutex
	state WorkerState
	told  string
}

// The usual times of a worker.
const (
	defaultSlice = time.Minute
	maxDoubled   = 4
	defaultBeat  = 5 * time.Second
	lastWords    = 10 * time.Second // for what waits to be published at the end
)

// Errors of Work.
var (
	ErrStopped  = errors.New("the campaign was stopped")
	ErrRevision = errors.New("the campaign goes on with another revision of Leveret")
)

// Join prepares to take part in a campaign. A worker has to be of the revision of
// Leveret that started it. Folder is that of Manifest.Targets.
func Join(ctx context.Context, l *Link, revision, folder string) (*Worker, error) {
	h, err := l.Header(ctx)
	if err != nil {
		return nil, err
	}
	if h.Revision != revision {
		return nil, fmt.Errorf("campaign %s runs with revision %s of Leveret, and this is revision %s; install the same one on all machines", l.campaign, short(h.Revision), short(revision))
	}
	if h.Stopped {
		return nil, fmt.Errorf("campaign %s: %w; leveret campaign start goes on with it", l.campaign, ErrStopped)
	}
	m, err := l.Manifest(ctx, h)
	if err != nil {
		return nil, err
	}
	targets, err := m.Targets(folder)
	if err != nil {
		return nil, err
	}
	if Code(targets) != h.Code {
		return nil, fmt.Errorf("the manifest of campaign %s has other code than the campaign; start the campaign again", l.campaign)
	}
	return &Worker{
		Slice: defaultSlice, link: l, revision: revision, id: rand.Text()[:12], manifest: m, targets: targets, beat: defaultBeat,
		efforts: make([]Effort, len(targets)), own: make([]Effort, len(targets)), entries: newOutbox(l.js), findings: newOutbox(l.js),
	}, nil
}

// short shortens a revision for messages.
func short(revision string) string { return revision[:min(len(revision), 19)] }

// Targets returns the contracts of the campaign.
func (w *Worker) Targets() []Target { return w.targets }

// ID names the worker.
func (w *Worker) ID() string { return w.id }

// Work fuzzes until ctx is done or the campaign ends: then the error is or wraps
// ErrStopped or ErrRevision.
func (w *Worker) Work(ctx context.Context) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	sending, sent := context.WithCancel(context.WithoutCancel(ctx))
	var beside sync.WaitGroup
	beside.Go(func() { w.entries.run(sending) })
	beside.Go(func() { w.findings.run(sending) })
	beside.Go(func() { w.announce(ctx, end) })
	unfit := map[int]bool{}
	for ctx.Err() == nil && len(unfit) < len(w.targets) {
		l := w.choose(ctx)
		if note := w.slice(ctx, l); note != "" && !unfit[l.contract] {
			unfit[l.contract] = true
			w.tell(errors.New(note))
		}
	}
	end(nil)
	w.findings.drain(lastWords)
	w.entries.drain(lastWords)
	sent()
	beside.Wait()
	if cause := context.Cause(ctx); errors.Is(cause, ErrStopped) || errors.Is(cause, ErrRevision) {
		return cause
	}
	if len(unfit) == len(w.targets) {
		return errors.New("no contract of the campaign can be fuzzed, see above")
	}
	return nil
}

// slice works on a contract for a while. It returns why the contract cannot be fuzzed,
// if so.
func (w *Worker) slice(ctx context.Context, l *lease) (note string) {
	t, began := w.targets[l.contract], time.Now()
	peers := newContractPeers(w.link, w.entries, w.findings, l)
	peers.before = Spent{w.efforts[l.contract].Seconds, w.efforts[l.contract].Inputs}
	around, done := context.WithCancel(ctx)
	var beside sync.WaitGroup
	beside.Go(func() { w.keep(around, l) })
	beside.Go(func() { peers.listen(around, w.link) })

	options := w.manifest.Options()
	options.Workers, options.Memory, options.Seed, options.Peers = max(w.Threads, 1), w.Memory, randomSeed(), peers
	options.Time = w.Slice << min(w.efforts[l.contract].Slices, maxDoubled)
	options.Observe = func(e engine.Event) { w.observe(e, l, peers) }
	if w.Begin != nil {
		w.Begin(t, options.Time)
	}
	result, err := engine.Run(ctx, t.Contract, t.Project, options)
	done()
	beside.Wait()
	if err != nil {
		note = fmt.Sprintf("%s: %v", t.Contract.Name, err)
	}
	if result == nil {
		return note
	}
	if result.Note != "" && ctx.Err() == nil {
		note = result.Note
	}
	w.account(ctx, l.contract, &result.Stats, time.Since(began), peers.news() > 0 && note == "", note != "")
	return note
}

// account adds a slice to the efforts.
func (w *Worker) account(ctx context.Context, contract int, s *finding.Stats, took time.Duration, news, unfit bool) {
	done := Effort{
		Seconds: took.Seconds(), Covered: s.Instructions.Covered, Total: s.Instructions.Total, Branches: s.Branches.Covered, Executed: executedOf(s),
	}
	if unfit {
		done.Seconds = max(done.Seconds, (w.Slice << maxDoubled).Seconds()) // others come first
	}
	w.slices++
	w.efforts[contract].merge(&done, news)
	w.own[contract].merge(&done, news)
	w.mu.Lock()
	w.state.Seconds, w.state.Executed = 0, Executed{} // they are in the efforts now
	w.mu.Unlock()
	within(context.WithoutCancel(ctx), func(ctx context.Context) error { return w.link.add(ctx, contract, &done, news) })
}

// randomSeed returns a seed that no other worker has.
func randomSeed() uint64 {
	var b [8]byte
	rand.Read(b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// observe publishes findings, and takes over what to say.
func (w *Worker) observe(e engine.Event, l *lease, peers *contractPeers) {
	peers.spend(Spent{e.Stats.Seconds, e.Stats.Inputs})
	switch e.Kind {
	case engine.EventFound, engine.EventShrunk:
		peers.PublishFinding(e.Finding)
	}
	w.mu.Lock()
	w.state = WorkerState{
		Contract: l.contract, Part: l.part, Seconds: e.Stats.Seconds,
		Covered: e.Stats.Instructions.Covered, Total: e.Stats.Instructions.Total, Executed: executedOf(&e.Stats),
	}
	w.mu.Unlock()
	if w.Observe != nil {
		w.Observe(e)
	}
}

// announce says now and then that this worker lives, and looks whether the campaign goes
// on.
func (w *Worker) announce(ctx context.Context, end context.CancelCauseFunc) {
	lost := false
	for ; ctx.Err() == nil; pause(ctx, w.beat) {
		h, err := w.link.Header(ctx)
		if lost && err == nil {
			w.tell(fmt.Errorf("the server of campaign %s answers again", w.link.campaign))
		}
		lost = err != nil
		switch {
		case ctx.Err() != nil:
		case err != nil:
			w.tell(fmt.Errorf("%w; the work goes on, and what it finds is published later", err))
		case h.Stopped:
			end(fmt.Errorf("campaign %s: %w", w.link.campaign, ErrStopped))
		case h.Revision != w.revision:
			end(fmt.Errorf("campaign %s: %w, %s; install that one", w.link.campaign, ErrRevision, short(h.Revision)))
		}
		within(ctx, w.beatOnce)
	}
	within(context.WithoutCancel(ctx), func(ctx context.Context) error {
		bucket, err := w.link.bucket(ctx, w.link.presence)
		if err != nil {
			return err
		}
		return bucket.Delete(ctx, workerKey+w.id)
	})
}

// beatOnce writes the state of the worker.
func (w *Worker) beatOnce(ctx context.Context) error {
	bucket, err := w.link.bucket(ctx, w.link.presence)
	if err != nil {
		return err
	}
	text, err := json.Marshal(w.current())
	if err != nil {
		return err
	}
	_, err = bucket.Put(ctx, workerKey+w.id, text)
	return err
}

// current returns the state of the worker.
func (w *Worker) current() WorkerState {
	w.mu.Lock()
	s := w.state
	w.mu.Unlock()
	s.ID, s.Threads = w.id, max(w.Threads, 1)
	for _, o := range []*outbox{w.entries, w.findings} {
		waiting, _, dropped, problem := o.state()
		s.Waiting, s.Dropped = s.Waiting+waiting, s.Dropped+dropped
		if problem != nil {
			s.Problem = problem.Error()
			if isFull(problem) {
				w.tell(fmt.Errorf("the broker has no room for campaign %s; what is found waits here: start the campaign again with a larger --store", w.link.campaign))
			}
		}
	}
	return s
}

// tell tells of a problem, unless it is the last one again.
func (w *Worker) tell(problem error) {
	w.mu.Lock()
	again := w.told == problem.Error()
	w.told = problem.Error()
	w.mu.Unlock()
	if !again && w.Tell != nil {
		w.Tell(problem)
	}
}
