package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"leveret/lsp/lsptest"
)

// Limits for a session with arbitrary messages.
const (
	maxPeak     = 400     // MB of memory, with bodies of up to some MB
	maxLogBytes = 1 << 20 // of standard error
	maxNewFiles = 20
	maxRoutines = 60
)

// perSession is the maximal number of messages for one server.
const perSession = 20_000

// messages sends malformed and unexpected messages to servers.
func messages(ctx context.Context, o options) (out outcome, err error) {
	s := &messageStorm{options: o, outcome: &out, random: rand.New(rand.NewPCG(uint64(o.seed), 1))}
	out.unit = "messages"
	if err := s.prepare(); err != nil {
		return out, err
	}
	kinds := []func(context.Context, *client) error{s.mutations, s.mutations, s.mutations, s.lifecycle, s.large, s.unread}
	frames := max(20, min(300, o.trials/1000))
	for range frames {
		if err := s.brokenFrame(ctx); err != nil {
			return out, err
		}
	}
	if err := s.session(ctx, "doctors", s.doctors, "LEVERET_TOOLS="+s.tools); err != nil {
		return out, err
	}
	sessions := 0
	for ; out.trials < o.trials || sessions < len(kinds); sessions++ {
		kind := sessions % len(kinds)
		if err := s.session(ctx, fmt.Sprintf("session %d of seed %d", sessions, o.seed), kinds[kind]); err != nil {
			return out, err
		}
	}
	out.detail = fmt.Sprintf("%d servers, %d of them by broken frames, at most %d MB and %d kB of log", sessions+frames+1, frames, s.peak, s.logged>>10)
	return out, nil
}

type messageStorm struct {
	options
	*outcome
	random *rand.Rand
	bodies []string // a valid session
	peak   int      // MB, of all servers
	logged int      // bytes, at most
	expect string   // the answer to a valid request
}

