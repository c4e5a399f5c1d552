package engine

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// scripted are peers that send what a test wants, and keep what is published.
type scripted struct {
	mu                sync.Mutex
	inputs, witnesses []input.Sequence // to be sent
	most              int              // that were asked for at once
	published         []input.Sequence
	part              int
}

func (p *scripted) Part() int { return p.part }

func (p *scripted) Publish(s input.Sequence) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.published = append(p.published, s)
}

func (p *scripted) Receive(limit int) (inputs, witnesses []input.Sequence) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.most = max(p.most, limit)
	n := min(limit, len(p.inputs))
	inputs, p.inputs = p.inputs[:n], p.inputs[n:]
	m := min(limit-n, len(p.witnesses))
	witnesses, p.witnesses = p.witnesses[:m], p.witnesses[m:]
	return inputs, witnesses
}

// A campaign publishes what it covers, and a shorter one that executes this covers as
// much.
func TestPeers(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	for _, workers := range []int{1, 2} {
		first := &scripted{}
		one := run(t, b, "Stateful", Options{MaxInputs: 4000, Seed: 1, Workers: workers, Peers: first})
		if len(first.published) == 0 || len(first.published) > one.Stats.Paths {
			t.Errorf("%d workers: %d inputs were published, of %d paths", workers, len(first.published), one.Stats.Paths)
		}
		second := &scripted{inputs: slices.Clone(first.published)}
		two := run(t, b, "Stateful", Options{MaxInputs: 1000, Seed: 2, Workers: workers, Peers: second, Without: Without{NoDemand: true, NoPrediction: true}})
		if len(second.inputs) > 0 || two.Stats.Sources["exchanged"].Tried == 0 || two.Stats.Instructions.Covered < one.Stats.Instructions.Covered {
			t.Errorf("%d workers: %d inputs are left; %+v covers %+v of %+v", workers,
				len(second.inputs), two.Stats.Sources["exchanged"], two.Stats.Instructions, one.Stats.Instructions)
		}
	}
}

// The number among the peers decides which functions come first: with one seed, two parts
// make different inputs, and one part the same.
func TestPartsOfPeersDiffer(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	digest := func(part int) uint64 {
		all := input.NoTxs
		run(t, b, "Stateful", Options{MaxInputs: 200, Seed: 1, Peers: &scripted{part: part}, Executed: func(s input.Sequence) {
			for i := range s.Txs {
				all = input.DigestTx(all, &s.Txs[i])
			}
		}})
		return all
	}
	even := digest(0)
	if digest(0) != even || digest(1) == even || digest(2) == digest(1) {
		t.Error("parts 0, 1 and 2 do not make inputs of their own")
	}
}

// A witness of a peer shows its finding here, a harmless one shows nothing, and
// neither does an input that does not fit the contract.
func TestPeersWitnesses(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	known := run(t, b, "Stateful", Options{MaxInputs: 6000, Seed: 1, Oracles: []string{"assertion"}}).Findings
	if len(known) == 0 {
		t.Fatal("nothing found")
	}
	harmless := known[0].Witness
	harmless.Txs = harmless.Txs[:1]
	strange := known[0].Witness
	strange.Txs = []input.Tx{{From: input.User1, Function: &input.Function{Signature: "no()", Name: "no"}}}
	peers := &scripted{inputs: []input.Sequence{strange, {}}, witnesses: []input.Sequence{strange, {}, harmless, known[0].Witness}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := Run(ctx, contract(t, b, "Stateful"), b.Contracts, Options{
		MaxInputs: 64, Seed: 3, Peers: peers, Without: Without{NoDemand: true, NoPrediction: true}, Oracles: []string{"assertion"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 || r.Findings[0].ID != known[0].ID {
		t.Errorf("findings %v, want %s", r.Findings, known[0].ID)
	}
	if peers.most != peersShare {
		t.Errorf("%d were taken at once", peers.most)
	}
}

// A review executes the witnesses and the corpus, and nothing else.
func TestReview(t *testing.T) {
	b := compile(t, "testdata/Planted.sol")
	peers := &scripted{}
	r := run(t, b, "Stateful", Options{MaxInputs: 6000, Seed: 1, Oracles: []string{"assertion"}, Peers: peers})
	if len(r.Findings) == 0 {
		t.Fatal("nothing found")
	}
	executed := 0
	again, err := Review(t.Context(), contract(t, b, "Stateful"), b.Contracts, peers.published, Options{
		Known: []input.Sequence{r.Findings[0].Witness}, Oracles: []string{"assertion"},
		Executed: func(input.Sequence) { executed++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	if executed != len(peers.published) || again.Stats.Inputs != executed {
		t.Errorf("%d inputs were executed, %d counted, of %d", executed, again.Stats.Inputs, len(peers.published))
	}
	if !slices.ContainsFunc(again.Findings, func(f finding.Finding) bool { return f.ID == r.Findings[0].ID }) {
		t.Errorf("findings %v, want %s", again.Findings, r.Findings[0].ID)
	}
	if again.Coverage == nil || again.Stats.Instructions != r.Stats.Instructions {
		t.Errorf("%+v are covered, want %+v", again.Stats.Instructions, r.Stats.Instructions)
	}
}

// A review has no time limit, however many inputs there are.
func TestReviewHasNoLimit(t *testing.T) {
	o := Options{Time: time.Second}.unlimited()
	ctx, done := o.until(t.Context())
	defer done()
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	if end, limited := ctx.Deadline(); limited || o.Time > 0 {
		t.Errorf("it ends at %v, after %v", end, o.Time)
	}
}
