package session

import (
	"context"
	"errors"
	"time"

	"leveret/solc/srcmap"
)

// longer is the budget of a campaign that was asked for.
const longer = 10

// Fuzz asks for a campaign on a file: on one of its contracts or, with no
// name, on all; aimed at a range of its present text if there is one.
func (s *Session) Fuzz(path, contract string, aim *srcmap.Span) {
	snapshot := s.Snapshot()
	r := request{path: path, fuzz: true, contract: contract, budget: longer * snapshot.SettingsFor(path).Budget}
	if aim != nil {
		r.spans = []srcmap.Span{*aim}
		r.budget = max(r.budget, 10*time.Second)
	}
	s.enqueue(r)
}

// Stop ends what runs and forgets what waits. Saving starts again.
func (s *Session) Stop() {
	q := &s.queue
	q.mu.Lock()
	q.paused = true
	waited := len(q.waiting) > 0
	q.waiting, q.resting = nil, nil
	if q.cancel != nil {
		q.stopped = true
		q.cancel()
	}
	q.mu.Unlock()
	if waited {
		s.settle()
	}
}

// Restart restarts the compiler and compiles the open files anew.
func (s *Session) Restart() {
	s.Stop()
	if s.config.Restart != nil {
		s.config.Restart()
	}
	var requests []request
	for path := range s.Snapshot().Analyses {
		requests = append(requests, request{path: path, force: true})
	}
	s.enqueue(requests...)
}

// Install has a compiler downloaded, and what waits for one compiled again.
func (s *Session) Install(ctx context.Context, version string, progress func(string)) error {
	if s.config.Install == nil {
		return errors.New("this server installs no compilers")
	}
	if err := s.config.Install(ctx, version, progress); err != nil {
		return err
	}
	var requests []request
	for path, a := range s.Snapshot().Analyses {
		if a.Failure != nil && a.Failure.Install != "" {
			requests = append(requests, request{path: path, force: true})
		}
	}
	s.enqueue(requests...)
	return nil
}

// Changed says that files changed on disk: what was made of them is made
// anew. Open ones are the editor's.
func (s *Session) Changed(paths ...string) {
	snapshot := s.Snapshot()
	var requests []request
	for _, path := range paths {
		if d := snapshot.Documents[path]; d == nil || !d.Open {
			requests = append(requests, s.dependents(path)...)
		}
	}
	s.enqueue(requests...)
	s.invite(s.outdatedGuests())
}

// Reload compiles every open file below a folder anew, as when its
// configuration changed.
func (s *Session) Reload(folder string) {
	var requests []request
	for path := range s.Snapshot().Analyses {
		if within(path, folder) {
			requests = append(requests, request{path: path, force: true})
		}
	}
	s.enqueue(requests...)
}