// prepare writes a workspace and reads the valid messages.
func (s *messageStorm) prepare() error {
	for _, name := range []string{"A.sol", "Control.sol"} {
		text := "pragma solidity ^0.8.0;\ncontract " + strings.TrimSuffix(name, ".sol") + " {}\n"
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	uri := lsptest.URI(filepath.Join(s.dir, "A.sol"))
	for _, m := range validMessages {
		s.bodies = append(s.bodies, strings.ReplaceAll(m, "URI", uri))
	}
	return nil
}

// validMessages are what an editor sends, without what ends a session or
// downloads a compiler.
var validMessages = []string{
	`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"URI","languageId":"solidity","version":1,"text":"contract A { function f() public {} }\n"}}}`,
	`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"URI","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":5}},"text":"é😀\n"},{"text":"contract A { }"}]}}`,
	`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{"textDocument":{"uri":"URI"},"text":"contract"}}`,
	`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"URI"}}}`,
	`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"URI"},"position":{"line":0,"character":3}}}`,
	`{"jsonrpc":"2.0","id":2,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"URI"},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"context":{"diagnostics":[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"message":"x","data":{"id":"x"}}],"only":["quickfix"]}}}`,
	`{"jsonrpc":"2.0","id":3,"method":"codeAction/resolve","params":{"title":"x","data":{"id":"x"}}}`,
	`{"jsonrpc":"2.0","id":4,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"URI"}}}`,
	`{"jsonrpc":"2.0","id":5,"method":"textDocument/inlayHint","params":{"textDocument":{"uri":"URI"},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}}}}`,
	`{"jsonrpc":"2.0","id":6,"method":"textDocument/documentLink","params":{"textDocument":{"uri":"URI"}}}`,
	`{"jsonrpc":"2.0","id":7,"method":"workspace/textDocumentContent","params":{"uri":"leveret:/x.trace"}}`,
	`{"jsonrpc":"2.0","id":8,"method":"workspace/executeCommand","params":{"command":"leveret.fuzz","arguments":["URI","A",{"start":{"line":0,"character":0},"end":{"line":1,"character":0}}]}}`,
	`{"jsonrpc":"2.0","id":9,"method":"workspace/executeCommand","params":{"command":"leveret.replay","arguments":["A:1"]}}`,
	`{"jsonrpc":"2.0","id":10,"method":"workspace/executeCommand","params":{"command":"leveret.explain","arguments":["reentrancy"]}}`,
	`{"jsonrpc":"2.0","id":11,"method":"workspace/executeCommand","params":{"command":"leveret.silence","arguments":["A:1"]}}`,
	`{"jsonrpc":"2.0","id":12,"method":"workspace/executeCommand","params":{"command":"leveret.stop"}}`,
	`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{"leveret":{"budget":"2s","disable":["overflow"]}}}}`,
	`{"jsonrpc":"2.0","method":"workspace/didChangeWatchedFiles","params":{"changes":[{"uri":"URI","type":2}]}}`,
	`{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"URI/x","name":"x"}],"removed":[{"uri":"URI/x","name":"x"}]}}}`,
	`{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"verbose"}}`,
	`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}`,
	`{"jsonrpc":"2.0","method":"window/workDoneProgress/cancel","params":{"token":"leveret-1"}}`,
	`{"jsonrpc":"2.0","id":1,"result":null}`,
	`{"jsonrpc":"2.0","id":2,"error":{"code":-1,"message":"no"}}`,
}

// session runs one server, sends it messages, and then checks the promises.
func (s *messageStorm) session(ctx context.Context, name string, storm func(context.Context, *client) error, env ...string) error {
	c, err := startClient(ctx, s.options, environ(s.dir, env...), `{"idle":false}`)
	if err != nil {
		return err
	}
	defer c.Kill()
	if err := c.initialize(ctx, s.dir); err != nil {
		return err
	}
	if err := c.Open(filepath.Join(s.dir, "Control.sol"), 1, "contract Control {}\n"); err != nil {
		return err
	}
	if err := s.check(ctx, c); err != nil {
		return err
	}
	files := c.files()
	if err := storm(ctx, c); err != nil {
		s.fail("%s: %v\n%s", name, err, lastLines(c))
		return ctx.Err()
	}
	if len(env) == 0 { // no compiler is to be loaded
		if left := c.remaining(); len(left) > 0 {
			s.fail("%s: processes are left: %q", name, left)
		}
	}
	s.inspect(name, c, files)
	return s.end(ctx, name, c)
}

// inspect compares a server's resources with the limits.
func (s *messageStorm) inspect(name string, c *client, files int) {
	peak := c.peak()
	s.peak = max(s.peak, peak)
	if peak > maxPeak {
		s.fail("%s: the server took %d MB", name, peak)
	}
	if now := c.files(); now > files+maxNewFiles {
		s.fail("%s: %d files are open, %d at the start", name, now, files)
	}
	_, logged := c.stderr.read()
	s.logged = max(s.logged, logged)
	if logged > maxLogBytes {
		s.fail("%s: the log has %d bytes", name, logged)
	}
}

// end ends half of the servers by shutdown and exit, and the others by SIGQUIT
// to count their goroutines.
func (s *messageStorm) end(ctx context.Context, name string, c *client) error {
	if s.random.IntN(2) == 0 {
		if code, err := c.Quit(ctx); err != nil || code != 0 {
			s.fail("%s: exit code %d, %v", name, code, err)
		}
		return nil
	}
	n, err := c.goroutines()
	if err == nil && n > maxRoutines {
		s.fail("%s: %d goroutines", name, n)
	}
	return err
}

// check sends two valid requests. One must get the answer of a fresh server, the
// other, which depends on the progress of the analysis, a list.
func (s *messageStorm) check(ctx context.Context, c *client) error {
	text, err := s.ask(ctx, c, "workspace/executeCommand", `{"command":"leveret.explain","arguments":["reentrancy"]}`)
	if err != nil {
		return err
	}
	if s.expect == "" {
		s.expect = text
	}
	if text != s.expect {
		return fmt.Errorf("the answer to a valid request differs from a fresh server's: %.200s", text)
	}
	text, err = s.ask(ctx, c, "textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"context":{"diagnostics":[]}}`,
		lsptest.URI(filepath.Join(s.dir, "Control.sol"))))
	if err == nil && !strings.HasPrefix(text, "[") {
		err = fmt.Errorf("a valid request is answered with %.200s", text)
	}
	return err
}

// ask sends a valid request and returns the answer.
func (s *messageStorm) ask(ctx context.Context, c *client, method, params string) (string, error) {
	m, err := c.Ask(ctx, method, json.RawMessage(params))
	if err == nil && m.Error != nil {
		err = fmt.Errorf("%s", m.Error.Message)
	}
	if err != nil {
		return "", fmt.Errorf("valid request %s: %w", method, err)
	}
	return string(m.Result), nil
}

