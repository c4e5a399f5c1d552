package campaign

import (
	"context"
	"encoding/json"
	"sync"

	"leveret/engine/finding"
	"leveret/engine/input"
)

// A contractPeers connects a search of one contract with those of other workers. It is
// engine.Peers.
type contractPeers struct {
	part                    int
	subject, findingSubject string
	entries, findings       *outbox

	mu        sync.Mutex
	room      sync.Cond                 // of mu: there is room in arrived, or the search is over
	known     map[string]bool           // digests of what was published or has arrived
	arrived   map[bool][]input.Sequence // by whether they are witnesses
	published int                       // inputs
	before    Spent                     // on the contract before this turn
	turn      Spent
	over      bool
}

// The bounds of what waits for the search, and of what is known.
const (
	maxArrived = 1024
	maxKnown   = 1 << 17
)

func newContractPeers(l *Link, entries, findings *outbox, at *lease) *contractPeers {
	p := &contractPeers{
		part: at.part, subject: l.entry(at.contract), findingSubject: l.finding(at.contract), entries: entries, findings: findings,
		known: map[string]bool{}, arrived: map[bool][]input.Sequence{},
	}
	p.room.L = &p.mu
	return p
}

// listen takes in what others publish until ctx is done.
func (p *contractPeers) listen(ctx context.Context, l *Link) {
	stop := context.AfterFunc(ctx, p.end)
	defer stop()
	var wait sync.WaitGroup
	wait.Go(func() {
		l.follow(ctx, l.findings, p.findingSubject, func(text []byte) {
			if s, ok := parseWitness(text); ok {
				p.take(s.Sequence, true)
			}
		})
	})
	wait.Go(func() {
		l.follow(ctx, l.entries, p.subject, func(text []byte) {
			if s, ok := parse(text, maxEntry); ok {
				p.take(s, false)
			}
		})
	})
	wait.Wait()
}

// end lets nobody wait any more.
func (p *contractPeers) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.room.Broadcast()
}

// take takes a sequence in that is new here. It waits while there is no room.
func (p *contractPeers) take(s input.Sequence, witness bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.arrived[witness]) >= maxArrived && !p.over {
		p.room.Wait()
	}
	if p.learn(digestOf(input.AppendText(nil, s)), witness) {
		p.arrived[witness] = append(p.arrived[witness], s)
	}
}

// learn notes a digest, and reports whether it is new. A witness may be an input too.
func (p *contractPeers) learn(digest string, witness bool) bool {
	if witness {
		digest = "witness " + digest
	}
	if p.known[digest] {
		return false
	}
	if len(p.known) >= maxKnown {
		clear(p.known)
	}
	p.known[digest] = true
	return true
}

// Part is the part of the lease.
func (p *contractPeers) Part() int { return p.part }

// Publish queues an input for the others.
func (p *contractPeers) Publish(s input.Sequence) {
	text := input.AppendText(nil, s)
	digest := digestOf(text)
	p.mu.Lock()
	isNew := len(text) <= maxEntry && p.learn(digest, false)
	if isNew {
		p.published++
	}
	spent := p.spent()
	p.mu.Unlock()
	if isNew {
		p.entries.add(message{p.subject, p.subject + " " + digest, spent, text})
	}
}

// PublishFinding queues the witness of a finding for the others.
func (p *contractPeers) PublishFinding(f *finding.Finding) {
	text := input.AppendText(nil, f.Witness)
	data, err := json.Marshal(report{ID: f.ID, Oracle: f.Oracle, Witness: string(text)})
	digest := digestOf(text)
	p.mu.Lock()
	isNew := err == nil && len(data) <= maxFinding && p.learn(digest, true)
	spent := p.spent()
	p.mu.Unlock()
	if isNew {
		p.findings.add(message{p.findingSubject, p.findingSubject + " " + digest, spent, data})
	}
}

// spend takes over what the turn took so far.
func (p *contractPeers) spend(turn Spent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.turn = turn
}

// spent returns what this worker knows was spent on the contract.
func (p *contractPeers) spent() Spent {
	return Spent{p.before.Seconds + p.turn.Seconds, p.before.Inputs + p.turn.Inputs}
}

// Receive returns what has arrived: at most limit sequences, witnesses first.
func (p *contractPeers) Receive(limit int) (inputs, witnesses []input.Sequence) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cut := func(witness bool, limit int) []input.Sequence {
		list := p.arrived[witness]
		n := min(limit, len(list))
		p.arrived[witness] = list[n:]
		return list[:n]
	}
	witnesses = cut(true, (limit+3)/4)
	inputs = cut(false, limit-len(witnesses))
	p.room.Broadcast()
	return inputs, witnesses
}

// news returns how many inputs were published since the last call.
func (p *contractPeers) news() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.published
	p.published = 0
	return n
}
