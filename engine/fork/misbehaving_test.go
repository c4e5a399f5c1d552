package fork_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/fork"
)

// answer returns a handler that answers every question with a JSON value, or an
// error object.
func answer(key, value string) func(http.ResponseWriter, *http.Request, int) bool {
	return func(w http.ResponseWriter, r *http.Request, _ int) bool {
		text, _ := io.ReadAll(r.Body)
		var list []struct{ ID json.RawMessage }
		batch := json.Unmarshal(text, &list) == nil
		if !batch {
			list = make([]struct{ ID json.RawMessage }, 1)
			json.Unmarshal(text, &list[0])
		}
		var out []string
		for _, q := range list {
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"%s":%s}`, q.ID, key, value))
		}
		w.Header().Set("Content-Type", "application/json")
		if batch {
			fmt.Fprintf(w, "[%s]", strings.Join(out, ","))
		} else {
			io.WriteString(w, out[0])
		}
		return true
	}
}

// keepBody reads the body of a request, which can be read again. Only then does a
// server notice that the client went away.
func keepBody(r *http.Request) []byte {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

func status(code int) func(http.ResponseWriter, *http.Request, int) bool {
	return func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Error(w, "no way to "+r.URL.String(), code)
		return true
	}
}

func text(s string) func(http.ResponseWriter, *http.Request, int) bool {
	return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, s)
		return true
	}
}

// TestMisbehavingServers asks servers that misbehave from their second request on.
// Each gives one error that says what to do and has no secrets, after few requests.
func TestMisbehavingServers(t *testing.T) {
	for name, row := range map[string]struct {
		before   func(http.ResponseWriter, *http.Request, int) bool
		want     string
		requests int // for one question; 0: 1
	}{
		"unauthorized": {status(401), "answers 401 Unauthorized; check the key", 0},
		"not found":    {status(404), "answers 404 Not Found; check the URL", 0},
		"too many":     {status(429), "429 Too Many Requests, 3 times; try again later", 3},
		"broken":       {status(500), "500 Internal Server Error, 3 times", 3},
		"gateway":      {status(502), "502 Bad Gateway, 3 times", 3},
		"redirect": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			http.Redirect(w, r, "http://10.0.0.1/", http.StatusTemporaryRedirect)
			return true
		}, "307 Temporary Redirect", 0},
		"html":          {text("<html>buy now</html>"), "no valid answer", 0},
		"nothing":       {text(""), "cannot be reached, 3 times", 3},
		"half":          {text(`{"jsonrpc":"2.0","id":`), "cannot be reached, 3 times", 3},
		"null":          {text("null"), "no valid answer", 0},
		"other id":      {text(`{"jsonrpc":"2.0","id":99,"result":"0x1"}`), "", 0},
		"a number":      {answer("result", "17"), "no valid answer", 0},
		"an object":     {answer("result", `{"a":1}`), "no valid answer", 0},
		"odd hex":       {answer("result", `"0xabc"`), "no valid answer", 0},
		"a long word":   {answer("result", `"0x`+strings.Repeat("01", 33)+`"`), "answers eth_getStorageAt with 33 bytes", 0},
		"pruned":        {answer("error", `{"code":-32000,"message":"missing trie node 12 (path )"}`), "archive node", 0},
		"unknown":       {answer("error", `{"code":-32601,"message":"the method does not exist"}`), "answers eth_getStorageAt with an error: the method does not exist", 0},
		"limited":       {answer("error", `{"code":-32005,"message":"limit exceeded"}`), "with an error, 3 times: limit exceeded", 3},
		"behind":        {answer("error", `{"code":-32000,"message":"header not found"}`), "header not found", 3},
		"telltale":      {answer("error", `{"code":-32000,"message":"no plan for S3CRETpath and s3cretword\n\u001b[31m"}`), "no plan for …", 0},
		"long message":  {answer("error", `{"code":-32000,"message":"`+strings.Repeat("ä", 5000)+`"}`), "ää…", 0},
		"disconnecting": {func(http.ResponseWriter, *http.Request, int) bool { panic(http.ErrAbortHandler) }, "cannot be reached, 3 times", 3},
		"huge": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"0x`)
			for chunk := strings.Repeat("00", 1<<15); ; {
				if _, err := io.WriteString(w, chunk); err != nil {
					return true
				}
			}
		}, "sends more than 16 MB", 0},
		"compressed": {func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for chunk := strings.Repeat(" ", 1<<20); ; {
				if _, err := io.WriteString(z, chunk); err != nil {
					return true
				}
			}
		}, "sends more than 16 MB", 0},
		"slow": {func(_ http.ResponseWriter, r *http.Request, _ int) bool {
			<-r.Context().Done()
			return true
		}, "does not answer within", 3},
		"stalling": {func(w http.ResponseWriter, r *http.Request, _ int) bool {
			io.WriteString(w, `{"jsonrpc":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}, "does not answer within", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := serve(t, chain())
			o.Attempts, o.Timeout = 3, 20*time.Second
			if row.want == "does not answer within" {
				o.Timeout = 500 * time.Millisecond
			}
			var bad atomic.Bool
			s.Before = func(w http.ResponseWriter, r *http.Request, n int) bool {
				keepBody(r)
				return bad.Load() && row.before(w, r, n)
			}
			f, err := newClient(t, o).Open(endpoint, block(300))
			if err != nil {
				t.Fatal(err)
			}
			bad.Store(true)
			before := s.Requests()
			_, err = f.Storage(token, common.Hash{})
			checkSecret(t, err)
			t.Log(err)
			if !strings.Contains(err.Error(), row.want) || !strings.Contains(err.Error(), "http://rpc.test:8545") || len(err.Error()) > 500 {
				t.Errorf("%v; want %q", err, row.want)
			}
			if n := s.Requests() - before; n != max(1, row.requests) {
				t.Errorf("%d requests", n)
			}
			bad.Store(false)
			if word, err := f.Storage(token, common.Hash{}); err != nil || word != (common.Hash{31: 42}) {
				t.Errorf("afterwards %v, %v", word, err)
			}
		})
	}
}

// What passes is asked again.
func TestRetries(t *testing.T) {
	s, o := serve(t, chain())
	bad := []func(http.ResponseWriter, *http.Request, int) bool{
		status(429), status(503), answer("error", `{"code":-32005,"message":"limit exceeded"}`),
		func(http.ResponseWriter, *http.Request, int) bool { panic(http.ErrAbortHandler) },
	}
	s.Before = func(w http.ResponseWriter, r *http.Request, n int) bool {
		return n%5 != 0 && bad[n%5-1](w, r, n)
	}
	f, err := newClient(t, o).Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	if word, err := f.Storage(token, common.Hash{}); err != nil || word != (common.Hash{31: 42}) || s.Requests() != 10 {
		t.Errorf("%v, %v after %d requests", word, err, s.Requests())
	}
}

// Endpoints without batches are asked one question at a time.
func TestEndpointsWithoutBatches(t *testing.T) {
	s, o := serve(t, chain())
	s.Before = func(w http.ResponseWriter, r *http.Request, n int) bool {
		return keepBody(r)[0] == '[' && text(`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}`)(w, r, n)
	}
	f, err := newClient(t, o).Open(endpoint, block(300))
	if err != nil {
		t.Fatal(err)
	}
	readAll(t, f)
	if n := s.Requests(); n != 1+2+3*3+3+1 {
		t.Errorf("%d requests", n)
	}
}

// What a server says of blocks is checked.
func TestLyingAboutBlocks(t *testing.T) {
	for want, value := range map[string]string{
		"has no block 300":         `null`,
		"block 5 instead of 300":   `{"number":"0x5","hash":"0x` + strings.Repeat("11", 32) + `"}`,
		"no block; use another":    `{"number":"0x12c"}`,
		"sends no valid answer":    `{"number":"0x12c","hash":"0x12"}`,
		"sends no valid answer; c": `[1,2]`,
	} {
		s, o := serve(t, chain())
		s.Before = func(w http.ResponseWriter, r *http.Request, n int) bool {
			body := keepBody(r)
			var list []struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(body, &list) != nil {
				return answer("result", value)(w, r, n)
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `[{"jsonrpc":"2.0","id":%s,"result":"0xa"},{"jsonrpc":"2.0","id":%s,"result":%s}]`, list[0].ID, list[1].ID, value)
			return true
		}
		_, err := newClient(t, o).Open(endpoint, block(300))
		checkSecret(t, err)
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}

// Nobody listens where a server was.
func TestUnreachableEndpoints(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	for _, address := range []string{server.URL + "/s3cret", "http://s3cret@nowhere.invalid/s3cret?s3cret"} {
		_, err := newClient(t, fork.Options{Timeout: time.Minute}).Open(address, nil)
		checkSecret(t, err)
		if !strings.Contains(err.Error(), fork.Host(address)+" cannot be reached (") {
			t.Error(err)
		}
	}
}

// Only http and https URLs are endpoints: others would open files or programs.
func TestEndpointsThatAreNone(t *testing.T) {
	_, o := serve(t, chain())
	for _, address := range []string{"", "stdio", "/tmp/geth.ipc", "file:///s3cret", "ws://rpc.test/s3cret", "rpc.test/s3cret", "http://", "http:///s3cret", "http://[s3cret", "https://%zz/s3cret"} {
		_, err := newClient(t, o).Open(address, nil)
		checkSecret(t, err)
		if !strings.Contains(err.Error(), "http or https URL") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