// mutations sends damaged messages in whole frames.
func (s *messageStorm) mutations(ctx context.Context, c *client) error {
	const batch = 500
	for range s.size() / batch {
		var last []string
		for range batch {
			body := s.mutate(s.bodies[s.random.IntN(len(s.bodies))])
			last = append(last, body)
			if err := c.Send(body); err != nil {
				return fmt.Errorf("after %.300q: %w", body, err)
			}
			s.outcome.trials++
		}
		if err := s.check(ctx, c); err != nil {
			s.keep(last)
			return err
		}
	}
	return nil
}

// size is how many messages one server gets.
func (s *messageStorm) size() int { return min(perSession, max(2000, s.options.trials/4)) }

// keep writes the messages that broke a server to the log.
func (s *messageStorm) keep(bodies []string) {
	for _, body := range bodies {
		fmt.Fprintf(s.log, "%.2000q\n", body)
	}
}

// lifecycle sends valid messages at the wrong time and repeatedly.
func (s *messageStorm) lifecycle(ctx context.Context, c *client) error {
	repeated := []string{
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","method":"shutdown"}`,
		`{"jsonrpc":"2.0","id":2,"method":"exit"}`,
		`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":null}}`,
		`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":12345}}`,
		`{"jsonrpc":"2.0","method":"workspace/executeCommand","params":{"command":"leveret.explain","arguments":["reentrancy"]}}`,
		`{"jsonrpc":"2.0","method":"$/unknownN","params":{}}`,
		`{"jsonrpc":"2.0","method":"unknown/N","params":{"x":"N"}}`,
		`{"jsonrpc":"2.0","id":"N","method":"unknown/N"}`,
	}
	documents := s.bodies[:4] // opened twice, closed twice, changed when not open
	for i := range s.size() {
		list := repeated
		if s.random.IntN(3) == 0 {
			list = documents
		}
		body := strings.ReplaceAll(list[s.random.IntN(len(list))], "N", fmt.Sprint(i))
		if err := c.Send(body); err != nil {
			return err
		}
		s.outcome.trials++
	}
	return s.check(ctx, c)
}

// large sends huge documents, many of them, and long lists of changes.
func (s *messageStorm) large(ctx context.Context, c *client) error {
	uri := func(i int) string { return lsptest.URI(filepath.Join(s.dir, fmt.Sprintf("Large%d.sol", i))) }
	open := func(i int, text string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"solidity","version":1,"text":"%s"}}}`, uri(i), text)
	}
	end := func(i int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":%q}}}`, uri(i))
	}
	change := func(i int, changes string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":%q,"version":2},"contentChanges":[%s]}}`, uri(i), changes)
	}
	words := make([]string, 1<<18)
	for i := range words {
		words[i] = fmt.Sprint(s.random.IntN(1000))
	}
	bodies := []string{
		open(0, strings.Repeat("contract A {} ", 1<<20)), change(0, `{"text":"contract A {}"}`), end(0), // 14 MB
		open(1, strings.Join(words[:1<<17], `\n`)), change(1, `{"text":"`+strings.Join(words[1<<17:], `\n`)+`"}`), end(1),
		open(2, "contract A {}"), change(2, strings.Repeat(`{"text":"x"},`, 20_000)+`{"text":""}`), end(2),
	}
	for i := range 500 {
		bodies = append(bodies, open(10+i, "contract A {}"))
	}
	for i := range 500 {
		bodies = append(bodies, end(10+i))
	}
	for _, body := range bodies {
		if err := c.Send(body); err != nil {
			return err
		}
		s.outcome.trials++
	}
	return s.check(ctx, c)
}

// unread sends requests without reading until the server stops reading or has
// received 10 MB, and then reads the answers.
func (s *messageStorm) unread(ctx context.Context, c *client) error {
	// This client already reads, so the trial needs another server.
	deaf, err := startClient(ctx, s.options, environ(s.dir), `{"idle":false}`)
	if err != nil {
		return err
	}
	defer deaf.Kill()
	if err := deaf.initializeBlind(s.dir); err != nil {
		return err
	}
	if err := deaf.Open(filepath.Join(s.dir, "Control.sol"), 1, "contract Control {}\n"); err != nil {
		return err
	}
	limit := min(10<<20, s.size()*1000)
	sent, wrote := make(chan int, 1), make(chan error, 1)
	go func() {
		n := 0
		for size := 0; size < limit; n++ {
			body := s.bodies[4+n%6]
			size += len(body)
			if err := deaf.Send(body); err != nil {
				wrote <- err
				return
			}
		}
		sent <- n
	}()
	time.Sleep(3 * time.Second) // by now all is sent, or the server reads no more
	if peak := deaf.peak(); peak > maxPeak/2 {
		s.fail("a client that does not read made the server take %d MB", peak)
	}
	s.peak = max(s.peak, deaf.peak())
	deaf.Listen()
	select {
	case n := <-sent:
		s.outcome.trials += n
	case err := <-wrote:
		return err
	case <-time.After(patience):
		return fmt.Errorf("the server does not continue when its client reads")
	}
	if err := s.checkDeaf(ctx, deaf); err != nil {
		return err
	}
	return s.check(ctx, c)
}

