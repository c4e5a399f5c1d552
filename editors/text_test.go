package editors

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The Neovim plugin shows diagnostics, actions, lenses, the traces of a finding and of
// a test in a split, the status line and :checkhealth. The test runs the installed version, the
// same with the API of 0.8, and the versions of newer.sh. What it passes to nvim-dap is
// checked with the adapter; NVIM_DAP names a folder with nvim-dap to step in instead, which
// needs Neovim 0.11.
func TestNeovim(t *testing.T) {
	for _, way := range []struct{ program, like string }{{"nvim", ""}, {"nvim", "0.8"}, {newer + "nvim", ""}, {newer + "nvim-latest", ""}} {
		t.Run(way.program+" as "+cmp.Or(way.like, "it is"), func(t *testing.T) {
			nvim, d := program(t, way.program), set(t)
			d.env = append(d.env, "NVIM_LIKE="+way.like)
			s := d.run(t, nvim, "--clean", "--headless", "-c", "luafile "+absolute(t, "neovim/test.lua"), d.file)
			s.check(t)
			s.checkActions(t)
			s.checkTrace(t)
			s.checkTest(t)
			if os.Getenv("NVIM_DAP") == "" {
				s.checkDebug(t, d)
			}
			if !slices.Equal(s.Calls, []int{8, 17}) || s.Lenses < 4 || !strings.Contains(s.Status, "finding") || !strings.Contains(s.Health, "leveret") {
				t.Errorf("calls at %v, %d lenses, status %q, health %q", s.Calls, s.Lenses, s.Status, s.Health)
			}
		})
	}
}

// Helix with the configuration of its README shows the sign and message of a
// finding, actions and the trace. It runs in Neovim's terminal.
func TestHelix(t *testing.T) {
	helix, nvim, d := program(t, "hx"), program(t, "nvim"), set(t)
	if err := os.MkdirAll(filepath.Join(d.home, "helix"), 0o700); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"languages.toml", "config.toml"} {
		if err := os.WriteFile(filepath.Join(d.home, "helix", name), []byte(snippets(t, "helix")[i]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(d.leveret, filepath.Join(d.home, "leveret")); err != nil {
		t.Fatal(err)
	}
	d.env = append(d.env, "HELIX="+helix, "PATH="+d.home+string(os.PathListSeparator)+os.Getenv("PATH"))
	s := d.run(t, nvim, "--clean", "--headless", "-c", "luafile "+absolute(t, "helix/test.lua"))
	s.check(t)
	s.checkActions(t)
	s.checkTrace(t)
}

// leveret.el shows diagnostics, actions and the traces of a finding and of a test with both LSP clients of
// Emacs.
func TestEmacs(t *testing.T) {
	for _, client := range []string{"eglot", "lsp-mode"} {
		t.Run(client, func(t *testing.T) {
			emacs := program(t, "emacs")
			if exec.Command(emacs, "--batch", "-Q", "-l", absolute(t, "emacs/packages.el"), "-l", client).Run() != nil {
				need(t, client+", a package of Emacs")
			}
			d := set(t)
			d.env = append(d.env, "CLIENT="+client)
			s := d.run(t, emacs, "--batch", "-Q", "-l", absolute(t, "emacs/packages.el"), "-l", absolute(t, "emacs/leveret.el"), "-l", absolute(t, "emacs/test.el"))
			s.check(t)
			s.checkActions(t)
			s.checkTrace(t)
			s.checkTest(t)
			s.checkDebug(t, d)
		})
	}
}

// leveret.el compiles without warnings.
func TestEmacsCompiles(t *testing.T) {
	emacs := program(t, "emacs")
	dest := t.TempDir() + "/leveret.elc"
	out, err := exec.Command(emacs, "--batch", "-Q", "--eval", "(setq byte-compile-error-on-warn t byte-compile-dest-file-function (lambda (_) "+quoted(dest)+"))",
		"-f", "batch-byte-compile", absolute(t, "emacs/leveret.el")).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func quoted(s string) string { return `"` + s + `"` }

// ALE in Vim with its configuration shows diagnostics, actions and the path of
// the trace. ALE cannot open documents.
func TestVim(t *testing.T) {
	program(t, "vim")
	script, d := program(t, "script"), set(t)
	if exec.Command("vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "-c", "packadd ale", "-c", "if exists(':ALELint') != 2 | cquit | endif", "-c", "qa").Run() != nil {
		need(t, "ALE, a plugin of Vim")
	}
	command := "vim -u NONE -i NONE -N -T dumb -S " + absolute(t, "vim/test.vim") + " " + d.file
	s := d.run(t, script, "-qec", command, "/dev/null")
	s.check(t)
	s.checkActions(t)
	s.checkTrace(t)
}
