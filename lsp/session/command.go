package session

import (
	"context"
	"errors"
	"time"

	"leveret/solc/srcmap"
)

// longer multiplies the budget of a campaign that the user requests.
const longer = 10

// Fuzz requests a campaign on one contract of a file or, if contract is empty,
// on all. aim is an optional range of the current text.
func (s *Session) Fuzz(path, contract string, aim *srcmap.Span) {
	r := request{path: path, fuzz: true, contract: contract, budget: longer * s.Snapshot().SettingsFor(path).Budget}
	if aim != nil {
		r.spans = []srcmap.Span{*aim}
		r.budget = max(r.budget, 10*time.Second)
	}
	s.queue.enqueue(r)
}

// Stop cancels the running work and drops all requests, until the next save.
func (s *Session) Stop() { s.queue.stop() }

// Restart restarts the compiler and compiles the open files again.
func (s *Session) Restart() {
	s.Stop()
	s.config.Compiler.Restart()
	s.recompile(func(*Analysis) bool { return true })
}

// recompile enqueues the analyses that which selects.
func (s *Session) recompile(which func(*Analysis) bool) {
	var requests []request
	for path, a := range s.Snapshot().Analyses {
		if which(a) {
			requests = append(requests, request{path: path, force: true})
		}
	}
	s.queue.enqueue(requests...)
}

// CanInstall reports whether Install can download compilers.
func (s *Session) CanInstall() bool { return s.config.Install != nil }

// Install downloads a compiler and compiles the files that lack one again.
func (s *Session) Install(ctx context.Context, version string, progress func(string)) error {
	if s.config.Install == nil {
		return errors.New("this server cannot install compilers")
	}
	if err := s.config.Install(ctx, version, progress); err != nil {
		return err
	}
	s.recompile(func(a *Analysis) bool { return a.Failure != nil && a.Failure.Install != "" })
	return nil
}

// Changed enqueues the analyses that compiled files which changed on the disk, and
// moves the findings in them. Of open files, the text is the editor's: one counts as
// saved once the editor has taken over what is on the disk.
func (s *Session) Changed(paths ...string) {
	s.store.update(func(next *Snapshot) {
		for _, path := range paths {
			next.reread(path)
		}
	})
	snapshot := s.Snapshot()
	var requests []request
	for _, path := range paths {
		if d := snapshot.Documents[path]; d == nil || !d.Open {
			requests = append(requests, snapshot.importing(path)...)
		} else if snapshot.reloaded(path) {
			requests = append(requests, snapshot.saving(path)...)
		}
	}
	s.queue.enqueue(requests...)
	s.queue.enqueueDependents(outdatedDependents(s.store))
}

// Reload compiles the open files of a folder again, after a change of its
// configuration.
func (s *Session) Reload(folder string) {
	s.recompile(func(a *Analysis) bool { return within(a.Path, folder) })
}

// ClearCorpus deletes the saved inputs of the workspace and fuzzes the open
// files again.
func (s *Session) ClearCorpus() error {
	if s.config.Cache == "" {
		return nil
	}
	snapshot := s.Snapshot()
	s.Stop()
	if err := s.corpora.remove(snapshot); err != nil {
		return err
	}
	s.store.update(func(next *Snapshot) {
		for path, a := range next.Analyses {
			cleared := a.clone()
			cleared.past = nil
			next.Analyses[path] = cleared
		}
	})
	var requests []request
	for path := range snapshot.Analyses {
		requests = append(requests, request{path: path, fuzz: true})
	}
	s.queue.enqueue(requests...)
	return nil
}
