package server

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"leveret/lsp/present"
	"leveret/lsp/session"
	"leveret/solc"
)

// A shop has compilers to download. A file that says "needs 0.7.6" compiles
// only once that is installed.
type shop struct {
	workshop
	mu        sync.Mutex
	installed []string
	closed    bool // nothing can be had
}

var needsWord = regexp.MustCompile(`needs ([0-9.]+)`)

func (s *shop) config() Config {
	config := s.workshop.config("")
	config.Session.Compiler.Compile = func(ctx context.Context, source session.SourceFile) (*solc.Build, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if m := needsWord.FindSubmatch(source.Overlay[source.File]); m != nil && !slices.Contains(s.installed, string(m[1])) {
			return nil, &solc.Failure{Kind: solc.NoCompiler, File: source.File, Sentence: "no Solidity compiler was found", Remedy: "install one", Install: string(m[1])}
		}
		return s.compile(ctx, source)
	}
	config.Session.Install = func(_ context.Context, version string, progress func(string)) error {
		if s.closed {
			return errors.New("the shop is closed; come back tomorrow")
		}
		progress("1 of 1 MB")
		s.mu.Lock()
		defer s.mu.Unlock()
		s.installed = append(s.installed, version)
		return nil
	}
	return config
}

func (s *shop) sold() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.installed, " ")
}

const download = "Download solc 0.7.6"

func agree(question string) string {
	_, version, _ := strings.Cut(question, "needs solc ")
	version, _, _ = strings.Cut(version, ",")
	return "Download solc " + version
}

// The user is asked, agrees, and the file is fuzzed without another act.
func TestMissingCompilerIsDownloadedIfTheUserAgrees(t *testing.T) {
	s := new(shop)
	e := connect(t, s.config())
	e.mail.Answer(agree)
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the finding", func() bool { return len(e.found("A.sol")) == 1 && e.found("A.sol")[0].Range.Start.Line == 1 })
	if s.sold() != "0.7.6" || len(e.got().Questions) != 1 || !strings.Contains(e.got().Questions[0], "A.sol needs solc 0.7.6, which is not installed. Download it") {
		t.Errorf("installed %q, asked %q", s.sold(), e.got().Questions)
	}
	e.until("progress", func() bool {
		return slices.Contains(e.got().Progress, "begin") && slices.Contains(e.got().Progress, "end")
	})
}

// Nothing is downloaded that the user does not want, and nobody asks twice; the
// action stays.
func TestMissingCompilerIsNotDownloadedUnasked(t *testing.T) {
	for name, answer := range map[string]func(string) string{
		"not now":   func(string) string { return "Not now" },
		"dismissed": func(string) string { return "" },
		"no answer": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := new(shop)
			e := connect(t, s.config())
			e.mail.Answer(answer)
			e.start(allCapabilities, `{}`)
			e.open("A.sol", "needs 0.7.6\nbug x\n")
			e.until("the question", func() bool { return len(e.got().Questions) == 1 })
			e.save("A.sol", 2, "needs 0.7.6\n\nbug x\n")
			e.open("B.sol", "needs 0.7.6\n")
			e.until("the note", func() bool { return len(e.found("A.sol")) == 1 && len(e.found("B.sol")) == 1 })
			if s.sold() != "" || len(e.got().Questions) != 1 {
				t.Errorf("installed %q, asked %q", s.sold(), e.got().Questions)
			}
			a := e.action(download)
			if len(a.Diagnostics) != 1 || a.Command.Command != present.CommandInstallCompiler {
				t.Errorf("action %+v", a)
			}
			if _, err := e.command(a.Command.Command, "0.7.6"); err != nil {
				t.Fatal(err)
			}
			e.until("the finding", func() bool { return len(e.found("A.sol")) == 1 && e.found("A.sol")[0].Range.Start.Line == 2 })
		})
	}
}

// Each version is a question of its own, one after the other.
func TestMissingCompilersAreAskedForOneByOne(t *testing.T) {
	s := new(shop)
	e := connect(t, s.config())
	pending := 0
	e.mail.Answer(func(question string) string {
		s.mu.Lock()
		pending++
		if pending > 1 {
			t.Error("two questions at once")
		}
		s.mu.Unlock()
		defer func() {
			s.mu.Lock()
			pending--
			s.mu.Unlock()
		}()
		return agree(question)
	})
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.open("B.sol", "needs 0.6.12\nbug x\n")
	e.until("both", func() bool { return strings.Contains(s.sold(), "0.7.6") && strings.Contains(s.sold(), "0.6.12") })
	e.until("both findings", func() bool {
		return len(e.found("A.sol")) == 1 && e.found("A.sol")[0].Range.Start.Line == 1 && len(e.found("B.sol")) == 1
	})
}

func TestFailedDownloadIsTold(t *testing.T) {
	s := &shop{closed: true}
	e := connect(t, s.config())
	e.mail.Answer(agree)
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the sentence", func() bool {
		return slices.Contains(e.got().Messages, "Leveret: the shop is closed; come back tomorrow")
	})
	if m := messages(e.found("A.sol")); len(m) != 1 || !strings.Contains(m[0], "no Solidity compiler was found") {
		t.Errorf("notes %q", m)
	}
}

// A setting disables the question, but not the action.
func TestNobodyIsAskedWhoDoesNotWant(t *testing.T) {
	s := new(shop)
	e := connect(t, s.config())
	e.settings(`{"idle":false,"solc.ask":false}`)
	e.mail.Answer(agree)
	e.start(allCapabilities, `{"solc.ask":false}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the note", func() bool { return len(e.found("A.sol")) == 1 })
	e.action(download)
	if len(e.got().Questions) > 0 || s.sold() != "" {
		t.Errorf("asked %q, installed %q", e.got().Questions, s.sold())
	}
}
