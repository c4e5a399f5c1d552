package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// editsPerServer is the number of edits and saves per server.
const editsPerServer = 2500

// editSettings give campaigns little time, but several times what their shallow
// findings take, so that a loaded machine finds them too.
const editSettings = `{"idle":false,"budget":"2s","trusted":true}`

// runEdits edits and saves files at random and ends with their original texts.
// The server must then show the same as a fresh one with the same corpus.
func runEdits(ctx context.Context, o options) (outcome, error) {
	result := outcome{unit: "edit-saves"}
	servers, compared, differ := 0, 0, 0
	for result.trials < o.trials {
		n := min(editsPerServer, o.trials-result.trials)
		round := editRound{options: o, files: min(len(editTexts), 3+n/20), saves: n, seed: uint64(o.seed)*1000 + uint64(servers)}
		round.dir = filepath.Join(o.dir, fmt.Sprint("server", servers))
		differences, saved, err := round.run(ctx)
		result.trials += saved
		if err != nil {
			return result, err
		}
		servers++
		compared += round.files
		differ += len(differences)
		for _, d := range differences {
			result.fail("%s (seed %d, round %d, %d edit-saves)", d, o.seed, servers, n)
		}
	}
	result.detail = fmt.Sprintf("%d servers, %d of %d files differ from a fresh one", servers, differ, compared)
	return result, nil
}

// An editRound is the life of one server.
type editRound struct {
	options
	files, saves int
	seed         uint64
}

// run edits in one server, opens the files in a fresh one, and returns the
// differences, one sentence for each file, and the number of saves.
func (r *editRound) run(ctx context.Context) (differ []string, saved int, err error) {
	names := slices.Sorted(maps.Keys(editTexts))[:r.files]
	home, second := filepath.Join(r.dir, "home"), filepath.Join(r.dir, "second")
	got, saved, err := r.shown(ctx, home, names, func(w *writer) error {
		random := rand.New(rand.NewPCG(r.seed, 1))
		if err := w.storm(random, names, r.saves-2*r.files); err != nil {
			return err
		}
		return w.takeBack(random, names)
	})
	if err != nil {
		return nil, 0, err
	}
	fmt.Fprintf(r.log, "edits: after %d edit-saves, the server %s\n", r.saves, describe(got))
	if err := os.CopyFS(second, os.DirFS(home)); err != nil && !os.IsNotExist(err) {
		return nil, 0, err
	}
	want, _, err := r.shown(ctx, second, names, func(*writer) error { return nil })
	if err != nil {
		return nil, 0, err
	}
	fmt.Fprintf(r.log, "edits: a fresh server %s\n", describe(want))
	return differences(names, got, want), saved, nil
}

// shown opens the files in a server, calls edit, and returns what the server
// shows of each file in the end, and the number of saves.
func (r *editRound) shown(ctx context.Context, home string, names []string, edit func(*writer) error) (map[string][]string, int, error) {
	workspace := filepath.Join(r.dir, "workspace")
	if err := os.MkdirAll(workspace, 0o700); err != nil {
		return nil, 0, err
	}
	w, err := startWriter(ctx, r.leveret, r.tools, home, workspace)
	if err != nil {
		return nil, 0, err
	}
	defer w.Kill()
	for _, name := range names {
		if err := w.open(name, editTexts[name]); err != nil {
			return nil, 0, err
		}
	}
	if err := edit(w); err != nil {
		return nil, 0, err
	}
	shown, err := w.rest(names)
	if err == nil {
		_, err = w.Quit(ctx) // the exit code is not a promise of this storm
	}
	return shown, w.saved, err
}

func describe(shown map[string][]string) string {
	findings := 0
	for _, lines := range shown {
		for _, line := range lines {
			if strings.HasPrefix(line, "finding") {
				findings++
			}
		}
	}
	return fmt.Sprintf("shows %d findings in %d files", findings, len(shown))
}

func differences(names []string, got, want map[string][]string) (list []string) {
	for _, name := range names {
		if slices.Equal(got[name], want[name]) {
			continue
		}
		var more, less []string
		for _, line := range got[name] {
			if !slices.Contains(want[name], line) {
				more = append(more, line)
			}
		}
		for _, line := range want[name] {
			if !slices.Contains(got[name], line) {
				less = append(less, line)
			}
		}
		list = append(list, fmt.Sprintf("%s shows %q, which a fresh server does not, and lacks %q", name, more, less))
	}
	return list
}

// storm edits and saves, mostly faster than the compiler can run.
func (w *writer) storm(r *rand.Rand, names []string, saves int) error {
	clip := ""
	for range saves {
		name := names[r.IntN(len(names))]
		for range 1 + r.IntN(3) {
			if err := w.edit(name, w.mutate(r, name, &clip)); err != nil {
				return err
			}
		}
		if err := w.save(name, w.texts[name]); err != nil {
			return err
		}
		pause := time.Duration(r.IntN(4)) * time.Millisecond
		switch r.IntN(100) {
		case 0: // some campaigns come to an end
			pause = time.Duration(500+r.IntN(3000)) * time.Millisecond
		case 1, 2, 3, 4, 5, 6, 7, 8: // some compilations
			pause = time.Duration(20+r.IntN(100)) * time.Millisecond
		}
		time.Sleep(pause)
	}
	return nil
}

