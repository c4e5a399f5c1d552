package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
	"leveret/lsp/rpc"
	"leveret/lsp/session"
)

// An offer asks the user whether a compiler that an open file needs is to be
// downloaded: once for each version, one question at a time. It belongs to the
// publisher's goroutine.
type offer struct {
	*server
	asked map[string]bool // versions
}

// follow asks about the first compiler that is missing and was not asked about.
func (o *offer) follow(snapshot *session.Snapshot) {
	if o.session.Config().Install == nil || !o.asks() {
		return
	}
	for _, path := range snapshot.Paths() {
		d, a := snapshot.Document(path), snapshot.Analyses[path]
		if d == nil || !d.Open || a == nil || a.Failure == nil || a.Failure.Install == "" || o.asked[a.Failure.Install] || !snapshot.SettingsFor(path).AskForSolc {
			continue
		}
		version := a.Failure.Install
		o.asked[version] = true
		o.workers.Go(func() { o.ask(path, version) })
		return
	}
	o.answered()
}

// asks begins a question unless there is one already.
func (s *server) asks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	free := !s.asking
	s.asking = true
	return free
}

func (s *server) answered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asking = false
}

// ask waits for the user, who may take for ever.
func (o *offer) ask(path, version string) {
	yes := "Download solc " + version
	answer, err := o.peer.ShowMessageRequest(o.ctx, &protocol.ShowMessageRequestParams{
		Type: protocol.MessageTypeInfo,
		Message: fmt.Sprintf("Leveret: %s needs solc %s, which is not installed. Download it from soliditylang.org, or else from npm, into your cache?",
			filepath.Base(path), version),
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Not now"}},
	})
	if err == nil && answer != nil && answer.Title == yes {
		if err := o.installOnce(o.ctx, version); err != nil && o.ctx.Err() == nil {
			o.say(protocol.MessageTypeError, "Leveret: "+err.Error())
		}
	}
	o.answered()
	o.changed() // there may be more to ask
}

// install downloads a compiler and shows how far it is.
func (s *server) install(ctx context.Context, version string) error {
	token := protocol.String("leveret-solc-" + version)
	shown := s.caps.progress && s.createProgress(ctx, token) == nil
	send := func(value any) {
		if !shown {
			return
		}
		if raw, err := protocol.Marshal(value); err == nil {
			s.logged("progress", s.peer.Progress(ctx, &protocol.ProgressParams{Token: token, Value: raw}))
		}
	}
	send(&protocol.WorkDoneProgressBegin{Kind: "begin", Title: "Leveret: downloading solc " + version})
	err := s.session.Install(ctx, version, func(text string) {
		send(&protocol.WorkDoneProgressReport{Kind: "report", Message: &text})
	})
	send(&protocol.WorkDoneProgressEnd{Kind: "end"})
	return err
}

// createProgress asks the client to show a progress.
func (s *server) createProgress(ctx context.Context, token protocol.ProgressToken) error {
	ctx, cancel := context.WithTimeout(ctx, callWait)
	defer cancel()
	return s.peer.WorkDoneProgressCreate(ctx, &protocol.WorkDoneProgressCreateParams{Token: token})
}

func (s *server) logged(what string, err error) {
	if err != nil && s.ctx.Err() == nil {
		s.log.Sugar().Warnf("%s: %v", what, err)
	}
}

// installCommand downloads the compiler that its argument names.
func (s *server) installCommand(ctx context.Context, a arguments) (any, error) {
	version, err := a.text(0)
	if err != nil {
		return nil, err
	}
	if version == "" {
		return nil, errors.New("which compiler? Name a version")
	}
	return nil, s.install(ctx, version)
}

// installOnce is install in the lane of the command that does the same.
func (s *server) installOnce(ctx context.Context, version string) error {
	key, err := json.Marshal([]string{version}) // the command's arguments
	if err != nil {
		return err
	}
	_, err = s.lanes[present.CommandInstallCompiler].do(ctx, s.ctx, string(key), func(ctx context.Context) (result any, err error) {
		defer rpc.Recover(s.log, present.CommandInstallCompiler, &err)
		return nil, s.install(ctx, version)
	})
	return err
}
