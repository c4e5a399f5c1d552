package campaign

import (
	"context"
	"encoding/json"
	"math"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"leveret/engine/input"
)

// A Spent is what a worker says was spent on a contract when it published something: what
// it knew of others, and its own turn.
type Spent struct {
	Seconds float64 `json:"seconds"` // of all workers together
	Inputs  int     `json:"inputs"`
}

// The header of a message with a Spent, and the most bytes of it.
const (
	spentHeader = "Leveret-Spent"
	maxSpent    = 128
)

// header returns the header of a message; nil if nothing was spent.
func (s Spent) header() nats.Header {
	text, err := json.Marshal(s)
	if err != nil || s == (Spent{}) {
		return nil
	}
	return nats.Header{spentHeader: {string(text)}}
}

// spentOf reads the header of a message. It is zero if there is none that can be true.
func spentOf(h nats.Header) (s Spent) {
	text := h.Get(spentHeader)
	if len(text) > maxSpent || json.Unmarshal([]byte(text), &s) != nil || s.Seconds < 0 || s.Seconds > maxSeconds || s.Inputs < 0 {
		return Spent{}
	}
	return s
}

// A Published is an input that a worker published, or the witness of a finding.
type Published struct {
	input.Sequence
	Finding string // the ID of the finding, as the worker says; empty: an input
	Spent
}

// Published reads what workers published about a contract, inputs and witnesses each in
// their order. What is no input is left out, and so are copies.
func (l *Link) Published(ctx context.Context, contract int) (inputs, witnesses []Published, err error) {
	seen := map[string]bool{}
	keep := func(list *[]Published, parse func([]byte) (Published, bool)) func(jetstream.Msg) {
		return func(m jetstream.Msg) {
			p, ok := parse(m.Data())
			if !ok {
				return
			}
			if key := digestOf(input.AppendText(nil, p.Sequence)); !seen[key] {
				seen[key] = true
				p.Spent = spentOf(m.Headers())
				*list = append(*list, p)
			}
		}
	}
	err = l.read(ctx, l.findings, l.finding(contract), keep(&witnesses, parseWitness))
	if err == nil {
		err = l.read(ctx, l.entries, l.entry(contract), keep(&inputs, func(text []byte) (Published, bool) {
			s, ok := parse(text, maxEntry)
			return Published{Sequence: s}, ok
		}))
	}
	return inputs, witnesses, err
}

// Sequences returns what was published.
func Sequences(list []Published) (sequences []input.Sequence) {
	for _, p := range list {
		sequences = append(sequences, p.Sequence)
	}
	return sequences
}

// Corpus reads the inputs of a contract that workers published, and the witnesses of
// findings.
func (l *Link) Corpus(ctx context.Context, contract int) (inputs, witnesses []input.Sequence, err error) {
	i, w, err := l.Published(ctx, contract)
	return Sequences(i), Sequences(w), err
}

// InOrder lets what was spent never fall: workers know little of one another. What is more
// than a limit is the limit.
func InOrder(list []Published, limit Spent) {
	var most Spent
	for i := range list {
		s := &list[i].Spent
		most.Seconds = min(math.Max(most.Seconds, s.Seconds), limit.Seconds)
		most.Inputs = min(max(most.Inputs, s.Inputs), limit.Inputs)
		*s = most
	}
}
