//go:build unix

package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"leveret/lsp/settings"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// busyNode implements the protocol of a compiler in JavaScript. It writes its id to
// processes, rejects all sources, and for one with "slow" writes its id to busy and never
// answers.
const busyNode = `#!/bin/sh
cd "$5"
echo $$ >> processes
printf '{"leveret":1,"ready":true}\n'
while read -r line; do
	id=${line#*\"id\":}
	case "$line" in *slow*) echo $$ > busy.new; mv busy.new busy; sleep 1000;; esac
	echo $$ >> answered
	echo "{\"leveret\":1,\"id\":${id%%,*},\"memory\":5,\"output\":{\"errors\":[{\"severity\":\"error\",\"type\":\"TypeError\",\"message\":\"no\"}]}}"
done
`

// A save that interrupts the compilation of a file that is not open, or of a project's own
// build, is compiled by the process that compiled the last save, and the interrupted one
// ends. There are never more than one process for saves and one aside, and closing ends all.
func TestSaveFindsLoadedCompiler(t *testing.T) {
	dir := solctest.Write(t, "bin/node", busyNode, "node_modules/solc/package.json", `{"name":"solc","version":"0.8.30"}`, "node_modules/solc/soljson.js", "")
	if err := os.Chmod(filepath.Join(dir, "bin", "node"), 0o755); err != nil {
		t.Fatal(err)
	}
	solcDir := filepath.Join(dir, "node_modules", "solc")
	ids := func(name string) []string {
		text, _ := os.ReadFile(filepath.Join(solcDir, name))
		return strings.Fields(string(text))
	}
	living := func() []string {
		return slices.DeleteFunc(ids("processes"), func(id string) bool {
			pid, _ := strconv.Atoi(id)
			return solctest.Gone(pid)
		})
	}
	root := solctest.Write(t, "A.sol", "contract A {}", "Slow.sol", "contract slow {}", "B.sol", "contract B {}")
	chains := &toolchains{env: compiler.Env{Path: filepath.Join(dir, "bin"), ToolDirs: []string{dir}}}
	defer chains.close()
	source := func(name string) SourceFile {
		return SourceFile{Root: root, File: filepath.Join(root, name), Settings: settings.Settings{Fast: true}}
	}
	save := func() string {
		if _, err := chains.compile(t.Context(), source("A.sol")); err == nil {
			t.Fatal("compiled")
		}
		answered := ids("answered")
		return answered[len(answered)-1]
	}
	first := save()
	for _, own := range []bool{false, true, false} {
		slow := source("Slow.sol")
		slow.Aside, slow.Own = !own, own
		ctx, cancel := context.WithCancel(t.Context())
		left := make(chan error)
		go func() {
			_, err := chains.compile(ctx, slow)
			left <- err
		}()
		solctest.Await(func() bool { return len(ids("busy")) == 1 })
		cancel()
		<-left
		if now := save(); now != first {
			t.Errorf("own %v: the save was compiled by process %s, want %s", own, now, first)
		}
		os.Remove(filepath.Join(solcDir, "busy"))
		solctest.Await(func() bool { return slices.Equal(living(), []string{first}) })
	}
	other := source("B.sol")
	other.Aside = true
	for range 2 {
		if _, err := chains.compile(t.Context(), other); err == nil {
			t.Fatal("compiled")
		}
	}
	if got := living(); len(got) != 2 || len(ids("processes")) != 5 {
		t.Errorf("processes %q live, of %q", got, ids("processes"))
	}
	chains.close()
	solctest.Await(func() bool { return len(living()) == 0 })
}
