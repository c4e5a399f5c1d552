package server

import (
	"slices"
	"time"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// coverageEvery is how often a client hears of one file's coverage: it is the
// largest of the notifications, and changes all the time.
const coverageEvery = time.Second

// A coverageSender tells what ran of the open files. It belongs to the
// publisher's goroutine.
type coverageSender struct {
	last  map[string]sentCoverage // by path
	timer *time.Timer             // for what was held back; nil: nothing was
}

type sentCoverage struct {
	key []any // what it depends on
	at  time.Time
}

// due fires when something that was held back may go out.
func (s *coverageSender) due() <-chan time.Time {
	if s.timer == nil {
		return nil
	}
	return s.timer.C
}

// sendCoverage tells what ran of an open file, once there is anything to tell.
func (p *publisher) sendCoverage(snapshot *session.Snapshot, path string) {
	if d := snapshot.Document(path); !p.rich || d == nil || !d.Open {
		return
	}
	key := present.CoverageKey(snapshot, path)
	last, told := p.coverage.last[path]
	if slices.Equal(key, last.key) {
		return
	}
	if wait := coverageEvery - time.Since(last.at); wait > 0 {
		if p.coverage.timer == nil {
			p.coverage.timer = time.NewTimer(wait)
		}
		return
	}
	coverage, known := p.client.Coverage(snapshot, path)
	if !known && !told {
		return
	}
	p.coverage.last[path] = sentCoverage{key, time.Now()}
	p.notify(present.MethodCoverage, coverage, func([]byte) bool { return true })
}
