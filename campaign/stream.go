package campaign

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"leveret/engine/input"
)

// follow calls each with the messages of a subject, from the first one on, until ctx is
// done. It goes on where it was when the broker comes back. It may call it twice with a
// message.
func (l *Link) follow(ctx context.Context, stream, subject string, each func([]byte)) {
	next := uint64(1)
	for ctx.Err() == nil {
		l.followFrom(ctx, stream, subject, next, func(m jetstream.Msg, number uint64) bool {
			next = number + 1
			each(m.Data())
			return true
		})
		pause(ctx, firstRetry)
	}
}

// followFrom calls each with the messages from a number on, until it returns false or
// anything fails.
func (l *Link) followFrom(ctx context.Context, stream, subject string, next uint64, each func(m jetstream.Msg, number uint64) bool) error {
	create, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	consumer, err := l.js.OrderedConsumer(create, stream, jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{subject}, DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: next,
		InactiveThreshold: time.Minute, MaxResetAttempts: 3,
	})
	if err != nil {
		return err
	}
	messages, err := consumer.Messages(jetstream.PullMaxMessages(64))
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		about, err := m.Metadata()
		if err != nil {
			return err
		}
		if !each(m, about.Sequence.Stream) {
			return nil
		}
	}
}

// read calls each with all messages of a subject that there are, in order.
func (l *Link) read(ctx context.Context, stream, subject string, each func(jetstream.Msg)) error {
	s, err := l.js.Stream(ctx, stream)
	if err != nil {
		return l.unread(err)
	}
	last, err := s.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err == nil {
		err = l.followFrom(ctx, stream, subject, 1, func(m jetstream.Msg, number uint64) bool {
			each(m)
			return number < last.Sequence
		})
	}
	if err != nil {
		return l.unread(err)
	}
	return nil
}

// maxTxs bounds the transactions of a sequence of others.
const maxTxs = 512

// parse reads an input of others. It is false for what is none.
func parse(text []byte, limit int) (input.Sequence, bool) {
	if len(text) > limit {
		return input.Sequence{}, false
	}
	s, err := input.ReadText(text, nil)
	return s, err == nil && len(s.Txs) > 0 && len(s.Txs) <= maxTxs
}

// A report is what a worker publishes about a finding. Others take only the witness from
// it, and execute that.
type report struct {
	ID      string `json:"id"`
	Oracle  string `json:"oracle"`
	Witness string `json:"witness"` // as input.AppendText writes it
}

// parseWitness reads the witness of a finding of others.
func parseWitness(text []byte) (Published, bool) {
	var r report
	if len(text) > maxFinding || json.Unmarshal(text, &r) != nil {
		return Published{}, false
	}
	s, ok := parse([]byte(r.Witness), maxFinding)
	return Published{Sequence: s, Finding: r.ID}, ok
}

// A Count is how much was published about a contract.
type Count struct{ Inputs, Witnesses int }

// Counts returns what was published about each of some contracts.
func (l *Link) Counts(ctx context.Context, contracts int) ([]Count, error) {
	list := make([]Count, contracts)
	for _, one := range []struct {
		stream  string
		subject func(any) string
		count   func(*Count) *int
	}{
		{l.entries, l.entry, func(c *Count) *int { return &c.Inputs }},
		{l.findings, l.finding, func(c *Count) *int { return &c.Witnesses }},
	} {
		s, err := l.js.Stream(ctx, one.stream)
		if err != nil {
			return nil, l.unread(err)
		}
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(one.subject("*")))
		if err != nil {
			return nil, l.unread(err)
		}
		for i := range list {
			*one.count(&list[i]) = int(info.State.Subjects[one.subject(i)])
		}
	}
	return list, nil
}

// isFull reports whether the broker refused a message because there is no room.
func isFull(err error) bool {
	return err != nil && (strings.Contains(err.Error(), "maximum bytes exceeded") || strings.Contains(err.Error(), "insufficient"))
}
