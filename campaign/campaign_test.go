package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A lab has a broker with a campaign over contracts of plantedSource.
type lab struct {
	testing.TB
	options  BrokerOptions
	broker   *Broker
	owner    *Link
	manifest *Manifest
}

const testRevision = "revision of the tests"

// newLab starts a broker and a campaign. store is in bytes.
func newLab(t testing.TB, store int64, contracts ...string) *lab {
	t.Helper()
	return newLabAt(t, t.TempDir(), store, contracts...)
}

// newLabAt is newLab with the folder of the broker.
func newLabAt(t testing.TB, dir string, store int64, contracts ...string) *lab {
	t.Helper()
	l := &lab{TB: t, options: BrokerOptions{Name: "test", Dir: dir, Address: "127.0.0.1:0", Store: 256 << 20}}
	l.manifest = manifest(t, build(t), contracts...)
	l.start()
	l.owner = l.dial(l.broker.URL(true))
	if err := l.owner.Create(t.Context(), l.manifest, testRevision, StoreOptions{Store: store}); err != nil {
		t.Fatal(err)
	}
	return l
}

func (l *lab) start() {
	l.Helper()
	b, err := StartBroker(l.options)
	if err != nil {
		l.Fatal(err)
	}
	l.broker = b
	l.Cleanup(func() {
		if l.broker == b {
			b.Close()
		}
	})
}

// stop stops the broker.
func (l *lab) stop() {
	b := l.broker
	l.broker = nil
	b.Close()
}

func (l *lab) dial(url string) *Link {
	l.Helper()
	link, err := Dial(Address{URL: url, Name: "test"})
	if err != nil {
		l.Fatal(err)
	}
	l.Cleanup(link.Close)
	return link
}

// join returns a worker at a URL, with short times.
func (l *lab) join(url string) *Worker {
	l.Helper()
	w, err := Join(l.Context(), l.dial(url), testRevision, "")
	if err != nil {
		l.Fatal(err)
	}
	w.Slice, w.beat = 500*time.Millisecond, 50*time.Millisecond
	for _, o := range []*outbox{w.entries, w.findings} {
		o.retry = firstRetry
	}
	return w
}

// work has a worker work until the returned function is called, which returns what Work
// does.
func (l *lab) work(w *Worker) (stop func() error) {
	ctx, cancel := context.WithCancel(l.Context())
	result := make(chan error, 1)
	go func() { result <- w.Work(ctx) }()
	stop = sync.OnceValue(func() error { cancel(); return <-result })
	l.Cleanup(func() { stop() })
	return stop
}

// await waits until a condition holds.
func (l *lab) await(what string, holds func() bool) {
	l.Helper()
	late := time.After(2 * time.Minute)
	for wait := 10 * time.Millisecond; !holds(); wait = min(2*wait, time.Second/2) {
		select {
		case <-late:
			l.Fatalf("waited in vain: %s", what)
		case <-time.After(wait):
		}
	}
}

