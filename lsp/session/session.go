package session

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"os"
	"slices"
	"sync"

	"leveret/lsp/settings"
)

// A Session connects documents, queue and worker. Its methods are safe for
// concurrent use; those that the client's notifications call do not block.
type Session struct {
	config Config
	ctx    context.Context
	stop   context.CancelFunc
	done   sync.WaitGroup
	begun  chan struct{} // closed by Begin
	begin  sync.Once

	store    *store
	queue    *queue
	corpora  *corpora
	hosts    *hosts
	encoding Encoding
}

// New starts a session. Close ends it.
func New(config Config) *Session {
	watch := new(compilerWatch)
	config.Compiler.Env.Watch = watch.follow
	config.fill()
	ctx, stop := context.WithCancel(context.Background())
	s := &Session{config: config, ctx: ctx, stop: stop, begun: make(chan struct{})}
	s.store = newStore(&Snapshot{
		Documents: map[string]*Document{},
		Analyses:  map[string]*Analysis{},
		Settings:  settings.Default(),
		Oracles:   config.Oracles,
	}, config.Changed)
	*watch = compilerWatch{s.store, config.Sleep, config.Now}
	s.queue = newQueue(s.store)
	s.corpora = &corpora{cache: config.Cache, log: config.Log}
	b := &builder{config.Compiler, s.store, s.queue, config.Log}
	s.hosts = &hosts{cache: config.Compiler.Env.CacheDir, log: config.Log}
	e := &campaigns{config.Engine, ctx.Done(), s.store, s.corpora, config.Now, config.Log, s.hosts}
	w := &worker{
		store: s.store, queue: s.queue, builder: b, campaigns: e, checks: &checks{b, e},
		sleep: config.Sleep, coalesce: config.Coalesce,
	}
	if !config.Held {
		s.Begin()
	}
	s.done.Go(func() { w.run(ctx, s.begun) })
	return s
}

// Begin lets a held session work.
func (s *Session) Begin() { s.begin.Do(func() { close(s.begun) }) }

// Close cancels the running work and waits for it.
func (s *Session) Close() {
	s.stop()
	s.done.Wait()
	if err := s.config.Compiler.Close(); err != nil {
		s.config.Log.Sugar().Warnf("close the compiler: %v", err)
	}
}

// Snapshot returns the current state.
func (s *Session) Snapshot() *Snapshot { return s.store.snapshot() }

// SetEncoding sets the unit of the client's columns. It must be called before
// Open.
func (s *Session) SetEncoding(e Encoding) { s.encoding = e }

// Open takes over a file from the disk and enqueues its analysis, and those of
// files that compiled another text of it.
func (s *Session) Open(uri, path string, version int32, text string) {
	s.store.update(func(next *Snapshot) {
		next.Documents[path] = newDocument(uri, path, version, true, []byte(text))
	})
	s.queue.enqueue(append(s.Snapshot().outdated(path), request{path: path})...)
}

// Change applies changes in order. It cancels work on the file, which resumes
// if the text comes back. If the editor takes over what another program wrote, the
// file is as if it were saved.
func (s *Session) Change(path string, version int32, changes []TextChange) error {
	var failed error
	same, reloaded := false, false
	s.store.update(func(next *Snapshot) {
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
		same, reloaded = bytes.Equal(before, d.Text), next.reloaded(path)
	})
	if reloaded {
		s.Save(path)
	} else if !same {
		s.queue.interrupt(path)
		s.queue.resume()
		s.queue.resumeIdle(path)
	}
	return failed
}

// Save enqueues the analysis of a saved file and of the open files that import
// it.
func (s *Session) Save(path string) {
	s.queue.enqueue(s.Snapshot().saving(path)...)
}

func (s *Snapshot) saving(path string) []request {
	return append(s.importing(path), request{path: path, saved: true})
}

// reloaded reports whether the editor's text of an open file is what another program
// wrote, and nothing has asked for its analysis.
func (s *Snapshot) reloaded(path string) bool {
	d, a := s.Documents[path], s.Analyses[path]
	return d != nil && a != nil && d.disk != nil && bytes.Equal(d.Text, d.disk) && !bytes.Equal(d.Text, a.asked)
}

// CloseFile returns a file to the disk and drops its analysis. Analyses that
// compiled its unsaved text are enqueued.
func (s *Session) CloseFile(path string) {
	s.queue.interrupt(path)
	s.queue.drop(path)
	s.store.update(func(next *Snapshot) {
		delete(next.Analyses, path)
		delete(next.Documents, path)
		next.dropUnused()
		next.sweep()
		next.reread(path)
	})
	s.queue.enqueue(s.Snapshot().outdated(path)...)
	s.queue.enqueueDependents(outdatedDependents(s.store))
	s.queue.resume()
}

// outdated returns requests for the open files that compiled another text of a
// file.
func (s *Snapshot) outdated(path string) []request {
	now, err := s.read(path)
	return slices.DeleteFunc(s.importing(path), func(r request) bool {
		return err == nil && bytes.Equal(s.Analyses[r.path].texts[path], now)
	})
}

// importing returns requests for the open files that import a file.
func (s *Snapshot) importing(path string) []request {
	var requests []request
	for name, a := range s.Analyses {
		if _, compiled := a.texts[path]; (compiled || a.links[path]) && name != path && !a.Dependent {
			requests = append(requests, request{path: name})
		}
	}
	slices.SortFunc(requests, func(a, b request) int { return cmp.Compare(a.path, b.path) })
	return requests
}

// Configure sets the settings of files outside folders, and the folders of the
// workspace. It enqueues the analyses that the change affects.
func (s *Session) Configure(base settings.Settings, folders []Folder) {
	var again []request
	s.store.update(func(next *Snapshot) {
		before := next.clone()
		next.Settings, next.Folders = base, folders
		for path, a := range next.Analyses {
			old, now := before.SettingsFor(path), next.SettingsFor(path)
			switch {
			case recompiles(old, now) || before.root(path) != next.root(path):
				again = append(again, request{path: path, force: true})
			case a.Build != nil && oraclesOff(old) != oraclesOff(now):
				again = append(again, request{path: path})
			case maps.Equal(old.Oracles, now.Oracles) && maps.Equal(old.Accepted, now.Accepted):
				continue
			}
			a = a.clone()
			a.applySettings(now)
			next.Analyses[path] = a
		}
	})
	s.queue.enqueue(again...)
}

// recompiles reports whether a change of settings may change the build, or what its
// tests reach.
func recompiles(a, b settings.Settings) bool {
	return a.SolcPath != b.SolcPath || a.Trusted != b.Trusted || a.Fast != b.Fast || a.Programs != b.Programs
}
