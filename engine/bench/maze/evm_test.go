package maze

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/solc"
)

// maxCode is the limit of deployed code, in bytes (EIP-170).
const maxCode = 24_576

// TestWitnessesInEVM executes the witnesses of compiled mazes: each assertion
// fails, at its own line, and mazes stay below the limit of code.
func TestWitnessesInEVM(t *testing.T) {
	for _, name := range SizeNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := New(1, Sizes[name])
			text, lines := m.Source(Style{Contract: "Maze"})
			build := compile(t, text)
			contract := searchtest.Contract(t, build, "Maze")
			if size := len(contract.Runtime.Object); size > maxCode && Sizes[name].Assertions < Sizes["huge"].Assertions {
				t.Errorf("%d bytes of code", size)
			}
			got := failedLines(t, contract, build, m)
			want := slices.Clone(lines)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("assertions fail at lines %v, want %v", got, want)
			}
		})
	}
}

// compile compiles a source without the optimiser.
func compile(t *testing.T, text string) *solc.Build {
	t.Helper()
	root := t.TempDir()
	file := filepath.Join(root, "src", "Maze.sol")
	config := "[profile.default]\nsolc = \"0.8.30\"\noptimizer = false\n"
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{file: text, filepath.Join(root, "foundry.toml"): config} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return searchtest.Compile(t, file)
}

// failedLines executes the witnesses and nothing else, and returns the lines of
// the assertions that fail.
func failedLines(t *testing.T, contract *solc.Contract, build *solc.Build, m *Maze) (lines []int) {
	t.Helper()
	deployment := deploymentOf(t, contract, build)
	options := engine.Options{MaxInputs: 1, Oracles: []string{"assertion"}, Observe: func(e engine.Event) {
		if e.Kind == engine.EventGone {
			t.Errorf("the witness of assertion %d fails nothing", e.Index)
		}
	}}
	for _, calls := range m.Witnesses {
		options.Known = append(options.Known, sequence(t, deployment, calls))
	}
	result, err := engine.Recheck(context.Background(), contract, build.Contracts, options)
	if err != nil || result.Note != "" {
		t.Fatal(err, result)
	}
	for _, f := range result.Findings {
		lines = append(lines, f.Place.Start.Line)
	}
	slices.Sort(lines)
	return lines
}

// deploymentOf returns the deployment of campaigns on a contract.
func deploymentOf(t *testing.T, contract *solc.Contract, build *solc.Build) (d *input.Deployment) {
	t.Helper()
	_, err := engine.Run(context.Background(), contract, build.Contracts, engine.Options{
		MaxInputs: 1, Executed: func(s input.Sequence) { d = s.Deployment },
	})
	if err != nil || d == nil {
		t.Fatal("nothing was deployed", err)
	}
	return d
}

// sequence returns calls as transactions.
func sequence(t *testing.T, d *input.Deployment, calls []Call) input.Sequence {
	t.Helper()
	s := input.Sequence{Deployment: d}
	for _, c := range calls {
		types := strings.TrimSuffix(strings.Repeat("uint64,", len(c.Arguments)), ",")
		f, err := input.ParseSignature(FunctionName(c.Function) + "(" + types + ")")
		if err != nil {
			t.Fatal(err)
		}
		tx := input.Tx{From: input.User1, To: d.Creations[len(d.Creations)-1].Address, Function: f}
		for i, word := range c.Arguments {
			tx.Args = append(tx.Args, input.Value{Type: f.Inputs[i].Type, Word: *uint256.NewInt(word)})
		}
		s.Txs = append(s.Txs, tx)
	}
	return s
}
