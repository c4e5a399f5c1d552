package fork

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"golang.org/x/sync/semaphore"
)

// An endpoint asks one server. All requests share its limits.
type endpoint struct {
	ctx     context.Context
	url     *url.URL
	host    string // what may be shown of it
	client  *rpc.Client
	options *Options
	slots   *semaphore.Weighted
	single  atomic.Bool // it knows no batches
}

// newEndpoint checks an address. It does not connect.
func newEndpoint(ctx context.Context, address string, o *Options) (*endpoint, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, errors.New("a fork needs the http or https URL of an endpoint, such as https://eth.example/KEY")
	}
	e := &endpoint{ctx: ctx, url: u, host: shown(u), options: o, slots: semaphore.NewWeighted(int64(o.Parallel))}
	e.client, err = rpc.DialOptions(ctx, address, rpc.WithHTTPClient(&http.Client{
		Transport:     limited{o.Transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}))
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %s", e.host, scrub(u, err.Error()))
	}
	return e, nil
}

// maxAnswer bounds an answer, in bytes. The longest are those with the code of an
// account and with the transactions of a block.
const maxAnswer = 16 << 20

var errTooLong = errors.New("the answer is too long")

var errLinkLocal = errors.New("a link-local address")

// refuseLinkLocal refuses to connect to link-local addresses, at which clouds hand
// out the credentials of their machines.
func refuseLinkLocal(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err == nil && to.Addr().Unmap().IsLinkLocalUnicast() {
		return errLinkLocal
	}
	return err
}

// A limited RoundTripper cuts answers that are too long. It asks no link-local address, not
// by a proxy either.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	if to, err := netip.ParseAddr(r.URL.Hostname()); err == nil && to.Unmap().IsLinkLocalUnicast() {
		return nil, errLinkLocal
	}
	response, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = &limitedBody{response.Body, maxAnswer}
	}
	return response, err
}

type limitedBody struct {
	io.ReadCloser
	left int
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// A question is one method and where its answer goes.
type question = rpc.BatchElem

// ask asks questions, in one request if the endpoint knows batches. It repeats
// those that fail for reasons that pass.
func (e *endpoint) ask(questions ...question) error {
	for attempt := 1; ; attempt++ {
		err := e.try(questions)
		if err == nil {
			return nil
		}
		if attempt == e.options.Attempts || !passes(err) {
			return e.explain(err, attempt)
		}
		if !wait(e.ctx, e.options.Backoff<<(attempt-1)) {
			return e.explain(e.ctx.Err(), attempt)
		}
	}
}

// wait waits; false means that ctx ended.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// A refusal is the endpoint's error for one question.
type refusal struct {
	method string
	error
}

func (r refusal) Unwrap() error { return r.error }

// try asks all questions once.
func (e *endpoint) try(questions []question) error {
	if e.slots.Acquire(e.ctx, 1) != nil {
		return e.ctx.Err()
	}
	defer e.slots.Release(1)
	if len(questions) > 1 && !e.single.Load() {
		err := e.batch(questions)
		if !isMalformed(err) {
			return err
		}
		e.single.Store(true)
	}
	for i := range questions {
		q := &questions[i]
		ctx, done := context.WithTimeout(e.ctx, e.options.Timeout)
		err := e.client.CallContext(ctx, q.Result, q.Method, q.Args...)
		done()
		if err != nil {
			return refusal{q.Method, err}
		}
	}
	return nil
}

func (e *endpoint) batch(questions []question) error {
	ctx, done := context.WithTimeout(e.ctx, e.options.Timeout)
	defer done()
	if err := e.client.BatchCallContext(ctx, questions); err != nil {
		return err
	}
	for i := range questions {
		if q := &questions[i]; q.Error != nil {
			return refusal{q.Method, q.Error}
		}
	}
	return nil
}

// isMalformed reports whether an answer was not what the protocol says, as that of
// endpoints without batches.
func isMalformed(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.Is(err, rpc.ErrMissingBatchResponse) || errors.Is(err, rpc.ErrNoResult)
}

// passes reports whether a question may have an answer later.
func passes(err error) bool {
	var status rpc.HTTPError
	if errors.As(err, &status) {
		return status.StatusCode == http.StatusTooManyRequests || status.StatusCode == http.StatusRequestTimeout || status.StatusCode >= 500
	}
	var refused rpc.Error
	if errors.As(err, &refused) {
		return busyCodes[refused.ErrorCode()] || strings.Contains(refused.Error(), "header not found")
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return dial.Timeout()
	}
	return isTimeout(err) || isCut(err)
}

// busyCodes are the codes of errors of JSON-RPC that pass: limits and internal
// errors [EIP-1474].
var busyCodes = map[int]bool{-32005: true, -32603: true, 429: true}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
}

// isCut reports whether a connection ended before the answer did.
func isCut(err error) bool {
	var broken *net.OpError
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &broken)
}

