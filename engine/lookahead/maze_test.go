package lookahead

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

func call(selector []byte, args ...uint64) []byte {
	input := common.CopyBytes(selector)
	for _, x := range args {
		b := uint256.NewInt(x).Bytes32()
		input = append(input, b[:]...)
	}
	return input
}

// mazeRun is one call of run(w, x, y, z, a) and its analysis.
func mazeRun(t *testing.T, w *world, a *Analyzer, at common.Address, selector []byte, args ...uint64) Result {
	t.Helper()
	frames := w.call(common.Address{1}, at, call(selector, args...), 10_000_000)
	if len(a.targets) == 0 {
		w.teach(a)
		var targets []Target
		for id, code := range w.codes {
			for _, pc := range panicSites(code, panicAssert) {
				targets = append(targets, Target{id, pc})
			}
		}
		if len(targets) == 0 {
			t.Fatal("no assertion found")
		}
		a.SetTargets(targets)
	}
	return a.Analyze(frames[len(frames)-1].trace)
}

// TestMaze is the paper's running example (section III): once ret is constant
// no assertion of the even branch can fail, so all of its paths have one of
// two lookahead ids (or the same one, where it shows that both loops end with
// equality whatever ret is); that of the other branch can fail until it is
// passed.
func TestMaze(t *testing.T) {
	for _, c := range contracts(t, "LoopMaze") {
		t.Run(c.name(), func(t *testing.T) {
			w := newWorld()
			at, _, err := w.create(common.Address{1}, unhex(t, c.Creation))
			if err != nil {
				t.Fatal(err)
			}
			w.codes, w.ids = nil, nil
			selector := c.selectors(t)[0]
			a := &Analyzer{}
			run := func(args ...uint64) Result { return mazeRun(t, w, a, at, selector, args...) }

			ids := map[ID]bool{}
			for i := range uint64(60) {
				r := run(i*37, 2*i, i, i*91+5, i)
				if !r.Proper {
					t.Fatalf("run %d: a target seems ahead of the loops", i)
				}
				ids[r.ID] = true
			}
			if len(ids) > 2 {
				t.Errorf("%d lookahead ids for the even branch, want at most 2: ret is 256 or 257", len(ids))
			}
			odd := run(1, 1, 1, 1, 1)
			if ids[odd.ID] {
				t.Error("the odd branch has a lookahead id of the even one")
			}
			even := run(0, 0, 0, 0, 0)
			long := run(200, 0, 0, 0, 0)
			if even.ID != long.ID || even.Instructions != long.Instructions {
				t.Error("the loop is part of the prefix")
			}
			failed := run(0, 1, 0, 0, 42)
			if failed.ID == odd.ID {
				t.Error("a failing run has the lookahead id of one that passes")
			}
			t.Logf("prefix of %d instructions, odd %d; %+v", even.Instructions, odd.Instructions, a.Stats)
		})
	}
}

// TestMazeBlind: without the analysis each path is its own prefix.
func TestMazeBlind(t *testing.T) {
	for _, c := range contracts(t, "LoopMaze") {
		if !strings.Contains(string(c.Settings), "true") {
			continue
		}
		w := newWorld()
		at, _, err := w.create(common.Address{1}, unhex(t, c.Creation))
		if err != nil {
			t.Fatal(err)
		}
		w.codes, w.ids = nil, nil
		a := &Analyzer{Blind: true}
		ids := map[ID]bool{}
		for i := range uint64(20) {
			r := mazeRun(t, w, a, at, c.selectors(t)[0], i, 0, 0, 0, 0)
			if r.Proper {
				t.Fatal("proved something")
			}
			ids[r.ID] = true
		}
		if len(ids) != 20 {
			t.Errorf("%d lookahead ids for 20 paths", len(ids))
		}
	}
}
