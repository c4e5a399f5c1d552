// Package fork has the state of real chains at pinned blocks, read lazily by
// JSON-RPC and kept on disk.
//
// It connects only to endpoints that its caller passes. An endpoint's URL often
// is a secret: no error and no file of this package has more of it than scheme
// and host. The package knows neither who asked for a fork nor what for.
package fork

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// Options say how endpoints are asked. The zero value has the defaults and no
// cache on disk.
type Options struct {
	Cache     string            // directory for answers; empty: none
	Transport http.RoundTripper // nil: connections to all but link-local addresses
	Proxy     Proxy             // of these connections; nil: none
	Timeout   time.Duration     // of one attempt; 0: 20 s
	Attempts  int               // of each question; 0: 5
	Backoff   time.Duration     // before the second attempt, doubled for each further one; 0: 250 ms
	Parallel  int               // questions to an endpoint at a time; 0: 8
}

// A Proxy returns the proxy for a request, as http.ProxyFromEnvironment does.
type Proxy func(*http.Request) (*url.URL, error)

// complete fills in defaults.
func (o *Options) complete() {
	if o.Transport == nil {
		dialer := net.Dialer{Control: refuseLinkLocal}
		o.Transport = &http.Transport{Proxy: o.Proxy, DialContext: dialer.DialContext, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Attempts == 0 {
		o.Attempts = 5
	}
	if o.Backoff == 0 {
		o.Backoff = 250 * time.Millisecond
	}
	if o.Parallel == 0 {
		o.Parallel = 8
	}
}

// A Client opens forks. It is safe for concurrent use.
type Client struct {
	ctx     context.Context
	stop    context.CancelFunc
	options Options

	mu        sync.Mutex
	endpoints map[string]*endpoint
	forks     []*Fork
}

// New returns a Client whose requests end with ctx.
func New(ctx context.Context, o Options) *Client {
	o.complete()
	c := &Client{options: o, endpoints: map[string]*endpoint{}}
	c.ctx, c.stop = context.WithCancel(ctx)
	return c
}

// Close saves what was read and ends all requests. The error says which files
// could not be written.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for _, f := range c.forks {
		errs = append(errs, f.save())
	}
	c.stop()
	for _, e := range c.endpoints {
		e.client.Close()
	}
	return errors.Join(errs...)
}

// A Header has the values of the block that a fork starts from.
type Header struct {
	ChainID    uint64         `json:"chain"`
	Number     uint64         `json:"number"`
	Hash       common.Hash    `json:"hash"`
	Timestamp  uint64         `json:"timestamp"`
	Prevrandao common.Hash    `json:"prevrandao"`
	Coinbase   common.Address `json:"coinbase"`
	BaseFee    uint256.Int    `json:"baseFee"`
	GasLimit   uint64         `json:"gasLimit"`
}

// Block returns the values for transactions in the block.
func (h *Header) Block() evm.BlockContext {
	return evm.BlockContext{
		Number: h.Number, Timestamp: h.Timestamp, Prevrandao: h.Prevrandao,
		Coinbase: h.Coinbase, BaseFee: h.BaseFee, GasLimit: h.GasLimit, ChainID: h.ChainID,
	}
}

// A Fork is the state of a chain after one block: an [evm.Source]. It is safe
// for concurrent use.
type Fork struct {
	Header   Header
	endpoint *endpoint
	file     *file // nil: not kept on disk

	mu    sync.RWMutex
	state state
	fresh int // answers since the last save

	checking sync.Mutex
	checked  bool // the endpoint has the block of the Header
}

// Open returns the state at endpoint, an http or https URL, after a block; nil is
// the latest one, which is pinned. If the cache knows the block, Open asks
// nothing.
func (c *Client) Open(endpoint string, number *uint64) (*Fork, error) {
	e, err := c.endpoint(endpoint)
	if err != nil {
		return nil, err
	}
	cache := c.cacheOf(e)
	f := &Fork{endpoint: e}
	if number != nil {
		f.file, f.state = cache.find(*number)
	}
	if f.file == nil {
		header, err := e.header(number)
		if err != nil {
			return nil, err
		}
		f.checked = true
		f.file, f.state = cache.open(header)
	}
	f.Header = f.state.Header
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forks = append(c.forks, f)
	return f, nil
}

