package session

import (
	"bytes"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"leveret/lsp/settings"
)

// A Session holds the state and runs the pipeline. Its methods may be called
// from anywhere; those that the client's notifications call do not block.
type Session struct {
	config Config
	ctx    context.Context
	stop   context.CancelFunc
	done   sync.WaitGroup
	begun  chan struct{} // closed once there is something to go by
	begin  sync.Once

	mu       sync.Mutex // held to make the next Snapshot
	snapshot atomic.Pointer[Snapshot]
	encoding Encoding
	told     map[string]bool // what went wrong with the disk

	queue queue
}

// New starts a session. Close ends it.
func New(config Config) *Session {
	config.fill()
	ctx, stop := context.WithCancel(context.Background())
	s := &Session{config: config, ctx: ctx, stop: stop, begun: make(chan struct{})}
	s.queue.wake = make(chan struct{}, 1)
	s.snapshot.Store(&Snapshot{
		Documents: map[string]*Document{},
		Analyses:  map[string]*Analysis{},
		Settings:  settings.Default(),
		Oracles:   config.Oracles,
	})
	if !config.Held {
		s.Begin()
	}
	s.done.Go(s.run)
	return s
}

// Begin lets a held session work.
func (s *Session) Begin() { s.begin.Do(func() { close(s.begun) }) }

// Close stops what is running and waits for it.
func (s *Session) Close() {
	s.stop()
	s.done.Wait()
	if s.config.Close != nil {
		if err := s.config.Close(); err != nil {
			s.config.Log.Sugar().Warnf("close the compiler: %v", err)
		}
	}
}

// Snapshot returns what is known now.
func (s *Session) Snapshot() *Snapshot { return s.snapshot.Load() }

// Config returns what the session was made of.
func (s *Session) Config() *Config { return &s.config }

// SetEncoding says how the client counts columns. To be called before the
// first document.
func (s *Session) SetEncoding(e Encoding) { s.encoding = e }

// update makes the next Snapshot. f may change the maps of its argument, and
// must replace what is in them. What is to be done once it is the present one,
// but before another one is made, comes behind f.
func (s *Session) update(f func(next *Snapshot), then ...func()) {
	s.mu.Lock()
	before := s.snapshot.Load()
	next := before.clone()
	f(next)
	next.place(before)
	s.snapshot.Store(next)
	for _, do := range then {
		do()
	}
	s.mu.Unlock()
	s.config.Changed()
}

// Open takes over a file from the disk and has it analysed, and anew what was
// made of another text of it.
func (s *Session) Open(uri, path string, version int32, text string) {
	s.update(func(next *Snapshot) {
		next.Documents[path] = newDocument(uri, path, version, true, []byte(text))
	})
	s.enqueue(append(s.outdated(path), request{path: path})...)
}

// Change applies changes in order. What runs on the file is stopped: its
// result would be about a text that is no more. It is taken up again if the
// text comes back.
func (s *Session) Change(path string, version int32, changes []Change) error {
	var failed error
	same := false
	s.update(func(next *Snapshot) {
		d := next.Documents[path]
		if d == nil || !d.Open {
			failed = &os.PathError{Op: "change", Path: path, Err: os.ErrNotExist}
			return
		}
		before := d.Text
		for _, c := range changes {
			if d, failed = d.change(c, s.encoding); failed != nil {
				break
			}
		}
		changed := *d
		changed.Version = version
		next.Documents[path] = &changed
		same = bytes.Equal(before, d.Text)
	})
	if !same {
		s.interrupt(path)
		s.resume()
		s.deepenAgain(path)
	}
	return failed
}

// Save has a file analysed that was saved.
func (s *Session) Save(path string) {
	s.enqueue(append(s.dependents(path), request{path: path, saved: true})...)
}

// CloseFile gives a file back to the disk and forgets what was found on
// behalf of it. What was made of a text that was not saved is made anew.
func (s *Session) CloseFile(path string) {
	s.interrupt(path)
	s.queue.drop(path)
	s.update(func(next *Snapshot) {
		delete(next.Analyses, path)
		delete(next.Documents, path)
		next.dismiss()
		next.sweep()
		if text, err := os.ReadFile(path); err == nil && next.Documents[path] != nil { // another file's findings are in it
			next.Documents[path] = newDocument("", path, 0, false, text)
		}
	})
	s.enqueue(s.outdated(path)...)
	s.invite(s.outdatedGuests())
	s.resume()
}

// outdated returns those of a file's dependents that were made of another text
// of it.
func (s *Session) outdated(path string) []request {
	snapshot := s.Snapshot()
	now, err := snapshot.read(path)
	return slices.DeleteFunc(s.dependents(path), func(r request) bool {
		return err == nil && bytes.Equal(snapshot.Analyses[r.path].texts[path], now)
	})
}

// dependents returns requests for the analysed files that include path.
func (s *Session) dependents(path string) []request {
	var requests []request
	for name, a := range s.Snapshot().Analyses {
		if _, compiled := a.texts[path]; compiled && name != path && !a.Guest {
			requests = append(requests, request{path: name})
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return compare(a.path, b.path) })
	return requests
}

// SetFolders replaces the folders of the workspace.
func (s *Session) SetFolders(paths []string) {
	s.update(func(next *Snapshot) {
		next.Folders = nil
		for _, path := range paths {
			next.Folders = append(next.Folders, Folder{Path: filepath.Clean(path), Settings: next.Settings})
		}
	})
}

// Configure sets the settings: those of no folder, and those of each folder.
// What a change of them makes necessary is done.
func (s *Session) Configure(base settings.Settings, folder func(path string) settings.Settings) {
	var again []request
	s.update(func(next *Snapshot) {
		before := next.clone()
		next.Settings = base
		next.Folders = slices.Clone(next.Folders)
		for i := range next.Folders {
			next.Folders[i].Settings = folder(next.Folders[i].Path)
		}
		for path, a := range next.Analyses {
			old, now := before.SettingsFor(path), next.SettingsFor(path)
			switch {
			case recompiles(old, now):
				again = append(again, request{path: path, force: true})
			case a.Build != nil && oraclesOff(old) != oraclesOff(now):
				again = append(again, request{path: path})
			case maps.Equal(old.Oracles, now.Oracles):
				continue
			}
			a = a.clone()
			a.judgeBy(now)
			next.Analyses[path] = a
		}
	})
	s.enqueue(again...)
}

// recompiles reports whether a change of settings changes what is compiled.
func recompiles(a, b settings.Settings) bool {
	return a.SolcPath != b.SolcPath || a.Trusted != b.Trusted
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