// confirmed returns the contracts and functions of the findings that the published
// witnesses and inputs show.
func (l *lab) confirmed(from *Link) (list []string) {
	l.Helper()
	targets, err := l.manifest.Targets("")
	if err != nil {
		l.Fatal(err)
	}
	for i, t := range targets {
		inputs, witnesses, err := from.Corpus(l.Context(), i)
		if err != nil {
			l.Fatal(err)
		}
		options := l.manifest.Options()
		options.Known = witnesses
		r, err := engine.Review(l.Context(), t.Contract, t.Project, inputs, options)
		if err != nil {
			l.Fatal(err)
		}
		for _, f := range r.Findings {
			list = append(list, f.Contract+"."+f.Function)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// published returns how much was published; -1 if the broker does not answer.
func published(t testing.TB, from *Link) (sum Count) {
	list, err := from.Counts(t.Context(), 2)
	if err != nil {
		return Count{-1, -1}
	}
	for _, n := range list {
		sum.Inputs, sum.Witnesses = sum.Inputs+n.Inputs, sum.Witnesses+n.Witnesses
	}
	return sum
}

var both = []string{"Plain.at(uint8)", "Steps.open(uint256)"}

// Two workers share the contracts, and their findings are there when the campaign is
// stopped, which only its owner may do.
func TestTwoWorkers(t *testing.T) {
	l := newLab(t, 64<<20, "Steps", "Plain")
	first, second := l.join(l.broker.URL(false)), l.join(l.broker.URL(false))
	l.work(first)
	stopped := l.work(second)
	l.await("findings of both contracts", func() bool { return len(l.confirmed(l.owner)) == 2 })
	l.await("two workers on two parts", func() bool {
		list, err := l.owner.Workers(t.Context())
		return err == nil && len(list) == 2 && (list[0].Contract != list[1].Contract || list[0].Part != list[1].Part)
	})
	if have := l.confirmed(l.owner); !slices.Equal(have, both) {
		t.Errorf("findings %v", have)
	}
	other := l.dial(l.broker.URL(false))
	if err := other.Stop(t.Context()); err == nil {
		t.Error("a worker stopped the campaign")
	}
	if err := l.owner.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.await("the end of the work", func() bool {
		list, err := l.owner.Workers(t.Context())
		return err == nil && len(list) == 0
	})
	if err := stopped(); !errors.Is(err, ErrStopped) {
		t.Errorf("error %v", err)
	}
	if _, err := Join(t.Context(), other, testRevision, ""); !errors.Is(err, ErrStopped) {
		t.Errorf("join: %v", err)
	}
	efforts, err := l.owner.Efforts(t.Context(), 2, nil)
	if err != nil || efforts[0].Inputs == 0 || efforts[1].Inputs == 0 || efforts[0].Covered == 0 || efforts[0].Transactions == 0 || efforts[0].Sources["seed"].Tried == 0 {
		t.Errorf("efforts %+v, %v", efforts, err)
	}
}

// A worker of another revision is refused, and one that works ends when the campaign
// goes on with another one. Other code does not replace that of a campaign.
func TestOtherRevision(t *testing.T) {
	l := newLab(t, 64<<20, "Plain")
	if _, err := Join(t.Context(), l.dial(l.broker.URL(false)), "another one", ""); err == nil || !strings.Contains(err.Error(), "another one") {
		t.Errorf("error %v", err)
	}
	w := l.join(l.broker.URL(false))
	result := make(chan error, 1)
	go func() { result <- w.Work(t.Context()) }()
	if err := l.owner.Create(t.Context(), l.manifest, "a newer one", StoreOptions{Store: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	if err := <-result; !errors.Is(err, ErrRevision) {
		t.Errorf("error %v", err)
	}
	other := manifest(t, build(t), "Steps")
	if err := l.owner.Create(t.Context(), other, testRevision, StoreOptions{Store: 64 << 20}); err == nil {
		t.Error("other code is accepted")
	}
}

// What a worker finds while the broker is away goes out when it is back, and what was
// published before is still there.
func TestBrokerRestarts(t *testing.T) {
	l := newLab(t, 64<<20, "Steps", "Plain")
	publish(t, l.owner, l.owner.entry(0), calls("Steps", "raise(uint256)(5)"))
	w := l.join(l.broker.URL(false))
	told := make(chan string, 100)
	w.Tell = func(problem error) { told <- problem.Error() }
	l.stop()
	l.work(w)
	l.await("messages that wait", func() bool { return w.current().Waiting > 3 })
	if got := <-told; got != "the server of campaign test does not answer; the work goes on, and what it finds is published later" {
		t.Errorf("told %q", got)
	}
	l.start()
	if got := <-told; got != "the server of campaign test answers again" {
		t.Errorf("told %q", got)
	}
	l.await("findings after the restart", func() bool { return published(t, l.owner).Witnesses >= 2 && len(l.confirmed(l.owner)) == 2 })
	inputs, _, err := l.owner.Corpus(t.Context(), 0)
	if err != nil || inputs[0].String() != "user1 calls Steps.raise(5)" {
		t.Errorf("inputs %v, %v", inputs, err)
	}
}

// calls writes calls of a contract of plantedSource as workers do.
func calls(contract string, calls ...string) string {
	text := "leveret input v1\ndeploy " + contract + " constructor()() at 0x9944c4AaB28DdBf4b580455c351c740730d69F10 file=\"src/Planted.sol\"\n"
	for _, call := range calls {
		text += "user1 " + contract + "." + call + "\n"
	}
	return text
}

// publish publishes a text as a hostile worker would.
func publish(t testing.TB, l *Link, subject, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), answerTime)
	defer cancel()
	if _, err := l.js.PublishMsg(ctx, &nats.Msg{Subject: subject, Data: []byte(text)}); err != nil {
		t.Fatal(err)
	}
}

// A connection that is cut holds nothing up, and what was found goes out afterwards.
func TestConnectionIsCut(t *testing.T) {
	l := newLab(t, 64<<20, "Steps", "Plain")
	p := newProxy(t, fmt.Sprintf("127.0.0.1:%d", l.broker.saved.Port))
	w := l.join(strings.Replace(l.broker.URL(false), fmt.Sprint(l.broker.saved.Port), fmt.Sprint(p.port()), 1))
	inputs := 0
	var mu sync.Mutex
	w.Observe = func(e engine.Event) {
		mu.Lock()
		defer mu.Unlock()
		inputs = max(inputs, e.Stats.Inputs)
	}
	p.cut(true)
	l.work(w)
	l.await("messages that wait", func() bool { return w.current().Waiting > 3 })
	l.await("work without the broker", func() bool { mu.Lock(); defer mu.Unlock(); return inputs > 1000 })
	if n := published(t, l.owner).Witnesses; n != 0 {
		t.Errorf("%d witnesses came through", n)
	}
	p.cut(false)
	l.await("findings after the cut", func() bool { return len(l.confirmed(l.owner)) == 2 })
}

// A stream that is full refuses inputs, which wait. Findings have room of their own. With
// more room, the inputs go out.
func TestFullStream(t *testing.T) {
	l := newLab(t, 64<<20, "Steps")
	fill := calls("Steps", slices.Repeat([]string{"raise(uint256)(5)"}, 100)...)
	s, err := l.owner.js.Stream(t.Context(), l.owner.entries)
	if err != nil {
		t.Fatal(err)
	}
	config := s.CachedInfo().Config
	config.MaxBytes = 8 << 10
	if _, err := l.owner.js.UpdateStream(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = l.owner.js.Publish(t.Context(), l.owner.entry(0), []byte(fill))
	}
	if !isFull(err) {
		t.Fatal(err)
	}
	w := l.join(l.broker.URL(false))
	told := make(chan error, 16)
	w.Tell = func(err error) { told <- err }
	l.work(w)
	l.await("a sentence", func() bool {
		select {
		case err := <-told:
			return strings.Contains(err.Error(), "--store")
		default:
			return false
		}
	})
	l.await("findings", func() bool { return published(t, l.owner).Witnesses > 0 })
	before := published(t, l.owner).Inputs
	if err := l.owner.Create(t.Context(), l.manifest, testRevision, StoreOptions{Store: 64 << 20}); err != nil {
		t.Fatal(err)
	}
	l.await("inputs with more room", func() bool { return published(t, l.owner).Inputs > before && w.current().Waiting == 0 })
}

// Messages that come twice and in another order are taken once.
func TestRepeatedMessages(t *testing.T) {
	l := newLab(t, 64<<20, "Steps")
	text := func(n int) string { return calls("Steps", fmt.Sprintf("raise(uint256)(%d)", n)) }
	for _, n := range []int{3, 1, 2, 1, 3, 3} {
		publish(t, l.owner, l.owner.entry(0), text(n))
	}
	inputs, _, err := l.owner.Corpus(t.Context(), 0)
	if err != nil || len(inputs) != 3 {
		t.Errorf("%d inputs, %v", len(inputs), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := l.join(l.broker.URL(false))
	p := newContractPeers(w.link, w.entries, w.findings, new(lease))
	go p.listen(ctx, w.link)
	var have []input.Sequence
	l.await("three inputs", func() bool {
		list, _ := p.Receive(16)
		have = append(have, list...)
		return len(have) >= 3
	})
	publish(t, l.owner, l.owner.entry(0), text(2))
	publish(t, l.owner, l.owner.entry(0), text(4))
	l.await("one more input", func() bool {
		list, _ := p.Receive(16)
		have = append(have, list...)
		return len(have) >= 4
	})
	p.Publish(have[0])
	if waiting, _, _, _ := w.entries.state(); waiting != 0 || len(have) != 4 {
		t.Errorf("%d inputs, %d are published again", len(have), waiting)
	}
}

// A hostile worker changes nothing of others, and what it invents is not shown.
func TestHostileWorker(t *testing.T) {
	l := newLab(t, 64<<20, "Steps", "Plain")
	hostile := l.dial(l.broker.URL(false))
	for _, text := range []string{
		"", "\x00\xff", calls("Steps"), calls("Nobody", "f()()"), calls("Steps", "raise(uint256)(1) agent=refuse"), calls("Plain", "at(uint8)(77)"),
		calls("Steps", slices.Repeat([]string{"raise(uint256)(5)"}, 1500)...),
		calls("Steps", "open(uint256[][][][][][][][][])([[[[[[[[[]]]]]]]]])"),
	} {
		publish(t, hostile, hostile.entry(0), text)
		publish(t, hostile, hostile.entry(99), text)
		publish(t, hostile, hostile.finding(0), text)
		publish(t, hostile, hostile.finding(0), fmt.Sprintf(`{"id": "SWC-110:Steps:0000", "oracle": "assertion", "witness": %q}`, text))
	}
	// A witness that shows nothing, under the name of a finding.
	publish(t, hostile, hostile.finding(1), fmt.Sprintf(`{"id": "SWC-110:Plain:0000", "oracle": "assertion", "witness": %q}`, calls("Plain", "at(uint8)(1)")))
	if have := l.confirmed(l.owner); len(have) > 0 {
		t.Fatalf("false findings are shown: %v", have)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	quick := func() context.Context {
		c, cancel := context.WithTimeout(ctx, time.Second)
		t.Cleanup(cancel)
		return c
	}
	js := hostile.js
	for what, err := range map[string]error{
		"delete the inputs": js.DeleteStream(quick(), hostile.entries),
		"purge": func() error {
			s, err := js.Stream(quick(), hostile.findings)
			if err != nil {
				return err
			}
			return s.Purge(quick())
		}(),
		"write the header":     hostile.put(quick(), &Header{Version: headerVersion, Stopped: true}),
		"replace the manifest": hostile.Create(quick(), l.manifest, "hostile", StoreOptions{}),
		"make a stream": func() error {
			_, err := js.CreateStream(quick(), jetstream.StreamConfig{Name: "mine", Subjects: []string{"mine"}})
			return err
		}(),
	} {
		if err == nil {
			t.Errorf("a worker may %s", what)
		}
	}
	l.work(l.join(l.broker.URL(false)))
	l.await("true findings", func() bool { return len(l.confirmed(l.owner)) == 2 })
	if have := l.confirmed(l.owner); !slices.Equal(have, both) {
		t.Errorf("findings %v", have)
	}
}

// What workers say they executed is added up, by the sources of inputs too; what cannot
// be true is dropped.
func TestExecuted(t *testing.T) {
	stats := &finding.Stats{Inputs: 5, Transactions: 7, Sources: map[string]finding.SourceStat{"seed": {Tried: 5, NewPaths: 2}, "fresh": {}}}
	slice := Effort{Seconds: 1, Executed: executedOf(stats)}
	stats.Sources["seed"] = finding.SourceStat{} // the search goes on with its own
	var e Effort
	e.merge(&slice, true)
	e.merge(&slice, false)
	if e.Inputs != 10 || e.Transactions != 14 || len(e.Sources) != 1 || e.Sources["seed"] != (finding.SourceStat{Tried: 10, NewPaths: 4}) || slice.Sources["seed"].Tried != 5 {
		t.Errorf("%+v of %+v", e, slice)
	}
	many := map[string]finding.SourceStat{}
	for i := range maxSources + 1 {
		many[strings.Repeat("a", i%32+1)+strings.Repeat("-", i/32)] = finding.SourceStat{Tried: 1}
	}
	for name, bad := range map[string]Executed{
		"inputs": {Inputs: -1}, "transactions": {Transactions: -1}, "many": {Sources: many},
		"a figure": {Sources: map[string]finding.SourceStat{"seed": {NewPaths: -1}}}, "a name": {Sources: map[string]finding.SourceStat{"<b>": {}}},
	} {
		if s := (WorkerState{Executed: bad}); s.sane() {
			t.Errorf("%s: taken for true", name)
		}
	}
	if s := (WorkerState{Total: 1, Executed: slice.Executed}); !s.sane() {
		t.Error("the truth is not taken for true")
	}
}
