package fork_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/fork"
	"leveret/engine/fork/forktest"
)

// endpoint is a URL with secrets in all its parts. Its host is reached by a proxy.
const endpoint = "http://s3cretuser:s3cretword@rpc.test:8545/v2/s3cretpath?token=s3cretquery&s3cretflag#s3cretfragment"

const secret = "s3cret"

var (
	token = common.HexToAddress("0x70ce4")
	alice = common.HexToAddress("0xa11ce")
	key   = common.Hash{31: 3}
)

// chain has a contract that returns its first word.
func chain() *forktest.Chain {
	return &forktest.Chain{ID: 10, Latest: 500, Accounts: map[common.Address]forktest.Account{
		token: {Balance: 7, Nonce: 1, Code: common.FromHex("5f545f5260205ff3"), Storage: map[common.Hash]common.Hash{{}: {31: 42}, key: {0: 1}}},
		alice: {Balance: 1000, Nonce: 3},
	}}
}

// serve starts a server of a chain, and returns options that reach it for every
// host.
func serve(t *testing.T, c *forktest.Chain) (*forktest.Server, fork.Options) {
	s := forktest.New(c)
	return s, fork.Options{Cache: t.TempDir(), Transport: proxy(t, s), Backoff: time.Millisecond}
}

// proxy returns a transport that sends all requests to a handler.
func proxy(t *testing.T, h http.Handler) *http.Transport {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(to)}
	t.Cleanup(transport.CloseIdleConnections)
	return transport
}

func newClient(t *testing.T, o fork.Options) *fork.Client {
	c := fork.New(t.Context(), o)
	t.Cleanup(func() { c.Close() })
	return c
}

func block(n uint64) *uint64 { return &n }

// checkSecret fails if an error shows a secret part of the URL, or has several
// lines.
func checkSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		if strings.Contains(strings.ToLower(e.Error()), secret) || strings.ContainsAny(e.Error(), "\n\x1b") {
			t.Errorf("the error shows too much: %q", e)
		}
	}
}

func TestForksHaveTheStateOfTheChain(t *testing.T) {
	c := chain()
	s, o := serve(t, c)
	f, err := newClient(t, o).Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	want := evm.BlockContext{
		Number: 300, Timestamp: 1_700_003_600, Prevrandao: common.Hash{5: 7, 31: 44}, Coinbase: common.Address{1, 2, 3},
		BaseFee: *uint256.NewInt(9), GasLimit: 36_000_000, ChainID: 10,
	}
	if got := f.Header.Block(); got != want || f.Header.Hash != c.BlockHash(300) {
		t.Errorf("block %+v, want %+v", got, want)
	}
	a, err := f.Account(token)
	if err != nil || a.Balance.Uint64() != 7 || a.Nonce != 1 || len(a.Code) != 8 {
		t.Errorf("account %+v, %v", a, err)
	}
	if s.Requests() != 2 {
		t.Errorf("%d requests for a block and an account", s.Requests())
	}
	if word, err := f.Storage(token, key); err != nil || word != (common.Hash{0: 1}) {
		t.Errorf("word %v, %v", word, err)
	}
	for number, want := range map[uint64]common.Hash{299: c.BlockHash(299), 300: c.BlockHash(300), 301: {}} {
		if got, err := f.BlockHash(number); err != nil || got != want {
			t.Errorf("hash of block %d: %v, %v", number, got, err)
		}
	}
	w := evm.NewBacking(evm.NewCodes(), f).World()
	out := evm.NewMachine().Execute(w, f.Header.Block(), evm.Call{From: alice, To: token}, nil)
	if out.Status != evm.Success || common.BytesToHash(out.Return) != (common.Hash{31: 42}) {
		t.Errorf("a Call: %+v", out)
	}
}

// readAll reads what the tests ask for, as text.
func readAll(t *testing.T, f *fork.Fork) string {
	t.Helper()
	var b strings.Builder
	for _, addr := range []common.Address{token, alice, {9}} {
		a, err := f.Account(addr)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(a.Balance.Hex() + common.Bytes2Hex(a.Code))
		b.WriteByte(byte('0' + a.Nonce))
	}
	for _, k := range []common.Hash{{}, key, {9}} {
		word, err := f.Storage(token, k)
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(word.Hex())
	}
	hash, err := f.BlockHash(299)
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + hash.Hex()
}

