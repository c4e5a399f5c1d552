package rpc

import (
	"context"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"golang.org/x/sync/semaphore"
)

// Bounds of the concurrent requests. Each counts with its size, and at least
// with minRequest.
const (
	maxAtOnce  = 64 << 20
	minRequest = 1 << 20 // 64 at once
)

// An admission bounds the requests that are handled or whose answers the client
// has not read. The reader waits for capacity, so that a client that reads no
// answers can send no more requests.
//
// Commands have separate capacity: they may wait for an answer of the client,
// which a waiting reader would never read. A command over the limit is refused.
type admission struct {
	requests, commands *semaphore.Weighted
}

func newAdmission() admission {
	return admission{semaphore.NewWeighted(maxAtOnce), semaphore.NewWeighted(maxAtOnce)}
}

// enter waits for capacity. The caller must call leave when the answer can be
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