// explain returns the error for the user, with a remedy and without the secret
// parts of the URL.
func (e *endpoint) explain(err error, attempts int) error {
	again := ""
	if attempts > 1 {
		again = fmt.Sprintf(", %d times", attempts)
	}
	var status rpc.HTTPError
	var refused rpc.Error
	var asked refusal
	errors.As(err, &asked)
	switch {
	case e.ctx.Err() != nil:
		return fmt.Errorf("interrupted while %s was asked", e.host)
	case errors.As(err, &status):
		answer := fmt.Sprintf("%d %s", status.StatusCode, http.StatusText(status.StatusCode))
		return fmt.Errorf("%s answers %s%s; %s", e.host, answer, again, statusRemedy(status.StatusCode))
	case errors.As(err, &refused):
		return fmt.Errorf("%s answers %s with an error%s: %s; %s", e.host, asked.method, again, scrub(e.url, refused.Error()), refusalRemedy(refused))
	case errors.Is(err, errTooLong):
		return fmt.Errorf("%s sends more than %d MB for one question; use another endpoint", e.host, maxAnswer>>20)
	case errors.Is(err, errLinkLocal):
		return fmt.Errorf("%s is a link-local address, and Leveret does not connect to those; use the endpoint of a node", e.host)
	case isTimeout(err):
		return fmt.Errorf("%s does not answer within %v%s; try again later, or use another endpoint", e.host, e.options.Timeout, again)
	}
	why := err
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		why = wrapped.Err // without the URL
	} else if !isCut(err) {
		return fmt.Errorf("%s sends no valid answer; check that the URL is that of an Ethereum JSON-RPC endpoint", e.host)
	}
	return fmt.Errorf("%s cannot be reached%s (%s), and the fork needs state that is not in the cache; check the connection and the URL", e.host, again, scrub(e.url, why.Error()))
}

// statusRemedy says what to do about a status of HTTP.
func statusRemedy(code int) string {
	switch {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return "check the key in the URL"
	case code == http.StatusTooManyRequests || code >= 500:
		return "try again later, or use another endpoint"
	}
	return "check the URL"
}

// refusalRemedy says what to do about an error of the protocol. Nodes that are no
// archives do not have the state of old blocks.
func refusalRemedy(err error) string {
	text := strings.ToLower(err.Error())
	for _, pruned := range []string{"missing trie node", "pruned", "archive", "historical state", "state is not available", "state not available"} {
		if strings.Contains(text, pruned) {
			return "use the endpoint of an archive node, or a later block"
		}
	}
	return "try another endpoint or another block"
}

// malformed is the error for an answer that no honest node gives.
func (e *endpoint) malformed(method, what string) error {
	return fmt.Errorf("%s answers %s with %s; use another endpoint", e.host, method, what)
}

// An account is what endpoints say of one.
type account struct {
	Balance hexutil.U256  `json:"balance"`
	Nonce   uint64        `json:"nonce,omitempty"`
	Code    hexutil.Bytes `json:"code,omitempty"`
}

// account returns an account after a block.
func (e *endpoint) account(addr common.Address, number uint64) (account, error) {
	at := hexutil.Uint64(number)
	var balance hexutil.U256
	var nonce hexutil.Uint64
	var code hexutil.Bytes
	err := e.ask(
		question{Method: "eth_getBalance", Args: []any{addr, at}, Result: &balance},
		question{Method: "eth_getTransactionCount", Args: []any{addr, at}, Result: &nonce},
		question{Method: "eth_getCode", Args: []any{addr, at}, Result: &code},
	)
	return account{balance, uint64(nonce), code}, err
}

// storage returns a storage word after a block. Some nodes leave out leading
// zeros.
func (e *endpoint) storage(addr common.Address, key common.Hash, number uint64) (common.Hash, error) {
	var word hexutil.Bytes
	if err := e.ask(question{Method: "eth_getStorageAt", Args: []any{addr, key, hexutil.Uint64(number)}, Result: &word}); err != nil {
		return common.Hash{}, err
	}
	if len(word) > common.HashLength {
		return common.Hash{}, e.malformed("eth_getStorageAt", fmt.Sprintf("%d bytes", len(word)))
	}
	return common.BytesToHash(word), nil
}

// A block is the part of a block that is read.
type block struct {
	Number     hexutil.Uint64 `json:"number"`
	Hash       common.Hash    `json:"hash"`
	Timestamp  hexutil.Uint64 `json:"timestamp"`
	Prevrandao common.Hash    `json:"mixHash"`
	Coinbase   common.Address `json:"miner"`
	BaseFee    hexutil.U256   `json:"baseFeePerGas"`
	GasLimit   hexutil.Uint64 `json:"gasLimit"`
}

// block returns a block by its number.
func (e *endpoint) block(number uint64) (*block, error) {
	var b *block
	if err := e.ask(question{Method: "eth_getBlockByNumber", Args: []any{hexutil.Uint64(number), false}, Result: &b}); err != nil {
		return nil, err
	}
	return b, e.checkBlock(b, &number)
}

// checkBlock checks that a block is the one that was asked for; nil is any.
func (e *endpoint) checkBlock(b *block, number *uint64) error {
	switch {
	case b == nil && number != nil:
		return fmt.Errorf("%s has no block %d; choose an earlier one", e.host, *number)
	case b == nil || b.Hash == common.Hash{}:
		return e.malformed("eth_getBlockByNumber", "no block")
	case number != nil && uint64(b.Number) != *number:
		return e.malformed("eth_getBlockByNumber", fmt.Sprintf("block %d instead of %d", b.Number, *number))
	}
	return nil
}

// header returns the chain's id and a block; nil is the latest one.
func (e *endpoint) header(number *uint64) (Header, error) {
	var which any = "latest"
	if number != nil {
		which = hexutil.Uint64(*number)
	}
	var chain hexutil.Uint64
	var b *block
	err := e.ask(
		question{Method: "eth_chainId", Result: &chain},
		question{Method: "eth_getBlockByNumber", Args: []any{which, false}, Result: &b},
	)
	if err == nil {
		err = e.checkBlock(b, number)
	}
	if err != nil {
		return Header{}, err
	}
	return b.header(uint64(chain)), nil
}

func (b *block) header(chain uint64) Header {
	return Header{
		ChainID: chain, Number: uint64(b.Number), Hash: b.Hash, Timestamp: uint64(b.Timestamp), Prevrandao: b.Prevrandao,
		Coinbase: b.Coinbase, BaseFee: uint256.Int(b.BaseFee), GasLimit: uint64(b.GasLimit),
	}
}
