package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
)

// A Fork is the state of a chain that campaigns start from.
type Fork = deploy.Fork

// A ForkError says why the state of a fork could not be read. It ends a campaign
// or a replay.
type ForkError struct{ Err error }

func (e *ForkError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the Source.
func (e *ForkError) Unwrap() error { return e.Err }

// suits returns an error if a sequence needs a fork that is not open. The Host may
// open that of tests.
func (o Outside) suits(s input.Sequence) error {
	if s.Deployment == nil || s.Deployment.Fork == nil || o.Fork != nil || o.Host != nil {
		return nil
	}
	return fmt.Errorf("it was found on a %v, which is not open", s.Deployment.Fork)
}

// A watchedSource ends a campaign at its first error: without the state, results
// say nothing about the contracts.
type watchedSource struct {
	evm.Source
	end context.CancelCauseFunc
}

func (s watchedSource) checked(err error) error {
	if err != nil {
		s.end(&ForkError{err})
	}
	return err
}

func (s watchedSource) Account(addr common.Address) (evm.SourceAccount, error) {
	a, err := s.Source.Account(addr)
	return a, s.checked(err)
}

func (s watchedSource) Storage(addr common.Address, key common.Hash) (common.Hash, error) {
	value, err := s.Source.Storage(addr, key)
	return value, s.checked(err)
}

func (s watchedSource) BlockHash(number uint64) (common.Hash, error) {
	hash, err := s.Source.BlockHash(number)
	return hash, s.checked(err)
}

// watchFork returns a context that ends with the first error of a fork, and the
// fork to use with it; nil stays nil.
func watchFork(ctx context.Context, f *Fork) (context.Context, *Fork, context.CancelFunc) {
	if f == nil {
		return ctx, nil, func() {}
	}
	ctx, end := context.WithCancelCause(ctx)
	return ctx, watchedFork(f, end), func() { end(nil) }
}

// watchedFork returns a fork that ends a campaign at its first error, also at
// another block.
func watchedFork(f *Fork, end context.CancelCauseFunc) *Fork {
	w := &Fork{Source: watchedSource{f.Source, end}, Block: f.Block, Mined: f.Mined}
	if f.At != nil {
		w.At = func(block uint64) (*Fork, error) {
			moved, err := f.At(block)
			if err != nil {
				return nil, err
			}
			return watchedFork(moved, end), nil
		}
	}
	return w
}

// forkError returns the error of the fork that ended a context; nil if none did.
func forkError(ctx context.Context) *ForkError {
	var failed *ForkError
	if errors.As(context.Cause(ctx), &failed) {
		return failed
	}
	return nil
}
