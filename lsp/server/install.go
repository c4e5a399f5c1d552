package server

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// An installer downloads compilers, one at a time.
type installer struct {
	base    context.Context // of the connection
	client  *client
	install func(ctx context.Context, version string, progress func(string)) error
	lane    *lane
}

// run downloads a compiler. Equal calls that wait share one download.
func (i *installer) run(ctx context.Context, version string) error {
	key, err := json.Marshal(version)
	if err != nil {
		return err
	}
	_, err = i.lane.do(ctx, i.base, string(key), recovering(i.client.log, present.CommandInstallCompiler, func(ctx context.Context) (any, error) {
		return nil, i.download(ctx, version)
	}))
	return err
}

// download shows its progress if the client can.
func (i *installer) download(ctx context.Context, version string) error {
	token := protocol.String("leveret-solc-" + version)
	shown := i.client.can.progress && i.client.createProgress(ctx, token) == nil
	report := func(value any) {
		if shown {
			i.client.report(ctx, token, value)
		}
	}
	report(&protocol.WorkDoneProgressBegin{Kind: "begin", Title: "Leveret: downloading solc " + version})
	err := i.install(ctx, version, func(text string) {
		report(&protocol.WorkDoneProgressReport{Kind: "report", Message: &text})
	})
	report(&protocol.WorkDoneProgressEnd{Kind: "end"})
	return err
}

// An offer asks the user whether to download a compiler that an open file
// needs: once for each version, one question at a time.
type offer struct {
	tasks   *tasks
	client  *client
	install *installer
	changed signal          // after an answer: another compiler may be missing
	asked   map[string]bool // versions; the publisher's goroutine owns it

	mu     sync.Mutex
	asking bool
}

func newOffer(t *tasks, c *client, i *installer, changed signal) *offer {
	return &offer{tasks: t, client: c, install: i, changed: changed, asked: map[string]bool{}}
}

// follow asks about the first missing compiler that is new.
func (o *offer) follow(snapshot *session.Snapshot) {
	if !o.begin() {
		return
	}
	for _, path := range snapshot.Paths() {
		version := missingCompiler(snapshot, path)
		if version == "" || o.asked[version] {
			continue
		}
		o.asked[version] = true
		o.tasks.start(func() { o.ask(path, version) })
		return
	}
	o.end()
}

// missingCompiler returns the version whose installation would make an open
// file compile, if the settings allow the question; else it is empty.
func missingCompiler(snapshot *session.Snapshot, path string) string {
	d, a := snapshot.Document(path), snapshot.Analyses[path]
	if d == nil || !d.Open || a == nil || a.Failure == nil || !snapshot.SettingsFor(path).AskForSolc {
		return ""
	}
	return a.Failure.Install
}

// begin starts a question unless one is open.
func (o *offer) begin() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	free := !o.asking
	o.asking = true
	return free
}

func (o *offer) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asking = false
}

// ask waits for the answer as long as the connection lasts.
func (o *offer) ask(path, version string) {
	ctx := o.tasks.ctx
	yes := "Download solc " + version
	answer, err := o.client.peer.ShowMessageRequest(ctx, &protocol.ShowMessageRequestParams{
		Type: protocol.MessageTypeInfo,
		Message: fmt.Sprintf("Leveret: %s needs solc %s, which is not installed. Download it from soliditylang.org, or else from npm, into your cache?",
			filepath.Base(path), version),
		Actions: []protocol.MessageActionItem{{Title: yes}, {Title: "Not now"}},
	})
	if err == nil && answer != nil && answer.Title == yes {
		if err := o.install.run(ctx, version); err != nil && ctx.Err() == nil {
			o.client.say(protocol.MessageTypeError, "Leveret: "+err.Error())
		}
	}
	o.end()
	o.changed.send()
}
