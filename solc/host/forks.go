package host

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/fork"
	"leveret/solc"
)

// Forks opens forks of chains, each once. It decides nothing about who may. It is
// safe for concurrent use.
type Forks struct {
	client *fork.Client

	mu     sync.Mutex
	opened map[place]func() (*cheat.Fork, error)
	mined  map[transaction]func() (*evm.Mined, error)
}

// A place is a block of a chain.
type place struct {
	url    string
	latest bool
	block  uint64
}

// A transaction is one of the chain at an endpoint.
type transaction struct {
	url  string
	hash common.Hash
}

// NewForks returns Forks whose requests end with ctx. They use the proxy of the
// environment, and keep what they read in the user's cache directory; empty: they
// keep nothing.
func NewForks(ctx context.Context, cache string) *Forks {
	o := fork.Options{Proxy: http.ProxyFromEnvironment}
	if cache != "" {
		o.Cache = filepath.Join(cache, "leveret", "forks")
	}
	return &Forks{client: fork.New(ctx, o), opened: map[place]func() (*cheat.Fork, error){}, mined: map[transaction]func() (*evm.Mined, error){}}
}

// Close saves what was read and ends all requests.
func (f *Forks) Close() error { return f.client.Close() }

// Open returns the state at an endpoint after a block; nil is the latest one, the
// same at every call. An error stays.
func (f *Forks) Open(url string, block *uint64) (*cheat.Fork, error) {
	at := place{url: url, latest: block == nil}
	if block != nil {
		at.block = *block
	}
	return once(&f.mu, f.opened, at, func() (*cheat.Fork, error) { return f.open(url, block) })
}

// transaction returns a transaction of a chain. An error stays.
func (f *Forks) transaction(url string, hash common.Hash) (*evm.Mined, error) {
	return once(&f.mu, f.mined, transaction{url, hash}, func() (*evm.Mined, error) { return f.client.Transaction(url, hash) })
}

// once asks for what a key names the first time, and remembers the answer.
func once[K comparable, V any](mu *sync.Mutex, answers map[K]func() (V, error), key K, ask func() (V, error)) (V, error) {
	mu.Lock()
	answer := answers[key]
	if answer == nil {
		answer = sync.OnceValues(ask)
		answers[key] = answer
	}
	mu.Unlock()
	return answer()
}

func (f *Forks) open(url string, block *uint64) (*cheat.Fork, error) {
	state, err := f.client.Open(url, block)
	if err != nil {
		return nil, err
	}
	return &cheat.Fork{
		Source: state, Block: state.Header.Block(),
		At:    func(block uint64) (*cheat.Fork, error) { return f.Open(url, &block) },
		Mined: func(hash common.Hash) (*evm.Mined, error) { return f.transaction(url, hash) },
	}, nil
}

// Why tests cannot use forks.
var (
	errChains  = errors.New("the workspace is not trusted: its tests cannot connect to chains")
	errNoForks = errors.New("forks of chains are not available here")
)

// Fork implements cheat.Host.
func (h *Host) Fork(name string, block *uint64) (*cheat.Fork, error) {
	return reach(h, name, func(url string) (*cheat.Fork, error) { return h.Forks.Open(url, block) })
}

// Mined implements cheat.Host.
func (h *Host) Mined(name string, hash common.Hash) (*evm.Mined, error) {
	return reach(h, name, func(url string) (*evm.Mined, error) { return h.Forks.transaction(url, hash) })
}

// reach asks the URLs of an endpoint until one answers.
func reach[T any](h *Host, name string, ask func(url string) (*T, error)) (*T, error) {
	if err := h.mayConnect(); err != nil {
		return nil, err
	}
	endpoint, known := h.endpoint(name)
	if !known {
		return nil, errors.New("the endpoint of a fork is neither a name in [rpc_endpoints] of foundry.toml nor an http or https URL")
	}
	if endpoint.Auth != "" {
		return nil, fmt.Errorf("the endpoint %s of foundry.toml has auth, which Leveret does not send", name)
	}
	var errs []error
	for _, u := range endpoint.URLs {
		url, err := h.resolve(u)
		if err == nil {
			var answer *T
			if answer, err = ask(url); err == nil {
				return answer, nil
			}
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// mayConnect says why tests cannot use forks.
func (h *Host) mayConnect() error {
	switch {
	case !h.Trusted:
		return errChains
	case h.Forks == nil:
		return errNoForks
	}
	return nil
}

// resolve puts environment variables into a URL.
func (h *Host) resolve(u solc.EndpointURL) (string, error) {
	var failed error
	url, err := u.Resolve(func(name string) string {
		value, _, err := h.Env(name)
		failed = errors.Join(failed, err)
		return value
	})
	return url, errors.Join(failed, err)
}

// Start implements cheat.Host: the fork of eth_rpc_url in foundry.toml.
func (h *Host) Start() (*cheat.Fork, error) {
	if h.Chains.URL == "" {
		return nil, nil
	}
	f, err := h.Fork(string(h.Chains.URL), h.Chains.Block)
	if err != nil {
		return nil, fmt.Errorf("eth_rpc_url of foundry.toml: %w", err)
	}
	return f, nil
}

// builtinEndpoints are those that forge knows by name (builtin_rpc_url of its crate
// config).
var builtinEndpoints = map[string]solc.EndpointURL{
	"tempo": "https://rpc.mpp.tempo.xyz", "moderato": "https://rpc.mpp.moderato.tempo.xyz",
}

// endpoint returns what a name or a URL stands for; false if it is neither.
func (h *Host) endpoint(name string) (e solc.Endpoint, known bool) {
	if e, known = h.Chains.Endpoints[name]; known {
		return e, true
	}
	url, known := builtinEndpoints[name]
	if !known {
		url, known = solc.EndpointURL(name), strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
	}
	return solc.Endpoint{URLs: []solc.EndpointURL{url}}, known
}

// Endpoint implements cheat.Host.
func (h *Host) Endpoint(name string) (url string, known bool, err error) {
	e, known := h.endpoint(name)
	switch {
	case !known:
		return "", false, nil
	case !h.Trusted:
		return "", true, errChains
	}
	url, err = h.resolve(e.URLs[0])
	return url, true, err
}

// Endpoints implements cheat.Host.
func (h *Host) Endpoints() (all []cheat.Endpoint, err error) {
	for _, name := range slices.Sorted(maps.Keys(h.Chains.Endpoints)) {
		url, _, err := h.Endpoint(name)
		if err != nil {
			return nil, err
		}
		all = append(all, cheat.Endpoint{Name: name, URL: url})
	}
	if !h.Trusted {
		return nil, errChains
	}
	return all, nil
}
