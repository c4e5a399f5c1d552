package server

import (
	"slices"
	"time"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// coverageInterval is the minimal time between two coverage notifications of a
// file: they are large and change with every input.
const coverageInterval = time.Second

// sentCoverage is the last coverage notification of each file.
type sentCoverage struct {
	files map[string]coverageVersion // by path
	timer *time.Timer                // for delayed notifications; nil if none is delayed
}

type coverageVersion struct {
	key []any // what the notification depends on
	at  time.Time
}

// due fires when a delayed notification may be sent.
func (s *sentCoverage) due() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

// sendCoverage sends the coverage of an open file once there is any.
func (p *publisher) sendCoverage(snapshot *session.Snapshot, path string) {
	if d := snapshot.Document(path); !p.client.extensions || d == nil || !d.Open {
		return
	}
	key := present.CoverageKey(snapshot, path)
	last, sent := p.coverage.files[path]
	if slices.Equal(key, last.key) {
		return
	}
	if wait := coverageInterval - time.Since(last.at); wait > 0 {
		if p.coverage.timer == nil {
			p.coverage.timer = time.NewTimer(wait)
		}
		return
	}
	coverage, known := p.client.format.Coverage(snapshot, path)
	if !known && !sent {
		return
	}
	p.coverage.files[path] = coverageVersion{key, time.Now()}
	if raw, ok := p.encode(present.MethodCoverage, coverage); ok {
		p.notify(present.MethodCoverage, raw)
	}
}
