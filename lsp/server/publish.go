package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// A publisher sends what changed since it last sent. Only its goroutine sends
// what follows from Snapshots, so everything arrives in order; a slow client
// skips Snapshots.
type publisher struct {
	tasks    *tasks
	client   *client
	snapshot func() *session.Snapshot
	wake     signal // there is a new Snapshot

	refreshes signal // lenses and hints changed
	progress  progress
	offer     *offer // nil if compilers cannot be installed

	// Last sent.
	diagnostics map[string][]byte // by path
	symbols     map[string][]byte // by path
	coverage    sentCoverage
	status      []byte
	lenses      string          // what lenses depend on
	unmet       map[string]bool // said of the projects' configurations
}

func newPublisher(t *tasks, c *client, snapshot func() *session.Snapshot, wake signal) *publisher {
	return &publisher{
		tasks: t, client: c, snapshot: snapshot, wake: wake, refreshes: newSignal(),
		progress:    progress{tasks: t, client: c, created: make(chan createdToken)},
		diagnostics: map[string][]byte{},
		unmet:       map[string]bool{},
		symbols:     map[string][]byte{},
		coverage:    sentCoverage{files: map[string]coverageVersion{}},
	}
}

func (p *publisher) run() {
	for {
		select {
		case <-p.tasks.ctx.Done():
			p.progress.end()
			return
		case <-p.wake:
			p.send(p.snapshot())
		case <-p.coverage.due():
			p.coverage.timer = nil
			p.send(p.snapshot())
		case <-p.progress.due():
			p.progress.request()
		case c := <-p.progress.created:
			p.progress.begin(c)
		}
	}
}

// send publishes what changed. A client hears that the server is busy before the
// results of that work, and that it is not after all results.
func (p *publisher) send(snapshot *session.Snapshot) {
	status := present.StatusOf(snapshot)
	if status.Busy {
		p.sendStatus(status)
	}
	paths := snapshot.Paths()
	current := map[string]bool{}
	for _, path := range paths {
		current[path] = true
		p.sendDiagnostics(snapshot, path)
		p.sendSymbols(snapshot, path)
		p.sendCoverage(snapshot, path)
	}
	for path := range p.diagnostics {
		if !current[path] {
			p.sendDiagnostics(snapshot, path)
			delete(p.diagnostics, path)
		}
	}
	maps.DeleteFunc(p.symbols, func(path string, _ []byte) bool { return !current[path] })
	maps.DeleteFunc(p.coverage.files, func(path string, _ coverageVersion) bool { return !current[path] })
	p.sendStatus(status)
	p.progress.follow(snapshot.Activity)
	p.sayUnmet(snapshot)
	p.refresh(snapshot)
	if p.offer != nil {
		p.offer.follow(snapshot)
	}
}

// sayUnmet shows what of the projects' configurations is not followed, once each.
func (p *publisher) sayUnmet(snapshot *session.Snapshot) {
	for _, path := range snapshot.Paths() {
		a := snapshot.Analyses[path]
		if a == nil || a.Build == nil {
			continue
		}
		for _, text := range a.Build.Unmet {
			if !p.unmet[text] {
				p.unmet[text] = true
				p.client.say(protocol.MessageTypeWarning, "Leveret: "+text)
			}
		}
	}
}

// sendDiagnostics publishes the diagnostics of a file if they changed. An
// empty first list is not sent.
func (p *publisher) sendDiagnostics(snapshot *session.Snapshot, path string) {
	params := &protocol.PublishDiagnosticsParams{
		URI:         present.FileURI(snapshot, path),
		Diagnostics: p.client.format.Diagnostics(snapshot, path),
	}
	if d := snapshot.Document(path); d != nil && d.Open {
		params.Version = protocol.NewOptional(d.Version)
	}
	raw, err := protocol.Marshal(params)
	if err != nil {
		p.client.log.Error("encode diagnostics", zap.Error(err))
		return
	}
	last, sent := p.diagnostics[path]
	if bytes.Equal(raw, last) || !sent && len(params.Diagnostics) == 0 {
		return
	}
	p.diagnostics[path] = raw
	p.client.warn(p.tasks.ctx, "publish diagnostics", p.client.peer.PublishDiagnostics(p.tasks.ctx, params))
}

func (p *publisher) sendSymbols(snapshot *session.Snapshot, path string) {
	if d, a := snapshot.Document(path), snapshot.Analyses[path]; !p.client.extensions || a == nil || a.Build == nil || (d == nil || !d.Open) && !a.Dependent {
		return
	}
	raw, ok := p.encode(present.MethodSymbolStatus, p.client.format.Symbols(snapshot, path))
	if ok && !bytes.Equal(raw, p.symbols[path]) {
		p.symbols[path] = raw
		p.notify(present.MethodSymbolStatus, raw)
	}
}

// sendStatus publishes the status if it changed.
func (p *publisher) sendStatus(status present.Status) {
	if !p.client.extensions {
		return
	}
	raw, ok := p.encode(present.MethodStatus, status)
	if ok && !bytes.Equal(raw, p.status) {
		p.status = raw
		p.notify(present.MethodStatus, raw)
	}
}

func (p *publisher) encode(method string, v any) (raw []byte, ok bool) {
	raw, err := json.Marshal(v)
	if err != nil {
		p.client.log.Error("encode "+method, zap.Error(err))
	}
	return raw, err == nil
}

// notify sends one of the notifications leveret/….
func (p *publisher) notify(method string, raw []byte) {
	p.client.warn(p.tasks.ctx, method, p.client.peer.Notify(p.tasks.ctx, method, protocol.LSPAny(raw)))
}

// refresh signals a change of what lenses and hints show.
func (p *publisher) refresh(snapshot *session.Snapshot) {
	if key := lensKey(snapshot); key != p.lenses {
		p.lenses = key
		p.refreshes.send()
	}
}

// lensKey returns what lenses and hints depend on, without the statistics of a
// running campaign, which change with every input.
func lensKey(snapshot *session.Snapshot) string {
	var b bytes.Buffer
	for _, path := range snapshot.Paths() {
		a := snapshot.Analyses[path]
		if a == nil {
			continue
		}
		b.WriteString(path)
		for _, c := range a.Contracts {
			b.WriteString("\x00" + c.Name + "\x00" + string(c.State))
			if c.State != session.StateRunning {
				b.WriteString("\x00" + present.Summary(snapshot, a, c))
			}
			for _, m := range c.Marks {
				fmt.Fprint(&b, "\x00", m.Finding.ID, m.Stale, m.Silenced)
			}
		}
	}
	return b.String()
}
