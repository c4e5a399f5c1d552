package host

import (
	"net/http/httptest"
	"strings"
	"testing"

	"leveret/engine/fork/forktest"
	"leveret/solc"
)

// TestForks opens forks by name and by URL, each once, and gives errors without
// secrets.
func TestForks(t *testing.T) {
	chain := forktest.New(&forktest.Chain{ID: 10, Latest: 500})
	server := httptest.NewServer(chain)
	defer server.Close()
	closed := httptest.NewServer(nil)
	closed.Close()
	t.Setenv("LEVERET_TEST_KEY", "s3cret")
	endpoint := func(urls ...string) (e solc.Endpoint) {
		for _, u := range urls {
			e.URLs = append(e.URLs, solc.EndpointURL(u))
		}
		return e
	}
	h := newHost(t)
	h.Forks = NewForks(t.Context(), "")
	defer h.Forks.Close()
	h.Chains.Endpoints = map[string]solc.Endpoint{
		"main": endpoint(server.URL + "/${LEVERET_TEST_KEY}"), "unset": endpoint(server.URL + "/${LEVERET_TEST_UNSET}"),
		"second": endpoint("ftp://s3cret", server.URL), "auth": {URLs: []solc.EndpointURL{solc.EndpointURL(server.URL)}, Auth: "s3cret"},
	}
	if f, err := h.Start(); f != nil || err != nil {
		t.Errorf("without eth_rpc_url the tests start from %v, %v", f, err)
	}
	at := uint64(300)
	f, err := h.Fork("main", &at)
	if err != nil || f.Block.Number != 300 || f.Block.ChainID != 10 {
		t.Fatalf("%+v, %v", f, err)
	}
	asked := chain.Requests()
	if again, err := h.Fork("main", &at); again != f || err != nil {
		t.Errorf("the same fork is opened again: %v", err)
	}
	if same, err := h.Fork(server.URL+"/s3cret", &at); same != f || err != nil {
		t.Errorf("by its URL: %v", err)
	}
	if chain.Requests() != asked {
		t.Errorf("%d questions for a known fork", chain.Requests()-asked)
	}
	if moved, err := f.At(200); err != nil || moved.Block.Number != 200 {
		t.Errorf("at another block: %v", err)
	}
	if latest, err := h.Fork("second", nil); err != nil || latest.Block.Number != 500 {
		t.Errorf("the second URL of an endpoint: %v", err)
	}
	for name, want := range map[string]string{
		"unset": "LEVERET_TEST_UNSET of an RPC endpoint is not set", "auth": "has auth", "s3cret": "neither a name in [rpc_endpoints]",
		"http://169.254.169.254/s3cret": "is a link-local address", "ws://s3cret": "neither a name in [rpc_endpoints]", "http://": "http or https URL",
	} {
		if _, err := h.Fork(name, nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"main": server.URL + "/s3cret", "tempo": "https://rpc.mpp.tempo.xyz", "https://eth.example": "https://eth.example", "sepolia": "",
	} {
		if url, known, err := h.Endpoint(name); err != nil || url != want || known != (want != "") {
			t.Errorf("rpcUrl of %s: %s, %v, %v", name, url, known, err)
		}
	}
	h.Chains = solc.ForkConfig{URL: "main", Block: &at, Endpoints: h.Chains.Endpoints}
	if start, err := h.Start(); start != f || err != nil {
		t.Errorf("eth_rpc_url: %v", err)
	}
	h.Forks = nil
	if _, err := h.Fork("main", nil); err != errNoForks {
		t.Errorf("without Forks: %v", err)
	}
}
