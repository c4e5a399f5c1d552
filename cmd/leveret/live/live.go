// Package live serves the page of a run while it goes on, and its figures for
// Prometheus, on loopback. It knows reports, and no campaign: it asks for a snapshot
// when somebody looks.
//
// Who has the URL may look. It contains a random token, without which the server
// says nothing; requests under another host's name, as a page in the browser could
// send them, are refused.
package live

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"leveret/engine/report"
)

// Limits of the server. A snapshot is converted again after newsInterval at the
// earliest, however many look.
const (
	newsInterval  = time.Second
	maxWatchers   = 16               // pages at a time
	maxHeader     = 16 << 10         // bytes of a request
	readTimeout   = 10 * time.Second // of a request
	writeTimeout  = time.Minute      // of an answer; a page that reads none loses its connection
	lastLook      = 2 * time.Second  // for pages to fetch the end of a run
	keepAliveTime = 30 * time.Second
)

// A Server serves one run. Its methods are safe for concurrent use.
type Server struct {
	snapshot func() *report.Report
	token    string
	listener net.Listener
	http     http.Server
	metrics  http.Handler
	watchers chan struct{} // a place for each page that listens
	over     chan struct{} // closed at the end of the run

	looking sync.Mutex // of snapshot and what is made of it
	encoded []byte     // the newest document; nil: none
	made    time.Time  // when it was

	mu   sync.Mutex
	news chan struct{} // closed by the next news
}

// Listen starts to serve on a loopback address, such as 127.0.0.1:0. snapshot
// returns the report so far; it is called by several goroutines, never
// concurrently.
func Listen(address string, snapshot func() *report.Report) (*Server, error) {
	if err := CheckAddress(address); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	s := &Server{
		snapshot: snapshot, token: rand.Text(), listener: listener,
		watchers: make(chan struct{}, maxWatchers), over: make(chan struct{}), news: make(chan struct{}),
	}
	s.metrics = metricsHandler(s.look)
	s.http = http.Server{
		Handler: s.guard(s.routes()), ReadHeaderTimeout: readTimeout, IdleTimeout: keepAliveTime,
		MaxHeaderBytes: maxHeader,
	}
	go s.http.Serve(listener)
	return s, nil
}

// CheckAddress refuses an address that other machines reach.
func CheckAddress(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is no address such as 127.0.0.1:8080", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not on loopback; choose 127.0.0.1, [::1] or localhost, and forward the port to watch from another machine", address)
	}
	return nil
}

// URL returns the address of the page.
func (s *Server) URL() string { return fmt.Sprintf("http://%s/%s/", s.listener.Addr(), s.token) }

// News tells the pages that the snapshot has changed. It never blocks.
func (s *Server) News() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.news)
	s.news = make(chan struct{})
}

// End tells the pages that the run has ended, gives them time to fetch how, and stops
// serving.
func (s *Server) End() error {
	close(s.over)
	s.looking.Lock()
	s.encoded = nil
	s.looking.Unlock()
	late := time.After(lastLook)
	for range maxWatchers { // whoever has all places is alone
		select {
		case s.watchers <- struct{}{}:
		case <-late:
			return s.http.Close()
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastLook)
	defer cancel()
	if err := s.http.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return s.http.Close()
}

// look returns a snapshot.
func (s *Server) look() *report.Report {
	s.looking.Lock()
	defer s.looking.Unlock()
	return s.snapshot()
}

// document returns the newest document as JSON.
func (s *Server) document() ([]byte, error) {
	s.looking.Lock()
	defer s.looking.Unlock()
	if s.encoded != nil && time.Since(s.made) < newsInterval {
		return s.encoded, nil
	}
	d := report.NewPageDocument(s.snapshot())
	select {
	case <-s.over:
	default:
		d.Live = true
	}
	var text bytes.Buffer
	if err := report.EncodePage(&text, d); err != nil {
		return nil, err
	}
	s.encoded, s.made = text.Bytes(), time.Now()
	return s.encoded, nil
}

// routes are the addresses below the token.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.servePage)
	mux.HandleFunc("GET /document", s.serveDocument)
	mux.HandleFunc("GET /events", s.serveEvents)
	mux.Handle("GET /metrics", s.metrics)
	return mux
}

// guard answers only requests to the server's own name with the token.
func (s *Server) guard(next http.Handler) http.Handler {
	prefix := "/" + s.token
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Cache-Control", "no-store")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("X-Frame-Options", "DENY")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		if host, _, err := net.SplitHostPort(r.Host); err != nil || CheckAddress(net.JoinHostPort(host, "0")) != nil {
			http.Error(w, "This server is only for this machine.", http.StatusForbidden)
			return
		}
		given := r.URL.Path
		given = given[:min(len(given), len(prefix))]
		if subtle.ConstantTimeCompare([]byte(given), []byte(prefix)) != 1 {
			http.Error(w, "The address lacks the token of this run; leveret printed the whole address when the run began.", http.StatusForbidden)
			return
		}
		http.StripPrefix(prefix, next).ServeHTTP(w, r)
	})
}

func (s *Server) servePage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	limitWrites(w)
	report.WriteLivePage(w) // an error means that the page has gone
}

func (s *Server) serveDocument(w http.ResponseWriter, _ *http.Request) {
	text, err := s.document()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	limitWrites(w)
	w.Write(text)
}

// limitWrites bounds the time that an answer takes.
func limitWrites(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout))
}

// serveEvents tells a page by Server-Sent Events [HTML, 9.2] that there is news: once
// in newsInterval at most, as long as the page takes them. After the end of the run
// it waits for the page to leave.
func (s *Server) serveEvents(w http.ResponseWriter, r *http.Request) {
	select {
	case s.watchers <- struct{}{}:
		defer func() { <-s.watchers }()
	default:
		http.Error(w, "Too many pages watch this run.", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for event := "news"; event != ""; {
		news := s.nextNews()
		if send(w, event) != nil {
			return
		}
		if event == "end" {
			<-r.Context().Done()
			return
		}
		event = s.wait(r.Context(), news)
	}
}

// send sends an event without data.
func send(w http.ResponseWriter, event string) error {
	limitWrites(w)
	if _, err := fmt.Fprintf(w, "event: %s\ndata:\n\n", event); err != nil {
		return err
	}
	return http.NewResponseController(w).Flush()
}

// nextNews returns a channel that the next news closes.
func (s *Server) nextNews() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.news
}

// wait waits for newsInterval and for news, or for the end of the run. It returns the
// event to send, none if the page has left.
func (s *Server) wait(page context.Context, news <-chan struct{}) (event string) {
	pause := make(chan struct{})
	timer := time.AfterFunc(newsInterval, func() { close(pause) })
	defer timer.Stop()
	for _, next := range []<-chan struct{}{pause, news} {
		select {
		case <-page.Done():
			return ""
		case <-s.over:
			return "end"
		case <-next:
		}
	}
	return "news"
}