// takeBack restores the original texts of all files. When their results are
// known, it edits each file once more and undoes that edit.
func (w *writer) takeBack(r *rand.Rand, names []string) error {
	for _, name := range names {
		if err := w.save(name, editTexts[name]); err != nil {
			return err
		}
	}
	if _, err := w.rest(names); err != nil {
		return err
	}
	clip := ""
	for _, name := range names {
		change := w.edit
		if r.IntN(2) == 0 {
			change = w.save
		}
		err := change(name, w.mutate(r, name, &clip))
		time.Sleep(time.Duration(r.IntN(300)) * time.Millisecond)
		if err = errors.Join(err, w.save(name, editTexts[name])); err != nil {
			return err
		}
	}
	return nil
}

// mutate returns a plausible edit of a file's text.
func (w *writer) mutate(r *rand.Rand, name string, clip *string) string {
	text := w.texts[name]
	lines := strings.SplitAfter(text, "\n")
	at := r.IntN(len(lines))
	for range 3 { // rather where something is shown
		if strings.Contains(lines[at], "assert") || strings.Contains(lines[at], "7") {
			break
		}
		at = r.IntN(len(lines))
	}
	join := func(line string) string {
		return strings.Join(lines[:at], "") + line + strings.Join(lines[at+1:], "")
	}
	switch r.IntN(10) {
	case 0: // taken back
		return editTexts[name]
	case 1, 2: // a letter
		n := r.IntN(len(lines[at]) + 1)
		return join(lines[at][:n] + "x" + lines[at][n:])
	case 3, 4: // cut
		*clip = lines[at]
		return join("")
	case 5: // paste
		return join(*clip + lines[at])
	case 6:
		return join("    // é 😀\n" + lines[at])
	case 7:
		return join("/*\n" + *clip + "*/\n" + lines[at])
	case 8: // broken, often
		return join(strings.TrimRight(lines[at], ";{}\n") + "\n")
	case 9: // other code
		return strings.Replace(text, "7", "8", 1)
	}
	return text + "contract Extra" + fmt.Sprint(r.IntN(10)) + " { function f(uint8 x) external pure { assert(x != 3); } }\n"
}

const editHead = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n"

// editTexts are small contracts, most of them with findings that every campaign
// finds.
var editTexts = map[string]string{
	"Assert.sol":  editHead + "contract Assert {\n    function f(uint256 x) external pure {\n        assert(x != 7);\n    }\n}\n",
	"Two.sol":     editHead + "contract Two {\n    uint256 n;\n    function f(uint8 x) external {\n        n = x;\n        assert(x < 200);\n        assert(n != 7);\n    }\n}\n",
	"State.sol":   editHead + "contract State {\n    uint256 step;\n    function first() external {\n        step = 1;\n    }\n    function second() external {\n        if (step == 1) {\n            step = 2;\n        }\n        assert(step != 2);\n    }\n}\n",
	"Base.sol":    editHead + "abstract contract Base {\n    function low(uint8 x) internal pure {\n        assert(x > 7);\n    }\n}\n",
	"Heir.sol":    editHead + "import \"./Base.sol\";\ncontract Heir is Base {\n    function f(uint8 x) external pure {\n        low(x);\n    }\n}\n",
	"Sister.sol":  editHead + "import {Base} from \"./Base.sol\";\ncontract Sister is Base {\n    function g(uint8 x) external pure {\n        if (x != 7) {\n            low(x);\n        }\n    }\n}\n",
	"Pair.sol":    editHead + "contract Left {\n    function f(bool b) external pure {\n        assert(b);\n    }\n}\n\ncontract Right {\n    function f(bool b) external pure {\n        assert(b);\n    }\n}\n",
	"Clean.sol":   editHead + "contract Clean {\n    uint256 public n;\n    function f(uint256 x) external {\n        require(x < 7);\n        n = x;\n    }\n}\n",
	"Windows.sol": strings.ReplaceAll(editHead+"contract Windows {\n    // é 😀\n    function f(uint8 x) external pure {\n        /* 😀 */ assert(x != 7); // why\n    }\n}\n", "\n", "\r\n"),
	"Divide.sol":  editHead + "contract Divide {\n    function f(uint8 x) external pure returns (uint8) {\n        return 7 / x;\n    }\n}\n",
	"Array.sol":   editHead + "contract Array {\n    uint8[3] a;\n    function f(uint8 i) external {\n        a[i] = 7;\n    }\n    function g(uint8 i) external view {\n        assert(a[i % 3] != 7);\n    }\n}\n",
	"Empty.sol":   editHead + "interface Empty {\n    function f() external;\n}\n",
}

// shownLines returns what a client shows of a file. It must be the same in every
// server with the same results for the same text.
func shownLines(diagnostics []editDiagnostic, symbols []editSymbol) (lines []string) {
	for _, d := range diagnostics {
		stale := ""
		if strings.HasPrefix(d.Message, "edited since") {
			stale = ", stale"
		}
		lines = append(lines, fmt.Sprintf("finding %s at %v, severity %d%s", d.Code, d.Range, d.Severity, stale))
	}
	for _, s := range symbols {
		lines = append(lines, fmt.Sprintf("%s at %v is %s", s.Name, s.Range, s.State))
	}
	slices.Sort(lines)
	return lines
}
