package live

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"go.uber.org/goleak"

	"leveret/engine/finding"
	"leveret/engine/report"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A running is a run of which tests say how far it is.
type running struct {
	*Server
	inputs, looks atomic.Int64
}

// hostileName is what a project may call a file.
const hostileName = "</script>\"\n\\{x=\"1\"}"

func (r *running) report() *report.Report {
	r.looks.Add(1)
	c := report.Contract{Root: "/project", Result: finding.Result{Name: "Wallet", File: hostileName, Stats: finding.Stats{
		Inputs: int(r.inputs.Load()), Seconds: 1, Sources: map[string]finding.SourceStat{"seed": {Tried: 3, NewPaths: 2}},
	}}}
	c.Findings = []finding.Finding{{ID: "SWC-110:Wallet:1", Oracle: "assertion", Severity: finding.Error, Contract: "Wallet", Message: hostileName}}
	return &report.Report{Tool: "0.0.0", Root: "/project", Contracts: []report.Contract{c}}
}

func serve(t *testing.T) *running {
	t.Helper()
	r := &running{}
	r.inputs.Store(1)
	s, err := Listen("127.0.0.1:0", r.report)
	if err != nil {
		t.Fatal(err)
	}
	r.Server = s
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		s.http.Close()
	})
	return r
}

// get returns the answer to a request for an address, with a Host header if host is
// not empty.
func get(t *testing.T, address, host string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// Nothing is said without the token, nor under another name.
func TestToken(t *testing.T) {
	r := serve(t)
	whole := r.URL()
	base := strings.TrimSuffix(whole, r.token+"/")
	for _, row := range []struct {
		address, host string
		want          int
	}{
		{whole, "", http.StatusOK},
		{whole + "document", "localhost:80", http.StatusOK},
		{whole + "document", "[::1]:80", http.StatusOK},
		{base, "", http.StatusForbidden},
		{base + "document", "", http.StatusForbidden},
		{base + r.token[:10] + "/document", "", http.StatusForbidden},
		{base + strings.ToLower(r.token) + "/document", "", http.StatusForbidden},
		{whole + "document", "evil.example:80", http.StatusForbidden},
		{whole + "document", "127.0.0.1.evil.example:80", http.StatusForbidden},
		{whole + "document", "10.0.0.1:80", http.StatusForbidden},
		{whole + "other", "", http.StatusNotFound},
	} {
		answer, text := get(t, row.address, row.host)
		if answer.StatusCode != row.want {
			t.Errorf("%s as %q: %s, want %d", row.address, row.host, answer.Status, row.want)
		}
		if row.want != http.StatusOK && (strings.Contains(text, r.token) || strings.Contains(text, "Wallet")) {
			t.Errorf("%s as %q: the refusal says %q", row.address, row.host, text)
		}
		if answer.Header.Get("Cache-Control") != "no-store" || answer.Header.Get("Referrer-Policy") != "no-referrer" || answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v", row.address, answer.Header)
		}
	}
	answer, err := http.Post(whole+"document", "text/plain", strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %s", answer.Status)
	}
	if other := serve(t); other.token == r.token {
		t.Error("two runs have one token")
	}
}

// Only loopback is served.
func TestAddresses(t *testing.T) {
	for _, row := range []struct{ address, want string }{
		{"0.0.0.0:0", "not on loopback"}, {":0", "not on loopback"}, {"[::]:0", "not on loopback"}, {"192.0.2.1:0", "not on loopback"},
		{"example.org:0", "not on loopback"}, {"8080", "no address such as"}, {"127.0.0.1:99999999", "invalid port"},
	} {
		s, err := Listen(row.address, nil)
		if err == nil {
			s.http.Close()
		}
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %q", row.address, err, row.want)
		}
	}
}

