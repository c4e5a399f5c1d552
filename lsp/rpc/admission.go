package rpc

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/sync/semaphore"
)

// Bounds of the requests that are handled at the same time. Each counts with
// its size, and at least with minRequest.
const (
	maxAtOnce  = 64 << 20
	minRequest = 1 << 20 // 64 at once
)

// An admission bounds how many requests are handled, or wait for the client
// to take their answers. The reader waits for a place, so that a client that
// takes no answers is not read from either.
//
// Commands have places of their own, because they may wait for the client's
// answer to a request of ours, or work for minutes: a reader that waits for
// them never reads that answer. A command too many is refused.
type admission struct {
	requests, commands *semaphore.Weighted
}

func newAdmission() admission {
	return admission{semaphore.NewWeighted(maxAtOnce), semaphore.NewWeighted(maxAtOnce)}
}

// enter waits for a place. The caller must call leave when the answer can be
// sent.
func (a admission) enter(ctx context.Context, method string, size int) (leave func(), err error) {
	weight := min(max(int64(size), minRequest), maxAtOnce)
	if method == protocol.MethodWorkspaceExecuteCommand {
		if !a.commands.TryAcquire(weight) {
			return nil, jsonrpc2.Errorf(jsonrpc2.Code(protocol.LSPErrorCodesRequestFailed), "too many commands are running; try again later")
		}
		return func() { a.commands.Release(weight) }, nil
	}
	if err := a.requests.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() { a.requests.Release(weight) }, nil
}
