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

// A registry has compilers to download. A file with the text "needs 0.7.6"
// compiles only after that version is installed.
type registry struct {
	workshop
	mu        sync.Mutex
	installed []string
	closed    bool // every download fails
}

var needsWord = regexp.MustCompile(`needs ([0-9.]+)`)

func (s *registry) config() Config {
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

func (s *registry) installs() string {
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

// If the user agrees to the download, the server fuzzes the file without
// further input.
func TestMissingCompilerIsDownloadedIfTheUserAgrees(t *testing.T) {
	s := new(registry)
	e := connect(t, s.config())
	e.mail.Answer(agree)
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the finding", func() bool { return len(e.found("A.sol")) == 1 && e.found("A.sol")[0].Range.Start.Line == 1 })
	if s.installs() != "0.7.6" || len(e.got().Questions) != 1 || !strings.Contains(e.got().Questions[0], "A.sol needs solc 0.7.6, which is not installed. Download it") {
		t.Errorf("installed %q, asked %q", s.installs(), e.got().Questions)
	}
	e.until("progress", func() bool {
		return slices.Contains(e.got().Progress, "begin") && slices.Contains(e.got().Progress, "end")
	})
}

// Without the user's consent the server downloads nothing and does not ask
// again. The code action remains.
func TestMissingCompilerIsNotDownloadedWithoutConsent(t *testing.T) {
	for name, answer := range map[string]func(string) string{
		"not now":   func(string) string { return "Not now" },
		"dismissed": func(string) string { return "" },
		"no answer": nil,
	} {
		t.Run(name, func(t *testing.T) {
			s := new(registry)
			e := connect(t, s.config())
			e.mail.Answer(answer)
			e.start(allCapabilities, `{}`)
			e.open("A.sol", "needs 0.7.6\nbug x\n")
			e.until("the question", func() bool { return len(e.got().Questions) == 1 })
			e.save("A.sol", 2, "needs 0.7.6\n\nbug x\n")
			e.open("B.sol", "needs 0.7.6\n")
			e.until("the note", func() bool { return len(e.found("A.sol")) == 1 && len(e.found("B.sol")) == 1 })
			if s.installs() != "" || len(e.got().Questions) != 1 {
				t.Errorf("installed %q, asked %q", s.installs(), e.got().Questions)
			}
			a := e.actionAt("A.sol", 0, download)
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

// The server asks for each version separately, one question at a time.
func TestMissingCompilersAreRequestedOneByOne(t *testing.T) {
	s := new(registry)
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
	e.until("both files", func() bool {
		return strings.Contains(s.installs(), "0.7.6") && strings.Contains(s.installs(), "0.6.12")
	})
	e.until("both findings", func() bool {
		return len(e.found("A.sol")) == 1 && e.found("A.sol")[0].Range.Start.Line == 1 && len(e.found("B.sol")) == 1
	})
}

func TestFailedDownloadIsReported(t *testing.T) {
	s := &registry{closed: true}
	e := connect(t, s.config())
	e.mail.Answer(agree)
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the message", func() bool {
		return slices.Contains(e.got().Messages, "Leveret: the shop is closed; come back tomorrow")
	})
	if m := messages(e.found("A.sol")); len(m) != 1 || !strings.Contains(m[0], "no Solidity compiler was found") {
		t.Errorf("notes %q", m)
	}
}

// A setting disables the question, but not the code action.
func TestDownloadQuestionCanBeDisabled(t *testing.T) {
	s := new(registry)
	e := connect(t, s.config())
	e.settings(`{"idle":false,"solc.ask":false}`)
	e.mail.Answer(agree)
	e.start(allCapabilities, `{"solc.ask":false}`)
	e.open("A.sol", "needs 0.7.6\nbug x\n")
	e.until("the note", func() bool { return len(e.found("A.sol")) == 1 })
	e.actionAt("A.sol", 0, download)
	if len(e.got().Questions) > 0 || s.installs() != "" {
		t.Errorf("asked %q, installed %q", e.got().Questions, s.installs())
	}
}