// A second run of a block asks nothing; without a connection only what is new is
// missing.
func TestSecondRunsAreOffline(t *testing.T) {
	s, o := serve(t, chain())
	first := newClient(t, o)
	f, err := first.Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	want := readAll(t, f)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	asked := s.Requests()
	o.Transport = proxy(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }))
	second := newClient(t, o)
	again, err := second.Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	if got := readAll(t, again); got != want || again.Header != f.Header || s.Requests() != asked {
		t.Errorf("%s of %+v after %d requests, want %s of %+v", got, again.Header, s.Requests()-asked, want, f.Header)
	}
	_, err = again.Storage(token, common.Hash{8})
	checkSecret(t, err)
	if !strings.Contains(err.Error(), "http://rpc.test:8545 cannot be reached") || !strings.Contains(err.Error(), "check the connection") {
		t.Error(err)
	}
	out := evm.NewMachine().Execute(evm.NewBacking(evm.NewCodes(), again).World(), again.Header.Block(), evm.Call{From: common.Address{8}, To: token}, nil)
	var failed *evm.SourceError
	if !errors.As(out.Halt, &failed) {
		t.Errorf("a Call: %+v", out)
	}
	checkSecret(t, out.Halt)
	for _, number := range []*uint64{block(301), nil} {
		_, err = second.Open(endpoint, number)
		checkSecret(t, err)
	}
}

// The cache names no endpoint, and the latest block is kept by its number.
func TestCacheHasNoSecrets(t *testing.T) {
	c := chain()
	_, o := serve(t, c)
	first := newClient(t, o)
	f, err := first.Open(endpoint, nil)
	if err != nil || f.Header.Number != 500 {
		t.Fatal(f, err)
	}
	readAll(t, f)
	first.Close()
	files := 0
	filepath.WalkDir(o.Cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if text = append(text, path...); bytes.Contains(text, []byte(secret)) || bytes.Contains(text, []byte("latest")) || bytes.Contains(text, []byte("rpc.test")) {
			t.Errorf("%s: %s", path, text)
		}
		return err
	})
	if files != 2 {
		t.Errorf("%d files", files)
	}
	c.Latest = 501
	if f, err = newClient(t, o).Open(endpoint, nil); err != nil || f.Header.Number != 501 {
		t.Errorf("the latest block is %+v, %v", f, err)
	}
	if f, err = newClient(t, o).Open(endpoint, block(500)); err != nil || f.Header.Hash != c.BlockHash(500) {
		t.Errorf("the block that was the latest is %+v, %v", f, err)
	}
}

// A damaged file is dropped, and what it had is asked for again.
func TestDamagedCaches(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"cut":       func(text []byte) []byte { return text[:len(text)/2] },
		"a bit":     func(text []byte) []byte { text[len(text)-9] ^= 1; return text },
		"its seal":  func(text []byte) []byte { text[20] ^= 1; return text },
		"too much":  func(text []byte) []byte { return append(text, ' ') },
		"something": func([]byte) []byte { return []byte(strings.Repeat("{}\n", 100)) },
	} {
		t.Run(name, func(t *testing.T) {
			_, o := serve(t, chain())
			first := newClient(t, o)
			f, err := first.Open(endpoint, block(300))
			if err != nil {
				t.Fatal(err)
			}
			want := readAll(t, f)
			first.Close()
			filepath.WalkDir(o.Cache, func(path string, d fs.DirEntry, err error) error {
				if err == nil && !d.IsDir() {
					text, _ := os.ReadFile(path)
					err = os.WriteFile(path, damage(text), 0o600)
				}
				return err
			})
			second := newClient(t, o)
			again, err := second.Open(endpoint, block(300))
			if err != nil {
				t.Fatal(err)
			}
			if got := readAll(t, again); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			second.Close()
			o.Transport = http.NewFileTransport(http.Dir(t.TempDir()))
			if again, err = newClient(t, o).Open(endpoint, block(300)); err != nil || readAll(t, again) != want {
				t.Errorf("the file is not whole again: %v", err)
			}
		})
	}
}

