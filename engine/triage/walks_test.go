package triage

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
)

// published are contracts of npm packages, by file; compilers from 0.5 on, with and
// without the optimiser.
var published = []struct{ file, name string }{
	{"Token.sol", "Token"}, {"Pair.sol", "Pair"}, {"Crowdsale5.sol", "Crowdsale5"}, {"OldToken.sol", "OldToken"}, {"SolmateToken.sol", "SolmateToken"},
	{"Splitter.sol", "Splitter"}, {"Timelock.sol", "Timelock"}, {"Items.sol", "Items"}, {"Voting.sol", "Voting"}, {"Authority.sol", "Authority"},
}

const publishedFolder = "../../solc/testdata/npm/contracts"

// anyCalls returns a sequence of random calls.
func anyCalls(all *triaging, r *rand.Rand) input.Sequence {
	s := input.Sequence{Deployment: all.Subject.Deployment.Record}
	for range 1 + r.IntN(4) {
		s.Txs = append(s.Txs, all.Generator.NewTx(all.Generator.Callee().Callee))
	}
	return s
}

// bothWays walks from the first position of a granularity to the last one and back, into
// calls and over them, and returns how many steps there were. Both walks must pass the
// same positions.
func bothWays(t testing.TB, r *debug.Recording) (steps int) {
	t.Helper()
	session := r.NewSession(t.Context())
	defer session.Close()
	for _, g := range []debug.Granularity{debug.ByStatement, debug.ByLine, debug.ByInstruction} {
		for name, pair := range map[string][2]func(debug.Granularity) (bool, error){
			"into calls": {session.StepIn, session.BackIn}, "over calls": {session.Next, session.Back},
		} {
			first := debug.Position(0)
			if g != debug.ByInstruction {
				first = r.NewSession(t.Context()).Position()
			}
			if err := session.Goto(first); err != nil {
				t.Fatal(err)
			}
			forward := walked(t, session, pair[0], g, r.Len()+1)
			if err := session.Goto(forward[len(forward)-1]); err != nil {
				t.Fatal(err)
			}
			back := walked(t, session, pair[1], g, r.Len()+1)
			slices.Reverse(back)
			if !slices.Equal(forward, back) {
				t.Fatalf("granularity %d, %s: forwards %v\nbackwards %v", g, name, forward, back)
			}
			if !slices.IsSorted(forward) {
				t.Fatalf("positions are not in order: %v", forward)
			}
			steps += len(forward)
		}
	}
	return steps
}

// inSource checks the stops of steps into calls: each is where a statement of the source
// begins, none in code that the compiler made. It returns how many there were.
func inSource(t testing.TB, r *debug.Recording, most int) (stops int) {
	t.Helper()
	session := r.NewSession(t.Context())
	defer session.Close()
	if err := session.Goto(0); err != nil {
		t.Fatal(err)
	}
	lines := map[string][]int{}
	for ; stops < most; stops++ {
		if moved, err := session.StepIn(debug.ByStatement); err != nil || !moved {
			return stops
		}
		stack, err := session.Stack()
		if err != nil {
			t.Fatal(err)
		}
		place := stack[0].Place
		if lines[place.Path] == nil {
			lines[place.Path] = r.Lines(place.Path)
		}
		if _, found := slices.BinarySearch(lines[place.Path], place.Start.Line); !found {
			t.Fatalf("stopped in %s at %s:%d, where no statement begins", stack[0].Name, place.Path, place.Start.Line)
		}
	}
	return stops
}

// walks records runs of published contracts and walks them both ways.
func walks(t *testing.T, contracts, runs int) {
	r := rand.New(rand.NewPCG(1, 42))
	recordings, steps, stops := 0, 0, 0
	folder, err := filepath.Abs(publishedFolder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range published[:contracts] {
		all := newTriagingOf(t, searchtest.Compile(t, filepath.Join(folder, c.file)), c.name)
		for range runs / contracts {
			recorded := recorded(t, all.tracer(), anyCalls(all, r), finding.Finding{})
			steps += bothWays(t, recorded)
			stops += inSource(t, recorded, 100)
			recordings++
		}
	}
	t.Logf("%d recordings, %d steps in each direction; %d stops are statements of the source", recordings, steps, stops)
}

// Walks forwards and backwards through published contracts pass the same positions.
func TestWalks(t *testing.T) { walks(t, 1, 20) }

// The same on 1,000 runs.
func TestWalksLong(t *testing.T) {
	solctest.Long(t)
	walks(t, len(published), 1000)
}
