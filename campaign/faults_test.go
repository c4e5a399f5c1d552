package campaign

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// roleVariable has this program be a worker or a broker, to be killed.
const roleVariable = "LEVERET_CAMPAIGN_TEST"

func TestMain(m *testing.M) {
	role, at, _ := strings.Cut(os.Getenv(roleVariable), " ")
	ctx := context.Background() // they end when they are killed
	var err error
	switch role {
	case "worker":
		err = beWorker(ctx, at)
	case "broker":
		err = beBroker(ctx, at)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// beWorker works on a campaign until it is killed.
func beWorker(ctx context.Context, address string) error {
	link, err := Dial(Address{URL: address, Name: "test"})
	if err != nil {
		return err
	}
	defer link.Close()
	w, err := Join(ctx, link, testRevision, "")
	if err != nil {
		return err
	}
	w.Slice, w.beat = 500*time.Millisecond, 50*time.Millisecond
	return w.Work(ctx)
}

// beBroker serves the campaign of a folder until it is killed.
func beBroker(ctx context.Context, dir string) error {
	b, err := StartBroker(BrokerOptions{Name: "test", Dir: dir, Address: "127.0.0.1:0", Store: 256 << 20})
	if err != nil {
		return err
	}
	defer b.Close()
	<-ctx.Done()
	return nil
}

// spawn starts this program in a role. The process is killed at the end of the test at the
// latest.
func spawn(t testing.TB, role, at string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role+" "+at)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(cmd) })
	return cmd
}

func kill(cmd *exec.Cmd) {
	if cmd.ProcessState == nil {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// A receipts notes what the broker has confirmed.
type receipts struct {
	jetstream.JetStream
	mu   sync.Mutex
	list map[string]bool // subjects and texts
}

func (r *receipts) PublishMsg(ctx context.Context, m *nats.Msg, o ...jetstream.PublishOpt) (*jetstream.PubAck, error) {
	ack, err := r.JetStream.PublishMsg(ctx, m, o...)
	if err == nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.list[m.Subject+" "+string(m.Data)] = true
	}
	return ack, err
}

// stored returns the messages of a campaign by subject and text, and how many there are.
func (l *lab) stored() (texts map[string]bool, messages int) {
	l.Helper()
	texts = map[string]bool{}
	for i := range l.manifest.Contracts {
		for subject, stream := range map[string]string{l.owner.entry(i): l.owner.entries, l.owner.finding(i): l.owner.findings} {
			err := l.owner.read(l.Context(), stream, subject, func(m jetstream.Msg) {
				texts[subject+" "+string(m.Data())] = true
				messages++
			})
			if err != nil {
				l.Fatal(err)
			}
		}
	}
	return texts, messages
}

// A fault is something that goes wrong while two workers work.
type fault struct {
	name  string
	place func(testing.TB) string // folder of the broker; nil: any
	wrong func(*ordeal)           // nil: nothing goes wrong
}

// testStore is the room of the campaigns, in bytes.
const testStore = 8 << 20

// An ordeal is a campaign with two workers behind a proxy.
type ordeal struct {
	*lab
	proxy   *proxy
	workers []*Worker
	noted   []*receipts
}

// refused waits until the broker refuses what a worker publishes.
func (o *ordeal) refused() {
	o.await("something is refused", func() bool {
		return slices.ContainsFunc(o.workers, func(w *Worker) bool { s := w.current(); return s.Problem != "" && s.Waiting > 0 })
	})
}

// outage is how long the network is cut.
const outage = 30 * time.Second

// faults are what a campaign has to survive.
var faults = []fault{
	{name: "nothing"},
	{name: "broker kill -9, twice", wrong: func(l *ordeal) {
		for range 2 {
			l.stop()
			broker := spawn(l, "broker", l.options.Dir)
			l.await("the broker", func() bool { return published(l, l.owner).Inputs >= 0 })
			time.Sleep(time.Second)
			kill(broker)
			l.start()
			l.await("the broker again", func() bool { return published(l, l.owner).Inputs >= 0 })
		}
	}},
	{name: "worker kill -9", wrong: func(l *ordeal) {
		victim := spawn(l, "worker", l.broker.URL(false))
		l.await("three workers", func() bool { list, err := l.owner.Workers(l.Context()); return err == nil && len(list) == 3 })
		time.Sleep(time.Second)
		kill(victim)
		l.await("the lease of the dead", func() bool { list, err := l.owner.Workers(l.Context()); return err == nil && len(list) == 2 })
	}},
	{name: "network cut for 30 s", wrong: func(l *ordeal) {
		l.proxy.cut(true)
		time.Sleep(outage)
		l.proxy.cut(false)
	}},
	{name: "stream full, then more room", wrong: fillStream},
	{name: "disk full, then room and a restart", place: smallDisk, wrong: fillDisk},
	{name: "all messages again, in reverse", wrong: repeatReversed},
	{name: "worker of another revision", wrong: func(l *ordeal) {
		if _, err := Join(l.Context(), l.dial(l.broker.URL(false)), "another one", ""); err == nil || !strings.Contains(err.Error(), "install the same one") {
			l.Errorf("another revision: %v", err)
		}
	}},
	{name: "hostile worker: rubbish and false findings", wrong: publishRubbish},
}

// fillStream leaves inputs no room, and makes room when one is refused.
func fillStream(l *ordeal) {
	s, err := l.owner.js.Stream(l.Context(), l.owner.entries)
	if err != nil {
		l.Fatal(err)
	}
	info, err := s.Info(l.Context())
	if err != nil {
		l.Fatal(err)
	}
	info.Config.MaxBytes = int64(info.State.Bytes) + 100
	if _, err := l.owner.js.UpdateStream(l.Context(), info.Config); err != nil {
		l.Fatal(err)
	}
	l.refused()
	if err := l.owner.Create(l.Context(), l.manifest, testRevision, StoreOptions{Store: testStore}); err != nil {
		l.Error(err)
	}
}

// smallDisk mounts a small disk, with the rights that takes.
func smallDisk(t testing.TB) string {
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a small disk cannot be mounted: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			t.Errorf("%s", out)
		}
	})
	return filepath.Join(dir, "campaign")
}

