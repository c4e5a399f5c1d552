package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// callWait bounds a call of the client: one that never answers must not keep
// anything waiting for ever.
const callWait = 10 * time.Second

func (s *server) callTime() (context.Context, context.CancelFunc) {
	return context.WithTimeout(s.ctx, callWait)
}

// A publisher sends what changed since it last sent. It alone sends what
// follows from Snapshots, so that nothing comes out of order; a slow client
// skips states instead of piling them up.
type publisher struct {
	*server
	diagnostics map[string][]byte // last sent, by path
	symbols     map[string][]byte
	coverage    coverageSender
	status      []byte
	lenses      string // what lenses depend on
	activity    activity
	offer       offer
}

func (s *server) publish() {
	p := &publisher{server: s, diagnostics: map[string][]byte{}, symbols: map[string][]byte{}}
	p.coverage.last = map[string]sentCoverage{}
	p.activity.server = s
	p.activity.created = make(chan grant)
	p.offer = offer{s, map[string]bool{}}
	for {
		select {
		case <-s.ctx.Done():
			p.activity.end()
			return
		case <-s.wake:
			p.send(s.session.Snapshot())
		case <-p.coverage.due():
			p.coverage.timer = nil
			p.send(s.session.Snapshot())
		case <-p.activity.due():
			p.activity.request()
		case g := <-p.activity.created:
			p.activity.begin(g)
		}
	}
}

func (p *publisher) send(snapshot *session.Snapshot) {
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
	maps.DeleteFunc(p.coverage.last, func(path string, _ sentCoverage) bool { return !current[path] })
	p.sendStatus(snapshot)
	p.activity.follow(snapshot.Activity)
	p.refresh(snapshot)
	p.offer.follow(snapshot)
}

// sendDiagnostics publishes a file's list if it differs from the last one. A
// file that never had any is left alone.
func (p *publisher) sendDiagnostics(snapshot *session.Snapshot, path string) {
	params := &protocol.PublishDiagnosticsParams{
		URI:         present.FileURI(snapshot, path),
		Diagnostics: p.client.Diagnostics(snapshot, path),
	}
	if d := snapshot.Document(path); d != nil && d.Open {
		params.Version = protocol.NewOptional(d.Version)
	}
	raw, err := protocol.Marshal(params)
	if err != nil {
		p.log.Error("encode diagnostics", zap.Error(err))
		return
	}
	last, sent := p.diagnostics[path]
	if bytes.Equal(raw, last) || !sent && len(params.Diagnostics) == 0 {
		return
	}
	p.diagnostics[path] = raw
	p.failed("publish diagnostics", p.peer.PublishDiagnostics(p.ctx, params))
}

func (p *publisher) sendSymbols(snapshot *session.Snapshot, path string) {
	if d, a := snapshot.Document(path), snapshot.Analyses[path]; d == nil || !d.Open || a == nil || a.Build == nil {
		return
	}
	p.notify(present.MethodSymbolStatus, p.client.Symbols(snapshot, path), func(raw []byte) bool {
		if bytes.Equal(raw, p.symbols[path]) {
			return false
		}
		p.symbols[path] = raw
		return true
	})
}

func (p *publisher) sendStatus(snapshot *session.Snapshot) {
	p.notify(present.MethodStatus, present.StatusOf(snapshot), func(raw []byte) bool {
		if bytes.Equal(raw, p.status) {
			return false
		}
		p.status = raw
		return true
	})
}

// notify sends a notification of our own, if the client asked for them and it
// is news.
func (p *publisher) notify(method string, v any, news func([]byte) bool) {
	if !p.rich {
		return
	}
	raw, err := json.Marshal(v)
	if err != nil {
		p.log.Error("encode "+method, zap.Error(err))
		return
	}
	if news(raw) {
		p.failed(method, p.peer.Notify(p.ctx, method, protocol.LSPAny(raw)))
	}
}

func (p *publisher) failed(what string, err error) {
	if err != nil && p.ctx.Err() == nil {
		p.log.Warn(what, zap.Error(err))
	}
}

// refresh has the client ask for lenses and hints again when what they show
// changed. Figures of a running campaign do not count: they change all the
// time.
func (p *publisher) refresh(snapshot *session.Snapshot) {
	key := lensKey(snapshot)
	if key == p.lenses {
		return
	}
	p.lenses = key
	signal(p.refreshes)
}

// refreshClient has the client ask for lenses and hints again. It waits for
// the client, so the publisher must not call it.
func (s *server) refreshClient() {
	ctx, cancel := s.callTime()
	defer cancel()
	if s.caps.lensRefresh {
		s.logged("refresh lenses", s.peer.CodeLensRefresh(ctx))
	}
	if s.caps.hintRefresh {
		s.logged("refresh hints", s.peer.InlayHintRefresh(ctx))
	}
}

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
				fmt.Fprint(&b, "\x00", m.Finding.ID, m.Stale)
			}
		}
	}
	return b.String()
}