func (s *messageStorm) checkDeaf(ctx context.Context, c *client) error {
	if err := s.check(ctx, c); err != nil {
		return fmt.Errorf("after reading again: %w", err)
	}
	code, err := c.Quit(ctx)
	if err != nil || code != 0 {
		return fmt.Errorf("after reading again: exit code %d, %w", code, err)
	}
	return nil
}

// initializeBlind starts a session without reading the answer.
func (c *client) initializeBlind(dir string) error {
	if err := c.Send(fmt.Sprintf(`{"jsonrpc":"2.0","id":"initialize","method":"initialize","params":{"processId":null,"rootUri":%q,"capabilities":{}}}`, lsptest.URI(dir))); err != nil {
		return err
	}
	return c.Send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
}

// doctors sends forty doctor commands at once.
func (s *messageStorm) doctors(ctx context.Context, c *client) error {
	const at = 40
	for i := range at {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"doctor-%d","method":"workspace/executeCommand","params":{"command":"leveret.doctor","arguments":[%q]}}`, i, lsptest.URI(filepath.Join(s.dir, "A.sol")))
		if err := c.Send(body); err != nil {
			return err
		}
		s.outcome.trials++
	}
	most := 0
	for i := range at {
		if _, err := c.Answer(ctx, fmt.Sprintf(`"doctor-%d"`, i)); err != nil {
			return err
		}
		most = max(most, len(c.family()))
	}
	if most > 6 { // a compiler and its watchdog, those of the file that is open, and of the next doctor
		s.fail("%d processes ran for %d doctors", most, at)
	}
	return s.check(ctx, c)
}

// brokenFrame damages the framing: the server must report it and end.
func (s *messageStorm) brokenFrame(ctx context.Context) error {
	c, err := startClient(ctx, s.options, environ(s.dir), `{}`)
	if err != nil {
		return err
	}
	defer c.Kill()
	c.Listen()
	if s.random.IntN(2) == 0 {
		if err := c.initialize(ctx, s.dir); err != nil {
			return err
		}
	}
	damage := s.damagedFrame()
	_ = c.Write(damage) // the server may end while it reads
	c.CloseInput()
	s.outcome.trials++
	code, err := c.Exit(ctx)
	if err != nil || code != 1 {
		s.fail("after the frame %.100q and the end of input: exit code %d, %v, want 1\n%s", damage, code, err, lastLines(c))
	}
	return ctx.Err()
}

func (s *messageStorm) damagedFrame() string {
	body := s.bodies[s.random.IntN(len(s.bodies))]
	whole := lsptest.Frame(body)
	switch s.random.IntN(10) {
	case 0:
		return whole[:s.random.IntN(len(whole))]
	case 1:
		return "Content-Length: 4611686018427387904\r\n\r\n" + body
	case 2:
		return "Content-Length: -1\r\n\r\n" + body
	case 3:
		return strings.Repeat("X-Header: y\r\n", 1+s.random.IntN(10_000)) + whole
	case 4:
		return strings.Repeat("x", 1+s.random.IntN(1<<20))
	case 5:
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body)+1+s.random.IntN(1000), body)
	case 6:
		return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", max(0, len(body)-1-s.random.IntN(20)), body)
	case 7:
		return strings.ReplaceAll(whole, "\r\n", "\n") + "\x00\x00"
	case 8:
		return "\r\n\r\n" + whole
	default:
		damaged := []byte(whole)
		damaged[s.random.IntN(20)] = byte(s.random.IntN(256))
		return string(damaged)
	}
}

// mutate damages one message.
func (s *messageStorm) mutate(body string) string {
	switch s.random.IntN(10) {
	case 0, 1:
		return s.mutateBytes(body)
	case 2:
		return body[:s.random.IntN(len(body))]
	case 3:
		return "[" + body + "," + body + "]"
	case 4:
		return s.mutateURI(body)
	case 5:
		return s.mutateKind(body)
	default:
		return s.mutateTree(body)
	}
}

func (s *messageStorm) mutateBytes(body string) string {
	b := []byte(body)
	for range 1 + s.random.IntN(4) {
		at := s.random.IntN(len(b))
		switch s.random.IntN(3) {
		case 0:
			b[at] = byte(s.random.IntN(256))
		case 1:
			b = append(b[:at:at], b[min(len(b), at+1+s.random.IntN(5)):]...)
		default:
			b = append(b[:at:at], append([]byte{`{}[]",:\0é`[s.random.IntN(10)]}, b[at:]...)...)
		}
		if len(b) == 0 {
			return ""
		}
	}
	return string(b)
}

