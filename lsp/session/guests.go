package session

import (
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
		if !p.saved || !p.fresh || p.guest {
			continue
		}
		for _, path := range s.importers(p.path) {
			if !slices.ContainsFunc(requests, func(r request) bool { return r.path == path }) {
				requests = append(requests, request{path: path, guest: true, before: p.before})
			}
		}
	}
	requests = requests[:min(len(requests), maxGuests)]
	for i := range requests {
		set := s.Snapshot().SettingsFor(requests[i].path)
		requests[i].budget = max(set.Budget/time.Duration(len(requests)), min(set.Budget, minBudget))
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
// nothing, and typing keeps it from happening.
func (s *Session) invite(requests []request) {
	if len(requests) == 0 {
		return
	}
	s.update(func(next *Snapshot) {
		for _, r := range requests {
			if next.Analyses[r.path] == nil {
				next.Analyses[r.path] = &Analysis{Path: r.path, Guest: true, Phase: Queued}
			}
		}
	})
	q := &s.queue
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.paused {
		return
	}
	for _, r := range slices.Backward(requests) {
		if !slices.ContainsFunc(q.waiting, func(w request) bool { return w.path == r.path }) {
			q.waiting = append([]request{r}, q.waiting...) // the newest is the last
		}
	}
}

// unwelcome forgets a guest that has no part in any open file after all, and
// reports whether it was one.
func (s *Session) unwelcome(path string) bool {
	a := s.Snapshot().Analyses[path]
	if a == nil || !a.Guest || s.Snapshot().hosts(a) {
		return false
	}
	s.update(func(next *Snapshot) {
		delete(next.Analyses, path)
		next.sweep()
	})
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
