package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
)

// Constructor arguments that the project lacks are mocks: different tokens, a
// collection, wrapped ether, a vault. Other ones are the attacker contract.
func TestMocks(t *testing.T) {
	b := compile(t, "testdata/Needs.sol")
	p, err := program.New(contract(t, b, "Needs"), b.Contracts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := deploy.New(context.Background(), context.Background(), p, evm.NewMachine(), rand.New(rand.NewPCG(1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range s.Record.Creations {
		names = append(names, c.Name)
	}
	want := []string{"ERC20", "ERC20_2", "ERC20_3", "ERC721", "WETH", "ERC20_4", "ERC4626", "Own", "Needs"}
	slices.Sort(names)
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%v", names)
	}
	feed := s.Record.Creations[len(s.Record.Creations)-1].Args[5]
	if feed.Word.Bytes20() != input.Attacker.Address() {
		t.Errorf("the feed is %v", feed)
	}
	for _, c := range s.Callees(p) {
		if f := c.Function; c.Contract.Name == "ERC20" && f.Name != "transfer" && f.Name != "approve" {
			t.Errorf("transactions call %s of a mock", f.Signature)
		}
	}
}

// An address is a contract where a library takes it for one, or a base contract that keeps
// it does, also in structs. What others make of it or of a result does not count. Lists have
// the elements that a base constructor reads.
func TestAddressesAreContractsWhereTakenForThem(t *testing.T) {
	b := compile(t, "testdata/Needs.sol")
	for name, want := range map[string]string{
		"Halved":    "Halved([(ERC20, deployer), (ERC20_2, deployer)], ERC721, deployer)",
		"Possessed": "Possessed(deployer)",
		"Calling":   "Calling((Own))",
		"Holding":   "Holding((deployer))",
		"Derived":   "Derived([deployer, user1, user2, attacker, deployer])",
	} {
		_, words := deployOne(t, b, name)
		if len(words) == 0 || words[len(words)-1] != "deployer creates "+want {
			t.Errorf("%s: %q, want %s", name, words, want)
		}
	}
}

// A mock may lack getters of a type, such as those of constants, that no code calls.
func TestMissingGetters(t *testing.T) {
	b := compile(t, "testdata/Needs.sol")
	for name, want := range map[string][]string{
		"Saver":  {"deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000)", "deployer creates Saver(ERC20)"},
		"Reader": {"deployer creates Reader(attacker)"},
	} {
		if _, words := deployOne(t, b, name); !slices.Equal(words, want) {
			t.Errorf("%s:\n%s", name, strings.Join(words, "\n"))
		}
	}
}

// A mock supports the interfaces that constructors ask for (ERC-165), and does not support
// the one that is invalid.
func TestInterfaces(t *testing.T) {
	b := compile(t, "testdata/Interfaces.sol")
	for _, name := range []string{"Plain", "Known", "Converted"} {
		_, words := deployOne(t, b, name)
		if last := words[len(words)-1]; !strings.HasPrefix(last, "deployer creates "+name+"(Answers") {
			t.Errorf("%s:\n%s", name, strings.Join(words, "\n"))
		}
	}
}

// A dependency without a mock answers with generated words, which are part of the
// witness.
func TestMockedAnswers(t *testing.T) {
	b := compile(t, "testdata/Needs.sol")
	r := run(t, b, "Dependent", Options{MaxInputs: 5000, Seed: 1})
	found := failing(r)
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	script := found[0].Witness.Last().Script
	if script == nil || len(script.Answers) == 0 || script.Answers[0][0].Uint64() != 123456789 {
		t.Errorf("%s", found[0].Message)
	}
}