// fillDisk fills the disk of a broker, and makes room later.
func fillDisk(l *ordeal) {
	path := filepath.Join(filepath.Dir(l.options.Dir), "filler")
	filler, err := os.Create(path)
	if err != nil {
		l.Fatal(err)
	}
	for block := make([]byte, 4<<10); err == nil; {
		_, err = filler.Write(block)
	}
	filler.Close()
	l.refused()
	if err := os.Remove(path); err != nil {
		l.Error(err)
	}
	l.stop()
	l.start()
}

// repeatReversed publishes every message once more, the newest first.
func repeatReversed(l *ordeal) {
	hostile := l.dial(l.broker.URL(false))
	for i := range l.manifest.Contracts {
		for subject, stream := range map[string]string{l.owner.entry(i): l.owner.entries, l.owner.finding(i): l.owner.findings} {
			var texts []string
			if err := l.owner.read(l.Context(), stream, subject, func(m jetstream.Msg) { texts = append(texts, string(m.Data())) }); err != nil {
				l.Error(err)
			}
			for _, text := range slices.Backward(texts) {
				publish(l, hostile, subject, text)
			}
		}
	}
}

// publishRubbish publishes what is no input, or an input that shows nothing as a finding.
func publishRubbish(l *ordeal) {
	hostile := l.dial(l.broker.URL(false))
	for n := range 200 {
		for i, text := range []string{"\x00\xff", calls("Nobody", "f()()"), calls("Steps", fmt.Sprintf("raise(uint256)(%d)", n)), calls("Steps") + strings.Repeat("x", n)} {
			publish(l, hostile, hostile.entry(i%2), text)
			publish(l, hostile, hostile.finding(i%2), fmt.Sprintf(`{"id": "SWC-110:Steps:%04d", "oracle": "assertion", "witness": %q}`, n, text))
		}
	}
}

// Whatever goes wrong, what the broker confirmed is there at the end, what waited comes
// later, and only true findings are shown. It prints a table.
func BenchmarkFaults(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("needs signals")
	}
	table := []string{"| fault | messages at the end | confirmed | of them lost | still waiting | dropped | true findings of 2 | false findings |", "|:--|--:|--:|--:|--:|--:|--:|--:|"}
	for _, f := range faults {
		b.Run(f.name, func(b *testing.B) { table = append(table, f.run(b)) })
	}
	b.Log("\n" + strings.Join(table, "\n"))
}

// run has two workers work before, during and after a fault.
func (f *fault) run(t testing.TB) string {
	place := f.place
	if place == nil {
		place = func(t testing.TB) string { return t.TempDir() }
	}
	l := newLabAt(t, place(t), testStore, "Steps", "Plain")
	address, err := url.Parse(l.broker.URL(false))
	if err != nil {
		t.Fatal(err)
	}
	o := &ordeal{lab: l, proxy: newProxy(t, address.Host)}
	address.Host = fmt.Sprintf("127.0.0.1:%d", o.proxy.port())
	var stops []func() error
	for range 2 {
		w := l.join(address.String())
		for _, box := range []*outbox{w.entries, w.findings} {
			r := &receipts{JetStream: box.js, list: map[string]bool{}}
			box.js = r
			o.noted = append(o.noted, r)
		}
		o.workers = append(o.workers, w)
		stops = append(stops, l.work(w))
	}
	l.await("inputs", func() bool { return published(t, l.owner).Inputs > 3 })
	if f.wrong != nil {
		f.wrong(o)
	}
	l.await("findings", func() bool { return published(t, l.owner).Inputs >= 0 && len(l.confirmed(l.owner)) >= 2 })
	for _, stop := range stops { // they publish what waits
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	return o.row(f)
}

// row counts what came of an ordeal.
func (o *ordeal) row(f *fault) string {
	there, messages := o.stored()
	confirmed, lost, waiting, dropped := 0, 0, 0, 0
	for _, r := range o.noted {
		confirmed += len(r.list)
		for text := range r.list {
			if !there[text] {
				lost++
			}
		}
	}
	for _, w := range o.workers {
		s := w.current()
		waiting, dropped = waiting+s.Waiting, dropped+s.Dropped
	}
	shown := o.confirmed(o.owner)
	wrong := slices.DeleteFunc(slices.Clone(shown), func(s string) bool { return slices.Contains(both, s) })
	if lost+waiting+dropped+len(wrong) > 0 || len(shown) != len(both) {
		o.Errorf("%d lost, %d waiting, %d dropped, findings %v", lost, waiting, dropped, shown)
	}
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d |", f.name, messages, confirmed, lost, waiting, dropped, len(shown)-len(wrong), len(wrong))
}
