package session

import (
	"bytes"
	"maps"
	"os"
	"slices"
	"time"
)

// maxGuests bounds the files that are analysed although nobody opened them.
const maxGuests = 8

// Guests are files that are not open, but whose contracts have code of a saved
// file in them: heirs of its contracts, and whoever makes or calls them. They
// come last, and nothing is said about them but what was found.

// guests returns requests for the guests of the files that a pipeline compiled
// anew because they were saved.
func (s *Session) guests(plans []*plan) []request {
	var requests []request
	for _, p := range plans {
		if !p.invites || !p.done() {
			continue
		}
		for _, path := range s.importers(p.path) {
			if !slices.ContainsFunc(requests, func(r request) bool { return r.path == path }) {
				requests = append(requests, request{path: path, guest: true, before: p.before, texts: p.texts})
			}
		}
	}
	requests = requests[:min(len(requests), maxGuests)]
	s.shareBudget(requests)
	return requests
}

// shareBudget gives each of the guests its part of the budget of one save.
func (s *Session) shareBudget(requests []request) {
	for i := range requests {
		set := s.Snapshot().SettingsFor(requests[i].path)
		requests[i].budget = max(set.Budget/time.Duration(len(requests)), min(set.Budget, minBudget))
	}
}

// outdatedGuests returns requests for the guests of which a file changed on the
// disk, and forgets those that are there no more.
func (s *Session) outdatedGuests() []request {
	snapshot := s.Snapshot()
	var requests []request
	var removed []string
	for name, a := range snapshot.Analyses {
		if !a.Guest {
			continue
		}
		for path, text := range a.texts {
			if d := snapshot.Documents[path]; d != nil && d.Open {
				continue // a save of it invites
			}
			if now, err := os.ReadFile(path); err != nil && path == name {
				removed = append(removed, name)
				break
			} else if err != nil || !bytes.Equal(now, text) {
				requests = append(requests, request{path: name, guest: true, texts: a.texts})
				break
			}
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return compare(a.path, b.path) })
	s.shareBudget(requests)
	if len(removed) > 0 {
		s.update(func(next *Snapshot) {
			maps.DeleteFunc(next.Analyses, func(name string, a *Analysis) bool { return a.Guest && slices.Contains(removed, name) })
		})
	}
	return requests
}

// importers lists files of the project that import a file and are not open:
// those that the last builds have, then those that are found on the disk.
func (s *Session) importers(path string) []string {
	snapshot := s.Snapshot()
	var list []string
	add := func(found string) {
		if d := snapshot.Documents[found]; found != path && (d == nil || !d.Open) && !slices.Contains(list, found) {
			list = append(list, found)
		}
	}
	for name, a := range snapshot.Analyses {
		if _, uses := a.texts[path]; uses && a.Guest {
			add(name)
		}
	}
	slices.Sort(list) // maps have no order
	if s.config.Importers != nil {
		folder, _ := snapshot.Folder(path)
		for _, found := range s.config.Importers(Source{Root: folder.Path, File: path, Overlay: snapshot.overlay(), Settings: snapshot.SettingsFor(path)}) {
			add(found)
		}
	}
	return list
}

// invite has guests analysed when nothing else waits. Unlike a save it stops
// nothing.
func (s *Session) invite(requests []request) {
	if len(requests) == 0 {
		return
	}
	s.update(func(next *Snapshot) {
		for _, r := range requests {
			guest := &Analysis{Path: r.path, Guest: true}
			if a := next.Analyses[r.path]; a != nil {
				guest = a.clone()
			}
			guest.Phase = Queued
			next.Analyses[r.path] = guest
		}
	}, func() {
		q := &s.queue
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, r := range slices.Backward(requests) {
			newer := func(w request) bool { return w.path == r.path }
			if !slices.ContainsFunc(q.waiting, newer) {
				q.resting = slices.DeleteFunc(q.resting, newer)
				q.waiting = append([]request{r}, q.waiting...) // the newest is the last
			}
		}
	})
	s.queue.rouse()
}

// unwelcome forgets a guest that has no part in any open file after all, and
// reports whether it was one.
func (s *Session) unwelcome(path string) bool {
	a := s.Snapshot().Analyses[path]
	if a == nil || !a.Guest || s.Snapshot().hosts(a) {
		return false
	}
	s.update(func(next *Snapshot) { delete(next.Analyses, path) })
	return true
}

// dismiss forgets the guests that no open file is part of any more.
func (s *Snapshot) dismiss() {
	for path, a := range s.Analyses {
		if a.Guest && !s.hosts(a) {
			delete(s.Analyses, path)
		}
	}
}

// hosts reports whether an open file is part of a guest.
func (s *Snapshot) hosts(a *Analysis) bool {
	for used := range a.texts {
		if d := s.Documents[used]; d != nil && d.Open {
			return true
		}
	}
	return false
}