// endpoint returns what asks an endpoint. All its forks share the limits.
func (c *Client) endpoint(address string) (*endpoint, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.endpoints[address]; e != nil {
		return e, nil
	}
	e, err := newEndpoint(c.ctx, address, &c.options)
	if err != nil {
		return nil, err
	}
	c.endpoints[address] = e
	return e, nil
}

// cacheOf returns the cache for an endpoint. A node on this machine is mostly one
// for development, whose state changes without new blocks: it has none.
func (c *Client) cacheOf(e *endpoint) *cache {
	if c.options.Cache == "" || isLocal(e.url) {
		return nil
	}
	return newCache(c.options.Cache, e.url)
}

// isLocal reports whether an endpoint is on this machine.
func isLocal(u *url.URL) bool {
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Account returns an account.
func (f *Fork) Account(addr common.Address) (evm.SourceAccount, error) {
	f.mu.RLock()
	known, ok := f.state.Accounts[addr]
	f.mu.RUnlock()
	if ok {
		return known.account(), nil
	}
	if err := f.check(); err != nil {
		return evm.SourceAccount{}, err
	}
	a, err := f.endpoint.account(addr, f.Header.Number)
	if err != nil {
		return evm.SourceAccount{}, err
	}
	f.learn(func(s *state) { s.Accounts[addr] = a })
	return a.account(), nil
}

// Storage returns a storage word.
func (f *Fork) Storage(addr common.Address, key common.Hash) (common.Hash, error) {
	f.mu.RLock()
	value, ok := f.state.Storage[addr][key]
	f.mu.RUnlock()
	if ok {
		return value, nil
	}
	if err := f.check(); err != nil {
		return common.Hash{}, err
	}
	value, err := f.endpoint.storage(addr, key, f.Header.Number)
	if err != nil {
		return common.Hash{}, err
	}
	f.learn(func(s *state) { s.setStorage(addr, key, value) })
	return value, nil
}

// BlockHash returns the hash of a block, the zero hash for later ones.
func (f *Fork) BlockHash(number uint64) (common.Hash, error) {
	if number >= f.Header.Number {
		if number == f.Header.Number {
			return f.Header.Hash, nil
		}
		return common.Hash{}, nil
	}
	f.mu.RLock()
	hash, ok := f.state.Hashes[number]
	f.mu.RUnlock()
	if ok {
		return hash, nil
	}
	if err := f.check(); err != nil {
		return common.Hash{}, err
	}
	b, err := f.endpoint.block(number)
	if err != nil {
		return common.Hash{}, err
	}
	f.learn(func(s *state) { s.Hashes[number] = b.Hash })
	return b.Hash, nil
}

// check compares the block of a cached fork with the endpoint's, before its first
// question: after a reorganisation of the chain, answers would not fit each other.
func (f *Fork) check() error {
	f.checking.Lock()
	defer f.checking.Unlock()
	if f.checked {
		return nil
	}
	now, err := f.endpoint.header(&f.Header.Number)
	if err != nil {
		return err
	}
	if now.Hash != f.Header.Hash || now.ChainID != f.Header.ChainID {
		f.file.forget(f.Header.Number)
		return fmt.Errorf("block %d of %s is not the one that was read before: the chain was reorganised, or the URL leads to another chain; run again", f.Header.Number, f.endpoint.host)
	}
	f.checked = true
	return nil
}

// learn keeps an answer, and saves when there are many new ones.
func (f *Fork) learn(add func(*state)) {
	f.mu.Lock()
	add(&f.state)
	f.fresh++
	save := f.fresh >= max(saveEvery, f.state.size()/2)
	f.mu.Unlock()
	if save {
		_ = f.save() // Close tries again, and reports it
	}
}

// saveEvery is how many new answers are saved at least, while a fork is in use.
const saveEvery = 512

// save writes what was read to disk.
func (f *Fork) save() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil || f.fresh == 0 {
		return nil
	}
	if err := f.file.write(&f.state); err != nil {
		return err
	}
	f.fresh = 0
	return nil
}