// The page may connect to its server alone, and contains nothing of the project; the
// document is JSON whatever the project's names are.
func TestPage(t *testing.T) {
	r := serve(t)
	_, page := get(t, r.URL(), "")
	if !strings.Contains(page, "connect-src 'self'") || !strings.Contains(page, "default-src 'none'") || strings.Contains(page, "Wallet") {
		t.Errorf("the page: %.600s", page)
	}
	d := documentOf(t, r)
	if !d.Live || d.Report.Contracts[0].Stats.Inputs != 1 || d.Report.Contracts[0].File != hostileName {
		t.Errorf("%+v", d)
	}
	if _, text := get(t, r.URL()+"document", ""); strings.ContainsAny(text, "<>&") {
		t.Errorf("the document has markup: %s", text)
	}
	if looks := r.looks.Load(); looks > 2 {
		t.Errorf("%d snapshots for 2 documents within a second", looks)
	}
}

func documentOf(t *testing.T, r *running) (d report.PageDocument) {
	t.Helper()
	_, text := get(t, r.URL()+"document", "")
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return d
}

// A listener reads events.
type listener struct {
	*bufio.Scanner
	body io.Closer
}

func listen(t *testing.T, r *running) *listener {
	t.Helper()
	answer, err := http.Get(r.URL() + "events")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	return &listener{bufio.NewScanner(answer.Body), answer.Body}
}

// event returns the next event, none at the end of the stream.
func (l *listener) event() string {
	for l.Scan() {
		if name, ok := strings.CutPrefix(l.Text(), "event: "); ok {
			return name
		}
	}
	return ""
}

// Pages hear of news and of the end, can fetch the last document then, and the server
// goes when they have left.
func TestNews(t *testing.T) {
	r := serve(t)
	l := listen(t, r)
	if got := l.event(); got != "news" {
		t.Fatalf("the first event is %q", got)
	}
	r.inputs.Store(2)
	r.News()
	if got := l.event(); got != "news" {
		t.Fatalf("after news: %q", got)
	}
	documentOf(t, r)
	r.inputs.Store(3)
	ended := make(chan error, 1)
	go func() { ended <- r.End() }()
	if got := l.event(); got != "end" {
		t.Fatalf("at the end: %q", got)
	}
	if d := documentOf(t, r); d.Live || d.Report.Contracts[0].Stats.Inputs != 3 {
		t.Errorf("live %v, %d inputs", d.Live, d.Report.Contracts[0].Stats.Inputs)
	}
	l.body.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", r.listener.Addr().String()); err == nil {
		t.Error("somebody still listens")
	}
}

// A page that reads nothing, and one whose document takes long, hold nothing up.
func TestSlowPages(t *testing.T) {
	blocked, release := make(chan struct{}), make(chan struct{})
	s, err := Listen("127.0.0.1:0", func() *report.Report {
		close(blocked)
		<-release
		return &report.Report{}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.http.Close()
	c, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	io.WriteString(c, "GET /"+s.token+"/document HTTP/1.1\r\nHost: localhost:1\r\n\r\n")
	<-blocked
	for range 1000 {
		s.News()
	}
	close(release)
}

// A bounded number of pages listens at a time.
func TestWatchers(t *testing.T) {
	r := serve(t)
	var all []*listener
	for range maxWatchers {
		l := listen(t, r)
		l.event()
		all = append(all, l)
	}
	if answer, _ := get(t, r.URL()+"events", ""); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one more: %s", answer.Status)
	}
	all[0].body.Close()
	for deadline := time.Now().Add(time.Minute); len(r.watchers) == maxWatchers; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("a page that left keeps its place")
		}
	}
	if got := listen(t, r).event(); got != "news" {
		t.Errorf("after one has left: %q", got)
	}
}

// The figures are in Prometheus' format, whatever names a project has.
func TestMetrics(t *testing.T) {
	r := serve(t)
	r.inputs.Store(42)
	answer, text := get(t, r.URL()+"metrics", "")
	if answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", answer.Status, text)
	}
	label := `contract="Wallet",file="/project/</script>\"\n\\{x=\"1\"}"`
	for _, want := range []string{
		"leveret_inputs_total{" + label + "} 42\n",
		"leveret_source_inputs_total{" + label + `,source="seed"} 3` + "\n",
		`leveret_findings{oracle="assertion",severity="error"} 1` + "\n",
		"go_memstats_heap_alloc_bytes ", "process_cpu_seconds_total ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the figures lack %q", want)
		}
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}
