package session

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"time"

	"leveret/solc/trust"
)

// maxDependents bounds the dependents of a save: files that are not open but
// import a saved file, so that their contracts inherit, create or call its
// contracts. They are fuzzed last, and only their findings are shown.
const maxDependents = 8

// dependents returns requests for the dependents of files that a pipeline
// compiled because of a save.
func (b *builder) dependents(plans []*plan) []request {
	snapshot := b.store.snapshot()
	var requests []request
	for _, p := range plans {
		if !p.addDependents || !p.done() {
			continue
		}
		for _, path := range b.importers(snapshot, p.path) {
			if !slices.ContainsFunc(requests, func(r request) bool { return r.path == path }) {
				requests = append(requests, request{path: path, dependent: true, before: p.before, texts: p.texts})
			}
		}
	}
	requests = requests[:min(len(requests), maxDependents)]
	snapshot.shareBudget(requests)
	return requests
}

// shareBudget divides the budget of one save among the requests.
func (s *Snapshot) shareBudget(requests []request) {
	for i := range requests {
		set := s.SettingsFor(requests[i].path)
		requests[i].budget = max(set.Budget/time.Duration(len(requests)), min(set.Budget, minBudget))
	}
}

// importers lists files that import a file and are not open: dependents first,
// then files that the compiler's Importers finds.
func (b *builder) importers(s *Snapshot, path string) []string {
	var list []string
	add := func(found string) {
		if d := s.Documents[found]; found != path && (d == nil || !d.Open) && !slices.Contains(list, found) {
			list = append(list, found)
		}
	}
	for name, a := range s.Analyses {
		if _, uses := a.texts[path]; uses && a.Dependent {
			add(name)
		}
	}
	slices.Sort(list) // maps have no order
	for _, found := range b.Importers(SourceFile{Root: s.root(path), File: path, Overlay: s.overlay(), Settings: s.SettingsFor(path)}) {
		add(found)
	}
	return list
}

// dropUnused removes a dependent that imports no open file, and reports
// whether it did.
func (b *builder) dropUnused(path string) bool {
	s := b.store.snapshot()
	a := s.Analyses[path]
	if a == nil || !a.Dependent || s.importsOpen(a) {
		return false
	}
	b.store.update(func(next *Snapshot) { delete(next.Analyses, path) })
	return true
}

// outdatedDependents returns requests for dependents whose files changed on
// the disk, and removes those whose file is gone.
func outdatedDependents(store *store) []request {
	snapshot := store.snapshot()
	var requests []request
	var removed []string
	for name, a := range snapshot.Analyses {
		if !a.Dependent {
			continue
		}
		for path, text := range a.texts {
			if d := snapshot.Documents[path]; d != nil && d.Open {
				continue // a save enqueues the dependent
			}
			if now, err := trust.ReadRegular(path, maxDocument); err != nil && path == name {
				removed = append(removed, name)
				break
			} else if (err != nil && text != nil) || !bytes.Equal(now, text) {
				requests = append(requests, request{path: name, dependent: true, texts: a.texts})
				break
			}
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return cmp.Compare(a.path, b.path) })
	snapshot.shareBudget(requests)
	if len(removed) > 0 {
		store.update(func(next *Snapshot) {
			maps.DeleteFunc(next.Analyses, func(name string, a *Analysis) bool { return a.Dependent && slices.Contains(removed, name) })
		})
	}
	return requests
}

// dropUnused removes the dependents that import no open file.
func (s *Snapshot) dropUnused() {
	for path, a := range s.Analyses {
		if a.Dependent && !s.importsOpen(a) {
			delete(s.Analyses, path)
		}
	}
}

// importsOpen reports whether an analysis compiled an open file.
func (s *Snapshot) importsOpen(a *Analysis) bool {
	for used := range a.texts {
		if d := s.Documents[used]; d != nil && d.Open {
			return true
		}
	}
	return false
}
