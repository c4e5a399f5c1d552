package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/present"
	"leveret/lsp/rpc"
	"leveret/lsp/session"
)

// A command is something that workspace/executeCommand can do.
type command struct {
	run    func(*server, context.Context, arguments) (any, error)
	atOnce bool // takes no time and asks nobody; others have a lane
}

// commands lists them by name.
var commands = map[string]command{
	present.CommandFuzz:            {(*server).fuzzCommand, true},
	present.CommandStop:            {(*server).stopCommand, true},
	present.CommandCopyWitness:     {(*server).witnessCommand, true},
	present.CommandReplay:          {(*server).replayCommand, false},
	present.CommandExportTest:      {(*server).exportCommand, false},
	present.CommandSilence:         {(*server).silenceCommand, false},
	present.CommandExplain:         {(*server).explainCommand, false},
	present.CommandClearCorpus:     {(*server).clearCommand, false},
	present.CommandRestartCompiler: {(*server).restartCommand, false},
	present.CommandInstallCompiler: {(*server).installCommand, false},
	present.CommandDoctor:          {(*server).doctorCommand, false},
}

// newLanes returns a lane for each command that takes time.
func newLanes() map[string]*lane {
	lanes := map[string]*lane{}
	for name, c := range commands {
		if !c.atOnce {
			lanes[name] = newLane()
		}
	}
	return lanes
}

// ExecuteCommand runs one of the commands. What goes wrong is told to the
// user, too: many clients drop the errors of commands.
func (s *server) ExecuteCommand(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	c, ok := commands[params.Command]
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %.100q", params.Command)
	}
	result, err := s.execute(ctx, c, params)
	if err != nil {
		if ctx.Err() == nil {
			s.say(protocol.MessageTypeError, "Leveret: "+err.Error())
		}
		return nil, err
	}
	return json.Marshal(result)
}

// execute runs a command, in its lane if it has one.
func (s *server) execute(ctx context.Context, c command, params *protocol.ExecuteCommandParams) (any, error) {
	name, a := strings.Clone(params.Command), arguments(params.Arguments)
	lane := s.lanes[name]
	if lane == nil {
		return c.run(s, ctx, a)
	}
	key, err := json.Marshal(a)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "arguments of %s: %v", name, err)
	}
	return lane.do(ctx, s.ctx, string(key), func(ctx context.Context) (result any, err error) {
		defer rpc.Recover(s.log, name, &err)
		return c.run(s, ctx, a)
	})
}

// arguments are the arguments of a command.
type arguments []protocol.LSPAny

// text returns an argument that is a string; absent and null are empty.
func (a arguments) text(i int) (string, error) {
	if i >= len(a) || len(a[i]) == 0 {
		return "", nil
	}
	var text *string
	if err := json.Unmarshal(a[i], &text); err != nil {
		return "", jsonrpc2.Errorf(jsonrpc2.InvalidParams, "argument %d is not text: %v", i+1, err)
	}
	if text == nil {
		return "", nil
	}
	return *text, nil
}

// mark returns the finding that the first argument names.
func (s *server) mark(a arguments) (*session.Snapshot, session.Place, error) {
	snapshot := s.session.Snapshot()
	id, err := a.text(0)
	if err != nil {
		return nil, session.Place{}, err
	}
	m, ok := snapshot.Find(id)
	if !ok {
		return nil, session.Place{}, session.NoFinding(id)
	}
	return snapshot, m, nil
}

func (s *server) fuzzCommand(_ context.Context, a arguments) (any, error) {
	u, err := a.text(0)
	if err != nil {
		return nil, err
	}
	path, ok := filePath(uri.URI(u))
	snapshot := s.session.Snapshot()
	if d := snapshot.Document(path); !ok || d == nil || !d.Open {
		return nil, fmt.Errorf("%s is not open", u)
	}
	contract, err := a.text(1)
	if err != nil {
		return nil, err
	}
	s.session.Fuzz(path, contract, s.aim(snapshot.Document(path), a))
	return nil, nil
}

// aim reads the range that a campaign is to be aimed at.
func (s *server) aim(d *session.Document, a arguments) *session.Span {
	if len(a) < 3 {
		return nil
	}
	var at protocol.Range
	if protocol.Unmarshal(a[2], &at) != nil {
		return nil
	}
	start, end := s.client.Offset(d, at.Start), s.client.Offset(d, at.End)
	return &session.Span{Start: start, Length: max(0, end-start)}
}

func (s *server) stopCommand(context.Context, arguments) (any, error) {
	s.session.Stop()
	return nil, nil
}

func (s *server) replayCommand(ctx context.Context, a arguments) (any, error) {
	id, err := a.text(0)
	if err != nil {
		return nil, err
	}
	return s.replay(ctx, id)
}

func (s *server) silenceCommand(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := s.mark(a)
	if err != nil {
		return nil, err
	}
	return nil, s.apply(ctx, "Silence "+m.Finding.Oracle, s.client.Silence(snapshot, m.Finding.ID))
}

// userWait bounds a call of the client that may ask the user.
const userWait = 5 * time.Minute

// apply has the client make an edit.
func (s *server) apply(ctx context.Context, label string, edit *protocol.WorkspaceEdit) error {
	if edit == nil {
		return errors.New("there is nothing to edit any more")
	}
	if !s.caps.applyEdit {
		return errors.New("this editor takes no edits from language servers")
	}
	ctx, cancel := context.WithTimeout(ctx, userWait)
	defer cancel()
	result, err := s.peer.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{Label: &label, Edit: *edit})
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("the editor gave no answer to an edit within %v", userWait)
	}
	if err != nil {
		return err
	}
	if result == nil || !result.Applied {
		return errors.New("the editor did not apply the edit")
	}
	return nil
}

// explainCommand opens the oracle's page, and answers with its text.
func (s *server) explainCommand(ctx context.Context, a arguments) (any, error) {
	name, err := a.text(0)
	if err != nil {
		return nil, err
	}
	snapshot := s.session.Snapshot()
	if m, ok := snapshot.Find(name); ok {
		name = m.Finding.Oracle
	}
	i := slices.IndexFunc(snapshot.Oracles, func(o session.Oracle) bool { return o.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no oracle %q", name)
	}
	o := snapshot.Oracles[i]
	text := strings.TrimSpace(o.Title + "\n\n" + o.Doc)
	switch {
	case !s.caps.showDocument:
		s.say(protocol.MessageTypeInfo, "Leveret: "+o.Title)
	case o.URL != "":
		external := true
		ctx, cancel := context.WithTimeout(ctx, userWait)
		defer cancel()
		_, err = s.peer.ShowDocument(ctx, &protocol.ShowDocumentParams{URI: uri.URI(o.URL), External: &external})
	case o.Doc != "":
		_, err = s.openDocument(ctx, "oracles", fileName(name)+".md", document{text: o.Doc})
	}
	return text, err
}

func (s *server) witnessCommand(_ context.Context, a arguments) (any, error) {
	_, m, err := s.mark(a)
	if err != nil {
		return nil, err
	}
	return present.Witness(m), nil
}

func (s *server) clearCommand(context.Context, arguments) (any, error) {
	return nil, s.session.ClearCorpus()
}

func (s *server) restartCommand(context.Context, arguments) (any, error) {
	s.session.Restart()
	return nil, nil
}

// doctorCommand tells what was found for a file, or for each folder.
func (s *server) doctorCommand(ctx context.Context, a arguments) (any, error) {
	u, err := a.text(0)
	if err != nil {
		return nil, err
	}
	path, _ := filePath(uri.URI(u))
	return s.session.Doctor(ctx, path), nil
}