// Link-local addresses, at which clouds hand out credentials, are not connected to, nor
// asked through a proxy.
func TestLinkLocal(t *testing.T) {
	var proxied atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { proxied.Add(1) }))
	defer server.Close()
	proxy := func(*http.Request) (*url.URL, error) { return url.Parse(server.URL) }
	for _, o := range []fork.Options{{}, {Proxy: proxy}} {
		for _, host := range []string{"169.254.169.254", "169.254.1.2:8545", "[fe80::1%25lo]:8545", "[::ffff:169.254.169.254]"} {
			_, err := newClient(t, o).Open("http://"+host+"/"+secret, block(300))
			if err == nil || !strings.Contains(err.Error(), "is a link-local address") {
				t.Errorf("%s: %v", host, err)
				continue
			}
			checkSecret(t, err)
		}
	}
	if n := proxied.Load(); n > 0 {
		t.Errorf("the proxy got %d requests", n)
	}
	if _, err := newClient(t, fork.Options{Proxy: proxy}).Open("http://rpc.test", block(300)); err == nil || proxied.Load() == 0 {
		t.Errorf("the proxy is not used: %v", err)
	}
}

// Answers of a reorganised chain are not mixed with those from before.
func TestReorganisations(t *testing.T) {
	_, o := serve(t, chain())
	first := newClient(t, o)
	f, err := first.Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, f)
	first.Close()
	other := chain()
	other.Salt = "other"
	o.Transport = proxy(t, forktest.New(other))
	second := newClient(t, o)
	if f, err = second.Open(endpoint, block(300)); err != nil {
		t.Fatal(err)
	}
	readAll(t, f)
	_, err = f.Account(common.Address{7})
	checkSecret(t, err)
	if !strings.Contains(err.Error(), "reorganised") {
		t.Error(err)
	}
	if f, err = newClient(t, o).Open(endpoint, block(300)); err != nil || f.Header.Hash != other.BlockHash(300) {
		t.Fatalf("the new chain is not read: %v", err)
	}
}

// Clients that run at the same time add to each other's files.
func TestCachesGrowTogether(t *testing.T) {
	_, o := serve(t, chain())
	clients := []*fork.Client{newClient(t, o), newClient(t, o)}
	for i, c := range clients {
		f, err := c.Open(endpoint, block(300))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Storage(token, []common.Hash{{}, key}[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range clients {
		c.Close()
	}
	o.Transport = http.NewFileTransport(http.Dir(t.TempDir()))
	f, err := newClient(t, o).Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range map[common.Hash]common.Hash{{}: {31: 42}, key: {0: 1}} {
		if got, err := f.Storage(token, k); err != nil || got != want {
			t.Errorf("%v, %v", got, err)
		}
	}
}

// The state of a node on this machine may change without new blocks.
func TestLocalNodesAreNotCached(t *testing.T) {
	server := httptest.NewServer(forktest.New(chain()))
	defer server.Close()
	o := fork.Options{Cache: t.TempDir()}
	c := newClient(t, o)
	f, err := c.Open(server.URL, block(300))
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, f)
	c.Close()
	if entries, _ := os.ReadDir(o.Cache); len(entries) > 0 {
		t.Errorf("%v was written", entries)
	}
}

// Requests wait for each other beyond the limit, and end with the context.
func TestLimitsOfRequests(t *testing.T) {
	s, o := serve(t, chain())
	o.Parallel = 3
	var mu sync.Mutex
	running, most := 0, 0
	arrived, free := make(chan struct{}, 100), make(chan struct{})
	s.Before = func(http.ResponseWriter, *http.Request, int) bool {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		arrived <- struct{}{}
		<-free
		mu.Lock()
		running--
		mu.Unlock()
		return false
	}
	ctx, cancel := context.WithCancel(t.Context())
	c := fork.New(ctx, o)
	defer c.Close()
	opened := make(chan *fork.Fork)
	go func() {
		f, err := c.Open(endpoint, block(300))
		if err != nil {
			t.Error(err)
		}
		opened <- f
	}()
	free <- struct{}{}
	f := <-opened
	<-arrived
	errs := make(chan error)
	for i := range 12 {
		go func() {
			_, err := f.Storage(token, common.Hash{byte(i)})
			errs <- err
		}()
	}
	for range 6 {
		free <- struct{}{}
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	cancel()
	for range 6 {
		err := <-errs
		checkSecret(t, err)
		if !strings.Contains(err.Error(), "interrupted") {
			t.Error(err)
		}
	}
	close(free)
	mu.Lock()
	defer mu.Unlock()
	if most > o.Parallel {
		t.Errorf("%d requests at a time", most)
	}
}
