package editors

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// fence matches the snippets of a README.
var fence = regexp.MustCompile("(?s)```([a-z]+)\n(.*?)```")

// parsers check the snippets of each language.
var parsers = map[string]func(t *testing.T, text string){
	"json":  parseJSON,
	"toml":  parseTOML,
	"lua":   parseLua,
	"elisp": parseElisp,
	"vim":   sourceVim,
}

// The program that a README snippet is written for can parse it.
func TestSnippets(t *testing.T) {
	files, err := filepath.Glob("*/README.md")
	if err != nil || len(files) < 8 {
		t.Fatalf("%v: %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
			t.Run(filepath.Dir(file)+"/"+m[1], func(t *testing.T) {
				parse, ok := parsers[m[1]]
				if !ok {
					t.Fatalf("no parser for %s", m[1])
				}
				parse(t, m[2])
			})
		}
	}
}

func parseJSON(t *testing.T, text string) {
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Error(err)
	}
	if !strings.Contains(text, `"leveret"`) {
		t.Error("does not start leveret")
	}
}

func parseTOML(t *testing.T, text string) {
	var v map[string]any
	if err := toml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
}

// snippets returns the snippets of an editor's README.
func snippets(t *testing.T, editor string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(editor, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range fence.FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[2])
	}
	return all
}

// writeSnippet writes a snippet to a file of its own.
func writeSnippet(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func parseLua(t *testing.T, text string) {
	nvim, file := program(t, "nvim"), writeSnippet(t, "snippet.lua", text)
	out, err := exec.Command(nvim, "--clean", "--headless", "-c", "lua if not loadfile('"+file+"') then vim.cmd('cquit') end", "-c", "qa").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func parseElisp(t *testing.T, text string) {
	emacs, file := program(t, "emacs"), writeSnippet(t, "snippet.el", text)
	out, err := exec.Command(emacs, "--batch", "-Q", "--eval",
		`(with-temp-buffer (insert-file-contents "`+file+`") (emacs-lisp-mode) (check-parens) (goto-char (point-min)) (while (ignore-errors (read (current-buffer)))) (skip-chars-forward " \n") (unless (eobp) (kill-emacs 1)))`).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func sourceVim(t *testing.T, text string) {
	vim := program(t, "vim")
	file := writeSnippet(t, "snippet.vim", text)
	// An error while sourcing sets v:errmsg.
	out, err := exec.Command(vim, "-N", "-u", "NONE", "-i", "NONE", "-es", "-c", "source "+file, "-c", "if v:errmsg !=# '' | cquit | endif", "-c", "qa").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// The file for vim-lsp registers a server when vim-lsp asks for servers.
func TestVimLSP(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "autoload"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "autoload", "lsp.vim"), []byte("func! lsp#register_server(server)\n  let g:got = a:server\nendfunc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	text := "source " + absolute(t, "vim/vim-lsp.vim") + `
let g:got = {}
set runtimepath+=` + dir + `
doautocmd User lsp_setup
if get(g:got, 'name', '') !=# 'leveret' || g:got.cmd({}) != ['leveret', 'lsp'] || g:got.allowlist != ['solidity']
  cquit
endif
`
	sourceVim(t, text)
}
