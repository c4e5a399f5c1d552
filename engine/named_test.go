package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/program"
)

// Where the code has addresses of contracts of the main chain, mocks take their places:
// a token, and one that answers by the interfaces that are called there.
func TestNamedContracts(t *testing.T) {
	b := compile(t, "testdata/Named.sol")
	var got []string
	for _, n := range program.NamedContracts(contract(t, b, "Buyer")) {
		got = append(got, n.Address.Hex()+" "+strings.Join(n.Types, ", "))
	}
	want := []string{"0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 contract ICoin", "0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5 contract IShop"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	s, words := deployOne(t, b, "Buyer")
	for _, line := range []string{
		"deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000) at 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48, which the code names or computes",
		"deployer creates Answers() at 0xB53C1a33016B2DC2fF3653530bfF1848a515c8c5, which the code names or computes",
		"deployer creates Buyer()",
	} {
		if !slices.Contains(words, line) {
			t.Errorf("%q is not in %q", line, words)
		}
	}
	if friend := s.World.Code(common.HexToAddress("0x27182842E098f60e3D576794A5bFFb0777E025d3")); friend != nil && len(friend.Bytes) > 0 {
		t.Error("a recipient of ether is a contract")
	}
}

// Predeployed contracts of rollups are named in libraries and files, and the optimizer computes
// their addresses. Code of a library that the contract does not use names nothing.
func TestNamedByLibraries(t *testing.T) {
	for _, settings := range []string{
		"optimizer = false\n", "optimizer = true\noptimizer_runs = 1\n", "optimizer = true\noptimizer_runs = 400\n", "optimizer = true\nvia_ir = true\n",
	} {
		b := compileWith(t, "[profile.default]\nsrc = \".\"\n"+settings, "testdata/Named.sol")
		var got []string
		for _, n := range program.NamedContracts(contract(t, b, "Rollup")) {
			got = append(got, n.Address.Hex()+" "+strings.Join(n.Types, ", "))
		}
		want := []string{
			"0x0000000000000000000000000000000000000064 contract IClock", "0x4200000000000000000000000000000000000006 contract INative",
			"0x4300000000000000000000000000000000000002 contract IYield",
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", settings, got)
		}
		found := failing(run(t, b, "Rollup", Options{MaxInputs: 2000, Seed: 1}))
		if len(found) != 1 || found[0].Contract != "Rollup" {
			t.Errorf("%s: %d findings", settings, len(found))
		}
	}
}

// What needs such a mock is found, and replayed from its text form.
func TestNamedReplay(t *testing.T) {
	b := compile(t, "testdata/Named.sol")
	r := run(t, b, "Buyer", Options{MaxInputs: 2000, Seed: 1})
	found := failing(r)
	if len(found) != 1 || found[0].Place.Start.Line != 38 {
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Buyer", found[0].Witness)
	if r.Stats.Instructions.Covered*10 < r.Stats.Instructions.Total*9 {
		t.Errorf("%d of %d instructions ran", r.Stats.Instructions.Covered, r.Stats.Instructions.Total)
	}
}

// Functions that only such a contract may call are called by its mock, as are those that
// only a mock of the deployment may call. An assertion then fails with a word about the
// sender; what else they ask for is a note.
func TestMocksSend(t *testing.T) {
	b := compile(t, "testdata/Named.sol")
	r := run(t, b, "Asker", Options{MaxInputs: 3000, Seed: 1})
	found := failing(r)
	if len(found) != 1 || found[0].Oracle != "assertion" || found[0].Function != "onSold(uint256)" {
		t.Fatalf("%d findings: %+v", len(found), found)
	}
	last := found[0].Related[len(found[0].Related)-1]
	if !strings.Contains(last.Message, "the sender has to be Answers, which stands for a contract outside of the project") {
		t.Errorf("%q", last.Message)
	}
	replayed(t, b, "Asker", found[0].Witness)
	if r.Stats.Instructions.Covered*10 < r.Stats.Instructions.Total*9 {
		t.Errorf("%d of %d instructions ran", r.Stats.Instructions.Covered, r.Stats.Instructions.Total)
	}
}

// A witness lists mocks at named addresses only if it or the deployment asks them.
func TestWitnessesNameMocksTheyAsk(t *testing.T) {
	b := compile(t, "testdata/Named.sol")
	r := run(t, b, "Chooser", Options{MaxInputs: 3000, Seed: 1})
	want := map[string][]string{
		"none(uint256)": {"Chooser"},
		"coin(uint256)": {"Chooser", "ERC20"},
		"both(uint256)": {"Answers", "Chooser", "ERC20"},
		"code(uint256)": {"Answers", "Chooser"},
	}
	for _, f := range failing(r) {
		var names []string
		for _, c := range f.Witness.Deployment.Creations {
			names = append(names, c.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, want[f.Function]) {
			t.Errorf("%s: %q, want %q", f.Function, names, want[f.Function])
		}
		replayed(t, b, "Chooser", f.Witness)
		delete(want, f.Function)
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
}
