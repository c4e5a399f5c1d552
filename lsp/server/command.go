package server

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.uber.org/zap"

	"leveret/lsp/present"
	"leveret/lsp/rpc"
	"leveret/lsp/session"
)

// A command is a row of the commands of workspace/executeCommand.
type command struct {
	run    func(*commands, context.Context, arguments) (any, error)
	queued bool // calls run one at a time, in a lane
}

// commandTable lists the commands by name.
var commandTable = map[string]command{
	present.CommandFuzz:            {run: (*commands).fuzz},
	present.CommandStop:            {run: (*commands).stop},
	present.CommandCopyWitness:     {run: (*commands).copyWitness},
	present.CommandInstallCompiler: {run: (*commands).installCompiler}, // the installer has a lane
	present.CommandReplay:          {run: (*commands).replay, queued: true},
	present.CommandExportTest:      {run: (*commands).exportTest, queued: true},
	present.CommandSilence:         {run: (*commands).silence, queued: true},
	present.CommandExplain:         {run: (*commands).explain, queued: true},
	present.CommandClearCorpus:     {run: (*commands).clearCorpus, queued: true},
	present.CommandRestartCompiler: {run: (*commands).restartCompiler, queued: true},
	present.CommandDoctor:          {run: (*commands).doctor, queued: true},
	present.CommandTraceTest:       {run: (*commands).traceTest, queued: true},
	present.CommandDebug:           {run: (*commands).debug, queued: true},
	present.CommandDebugTest:       {run: (*commands).debugTest, queued: true},
	present.CommandDebugLine:       {run: (*commands).debugLine, queued: true},
}

// commands runs the commands.
type commands struct {
	base      context.Context // of the connection
	client    *client
	session   *session.Session
	documents *documents
	installer *installer
	lanes     map[string]*lane // of the queued commands
}

func newCommands(base context.Context, c *client, s *session.Session, d *documents, i *installer) *commands {
	lanes := map[string]*lane{}
	for name, c := range commandTable {
		if c.queued {
			lanes[name] = newLane()
		}
	}
	return &commands{base, c, s, d, i, lanes}
}

// execute runs a command. It also shows an error to the user, because many
// clients drop the errors of commands.
func (c *commands) execute(ctx context.Context, params *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	command, ok := commandTable[params.Command]
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "unknown command %.100q", params.Command)
	}
	result, err := c.run(ctx, command, params)
	if err != nil {
		if ctx.Err() == nil {
			c.client.say(protocol.MessageTypeError, "Leveret: "+err.Error())
		}
		return nil, err
	}
	return json.Marshal(result)
}

// run runs a command, in its lane if it has one.
func (c *commands) run(ctx context.Context, command command, params *protocol.ExecuteCommandParams) (any, error) {
	name, a := strings.Clone(params.Command), arguments(params.Arguments)
	lane := c.lanes[name]
	if lane == nil {
		return command.run(c, ctx, a)
	}
	key, err := json.Marshal(a)
	if err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "arguments of %s: %v", name, err)
	}
	return lane.do(ctx, c.base, string(key), recovering(c.client.log, name, func(ctx context.Context) (any, error) {
		return command.run(c, ctx, a)
	}))
}

// recovering returns f with panics as errors: a lane runs f in a goroutine.
func recovering(log *zap.Logger, name string, f func(context.Context) (any, error)) func(context.Context) (any, error) {
	return func(ctx context.Context) (result any, err error) {
		defer rpc.Recover(log, name, &err)
		return f(ctx)
	}
}

// arguments are the arguments of a command.
type arguments []protocol.LSPAny

// text returns a string argument; it is empty if absent or null.
func (a arguments) text(i int) (string, error) {
	if i >= len(a) || len(a[i]) == 0 {
		return "", nil
	}
	var text *string
	if err := json.Unmarshal(a[i], &text); err != nil {
		return "", jsonrpc2.Errorf(jsonrpc2.InvalidParams, "argument %d is not a string: %v", i+1, err)
	}
	if text == nil {
		return "", nil
	}
	return *text, nil
}

// finding returns the finding whose id is the first argument.
func (c *commands) finding(a arguments) (*session.Snapshot, session.ContractMark, error) {
	snapshot := c.session.Snapshot()
	id, err := a.text(0)
	if err != nil {
		return nil, session.ContractMark{}, err
	}
	m, ok := snapshot.Find(id)
	if !ok {
		return nil, session.ContractMark{}, fmt.Errorf("there is no finding %q any more", id)
	}
	return snapshot, m, nil
}
