package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"leveret/engine"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

// A tape records what a search publishes.
type tape struct{ list []input.Sequence }

func (r *tape) Part() int { return 0 }

func (r *tape) Publish(s input.Sequence) { r.list = append(r.list, s) }

func (r *tape) Receive(int) (inputs, witnesses []input.Sequence) { return nil, nil }

// recorded returns what a campaign on a real contract publishes.
func recorded(t testing.TB, file, contract string, inputs int) []input.Sequence {
	t.Helper()
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	path := filepath.Join(solctest.Tools(t), file)
	p, err := project.Open(tools, path)
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.Compile(t.Context(), []string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := new(tape)
	if _, err := engine.Run(t.Context(), b.Contract(contract), b.Contracts, engine.Options{Seed: 1, MaxInputs: inputs, Peers: r}); err != nil {
		t.Fatal(err)
	}
	return r.list
}

// A simulated worker sends and receives as a worker does, and executes nothing.
type simulated struct {
	*Worker
	peers *contractPeers
	got   int
}

// simulate has workers publish entries in turn until each has all of them. It returns what
// passed their connections, and how long it took.
func (l *lab) simulate(workers int, entries []input.Sequence) (sum nats.Statistics, took time.Duration) {
	l.Helper()
	ctx, cancel := context.WithCancel(l.Context())
	var all []*simulated
	var beside sync.WaitGroup
	for range workers {
		w := &simulated{Worker: l.join(l.broker.URL(false))}
		w.beat = defaultBeat
		w.peers = newContractPeers(w.link, w.entries, w.findings, new(lease))
		beside.Go(func() { w.entries.run(ctx) })
		beside.Go(func() { w.announce(ctx, func(error) {}) })
		beside.Go(func() { w.peers.listen(ctx, w.link) })
		all = append(all, w)
	}
	time.Sleep(time.Second) // they begin to listen
	began, before := time.Now(), traffic(all)
	for i, s := range entries {
		all[i%workers].peers.Publish(s)
	}
	for _, w := range all {
		own := (len(entries) + workers - 1) / workers
		l.await("all entries", func() bool {
			list, _ := w.peers.Receive(maxArrived)
			w.got += len(list)
			return w.got >= len(entries)-own && w.current().Waiting == 0
		})
	}
	took = time.Since(began)
	time.Sleep(time.Second / 4) // the last one hears of its own
	sum = traffic(all)
	cancel()
	beside.Wait()
	sum.InMsgs, sum.OutMsgs, sum.InBytes, sum.OutBytes = sum.InMsgs-before.InMsgs, sum.OutMsgs-before.OutMsgs, sum.InBytes-before.InBytes, sum.OutBytes-before.OutBytes
	return sum, took
}

// traffic sums what passed the connections of workers.
func traffic(all []*simulated) (sum nats.Statistics) {
	for _, w := range all {
		s := w.link.nats.Stats()
		sum.InMsgs, sum.OutMsgs, sum.InBytes, sum.OutBytes = sum.InMsgs+s.InMsgs, sum.OutMsgs+s.OutMsgs, sum.InBytes+s.InBytes, sum.OutBytes+s.OutBytes
	}
	return sum
}

// What a new entry costs a worker does not depend on how many there are: it gets the entry
// once.
func TestTraffic(t *testing.T) {
	var entries []input.Sequence
	for n := range 40 {
		s, ok := parse([]byte(calls("Steps", fmt.Sprintf("raise(uint256)(%d)", n))), maxEntry)
		if !ok {
			t.Fatal("no input")
		}
		entries = append(entries, s)
	}
	for _, workers := range []int{1, 4} {
		sum, _ := newLab(t, 64<<20, "Steps").simulate(workers, entries)
		n := uint64(len(entries) * workers)
		if sum.InMsgs < n || sum.InMsgs > 4*n+200*uint64(workers) {
			t.Errorf("%d workers: %d messages for %d entries", workers, sum.InMsgs, len(entries))
		}
	}
}

// It prints messages and bytes of each new entry, by the number of workers.
func BenchmarkTraffic(b *testing.B) {
	entries := recorded(b, "node_modules/@gnosis.pm/conditional-tokens-contracts/contracts/ConditionalTokens.sol", "ConditionalTokens", 30000)
	size := 0
	for _, s := range entries {
		size += len(input.AppendText(nil, s))
	}
	table := []string{
		fmt.Sprintf("%d recorded entries of %d bytes on average", len(entries), size/len(entries)), "",
		"| workers | messages to workers per entry | from workers | KB to workers per entry | from workers | KB of each worker | seconds |", "|--:|--:|--:|--:|--:|--:|--:|",
	}
	n := float64(len(entries))
	for _, workers := range []int{1, 2, 5, 10, 20, 50, 100} {
		sum, took := newLab(b, 64<<20, "Steps").simulate(workers, entries)
		table = append(table, fmt.Sprintf("| %d | %.1f | %.1f | %.1f | %.1f | %.2f | %.1f |", workers, float64(sum.InMsgs)/n, float64(sum.OutMsgs)/n,
			float64(sum.InBytes)/n/1e3, float64(sum.OutBytes)/n/1e3, float64(sum.InBytes+sum.OutBytes)/n/1e3/float64(workers), took.Seconds()))
	}
	b.Log("\n" + strings.Join(table, "\n"))
}