// mutateURI replaces a file's URI by a malformed one.
func (s *messageStorm) mutateURI(body string) string {
	list := []string{
		"", "file:", "file://", "file:///", "file://host/A.sol", "untitled:Untitled-1", "untitled:A.sol", "git:/A.sol?ref", "A.sol", "/A.sol",
		"file:///%2e%2e/%2F/A.sol", "file:///a%00b.sol", "file:///a%zz.sol", "file:///" + strings.Repeat("a/", 3000) + "A.sol", "file:///C:/A.sol",
		"file:///c%3A/A.sol", "http://example.org/A.sol", "file:///A.sol#x", "file:///A.sol?x", "://", "%", "file:///\\u0000.sol", "leveret:/x", "file:///dev/zero.sol",
	}
	return strings.ReplaceAll(body, lsptest.URI(filepath.Join(s.dir, "A.sol")), list[s.random.IntN(len(list))])
}

// mutateKind turns a request into a notification, or the reverse, or gives it an
// unusual id.
func (s *messageStorm) mutateKind(body string) string {
	var tree map[string]any
	if json.Unmarshal([]byte(body), &tree) != nil {
		return body
	}
	ids := []string{`null`, `1.5`, `{}`, `[]`, `""`, `9007199254740993`, `-1`, `99999999999999999999999`, `true`, `"` + strings.Repeat("x", 5000) + `"`, `1`, `1e3`}
	if s.random.IntN(3) == 0 {
		delete(tree, "id")
	} else {
		tree["id"] = json.RawMessage(ids[s.random.IntN(len(ids))])
	}
	out, _ := json.Marshal(tree)
	return string(out)
}

// mutateTree replaces, removes or duplicates a value in a message.
func (s *messageStorm) mutateTree(body string) string {
	var tree any
	if json.Unmarshal([]byte(body), &tree) != nil {
		return body
	}
	for range 1 + s.random.IntN(3) {
		tree = s.mutateNode(tree)
	}
	out, err := json.Marshal(tree)
	if err != nil {
		return body
	}
	return string(out)
}

func (s *messageStorm) mutateNode(node any) any {
	switch n := node.(type) {
	case map[string]any:
		for key, child := range n { // in any order
			switch s.random.IntN(6) {
			case 0:
				delete(n, key)
			case 1:
				n[key+"x"] = child
			case 2:
				n[key] = s.strange()
			default:
				n[key] = s.mutateNode(child)
			}
			return n
		}
	case []any:
		if len(n) > 0 && s.random.IntN(4) > 0 {
			i := s.random.IntN(len(n))
			n[i] = s.mutateNode(n[i])
			return append(n, n[i])
		}
	}
	return s.strange()
}

// strange returns an unusual value.
func (s *messageStorm) strange() any {
	list := []string{
		`null`, `true`, `""`, `[]`, `{}`, `-1`, `0`, `4294967295`, `4294967296`, `2147483648`, `-2147483649`, `9007199254740993`, `18446744073709551616`, `1.5`, `1e308`,
		`"\ud800"`, `"\udc00\ud800"`, `"\u0000"`, "\"\\uffff\u202e\"", `[[[[[[[[]]]]]]]]`, `{"a":{"a":{"a":{}}}}`, `"file:///"`, `"utf-32"`,
	}
	switch s.random.IntN(60) {
	case 0:
		return json.RawMessage(strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000))
	case 1:
		return strings.Repeat("x", 1<<s.random.IntN(21))
	case 2:
		return json.RawMessage(strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000))
	}
	return json.RawMessage(list[s.random.IntN(len(list))])
}

// lastLines returns the end of what a server wrote to standard error.
func lastLines(c *client) string {
	text, _ := c.stderr.read()
	return text[max(0, len(text)-2000):]
}
