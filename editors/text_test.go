package editors

import (
	"cmp"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The plugin in Neovim: diagnostics, actions, lenses, the trace in a split,
// the status line, :checkhealth. The version that is installed is tested as it
// is, and made to look like newer ones, which are started in other ways.
func TestNeovim(t *testing.T) {
	for _, like := range []string{"", "0.8", "0.11"} {
		t.Run("as "+cmp.Or(like, "it is"), func(t *testing.T) {
			nvim, d := program(t, "nvim"), set(t)
			d.env = append(d.env, "NVIM_LIKE="+like)
			s := d.run(t, nvim, "--clean", "--headless", "-c", "luafile "+absolute(t, "neovim/test.lua"), d.file)
			s.check(t)
			s.checkActions(t)
			s.checkTrace(t)
			if !slices.Equal(s.Calls, []int{8, 17}) || s.Lenses < 4 || !strings.Contains(s.Status, "finding") || !strings.Contains(s.Health, "leveret") {
				t.Errorf("calls at %v, %d lenses, status %q, health %q", s.Calls, s.Lenses, s.Status, s.Health)
			}
		})
	}
}

// leveret.el in Emacs, with each of its clients: diagnostics, actions, the
// trace.
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
		})
	}
}

// leveret.el is clean to Emacs's compiler.
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

// The configuration for ALE in Vim: diagnostics, actions, and where the
// trace is: ALE opens nothing.
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
