package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/solctest"
)

// deployOne deploys a contract of a build and describes the deployment.
func deployOne(t *testing.T, b *solc.Build, name string) (*deploy.Deployment, []string) {
	t.Helper()
	return deployWired(t, context.Background(), b, name)
}

func deployWired(t *testing.T, wiring context.Context, b *solc.Build, name string) (*deploy.Deployment, []string) {
	t.Helper()
	p, err := program.New(contract(t, b, name), b.Contracts)
	if err != nil {
		t.Fatal(err)
	}
	s, err := deploy.New(context.Background(), wiring, p, evm.NewMachine(), rand.New(rand.NewPCG(1, 2)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, s.Record.Describe()
}

// If the time of the wiring is over, the contracts stay as they are, and a campaign ends it before
// its own time is over.
func TestWiringEnds(t *testing.T) {
	var text strings.Builder
	text.WriteString("pragma solidity ^0.8.0;\ncontract Peer {}\ncontract Hub {\nuint256 n;\n")
	const setters = 30
	for i := range setters {
		fmt.Fprintf(&text, "Peer peer%[1]d; function setPeer%[1]d(Peer p) external { peer%[1]d = p; for (uint256 i; i < 30_000; i++) n = 1; }\n", i)
	}
	text.WriteString("}\n")
	b := compile(t, filepath.Join(solctest.Write(t, "Hub.sol", text.String()), "Hub.sol"))
	count := func(words []string) int {
		return strings.Count(strings.Join(words, "\n"), "deployer calls Hub.setPeer")
	}
	if _, words := deployOne(t, b, "Hub"); count(words) != setters {
		t.Errorf("%d peers are set, want %d", count(words), setters)
	}
	soon, stop := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer stop()
	if _, words := deployWired(t, soon, b, "Hub"); count(words) == setters {
		t.Error("all peers are set within 5 ms")
	}
	limited, end := context.WithTimeout(t.Context(), time.Hour)
	defer end()
	c, err := newCampaign(limited, contract(t, b, "Hub"), b.Contracts, Options{Time: 15 * time.Millisecond, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if count(c.deployed.subject.Deployment.Record.Describe()) == setters {
		t.Error("all peers are set in a campaign of 15 ms")
	}
}

func TestProxies(t *testing.T) {
	b := compile(t, "testdata/Upgradeable.sol")
	rows := map[string][]string{
		"Locked": {
			"deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000)",
			"deployer creates Locked() as LockedLogic",
			"deployer creates Locked, a proxy with the code of LockedLogic",
			"deployer calls Locked.initialize(deployer, ERC20, 10)",
		},
		"Open": {"deployer creates Open()", "deployer calls Open.initialize()"},
		"Wallet": {
			"deployer creates Wallet() as WalletLogic",
			"deployer creates Wallet, a proxy with the code of WalletLogic",
			"deployer calls Wallet.setup([deployer, user1], 1)",
		},
		"Careless": {"deployer creates Careless()"},
	}
	for name, want := range rows {
		s, words := deployOne(t, b, name)
		if !slices.Equal(words, want) {
			t.Errorf("%s:\n%s", name, strings.Join(words, "\n"))
		}
		if s.UnderTest().Contract.Name != name || s.World.Code(s.UnderTest().Address) == nil {
			t.Errorf("%s is not what is under test", name)
		}
	}
}

// A finding behind a proxy can be replayed from its text form.
func TestProxyReplay(t *testing.T) {
	b := compile(t, "testdata/Upgradeable.sol")
	r := run(t, b, "Locked", Options{MaxInputs: 3000, Seed: 1})
	found := failing(r)
	if len(found) != 1 || len(found[0].Witness.Txs) != 3 { // count starts where the initialiser just lets it
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Locked", found[0].Witness)
	r = run(t, b, "Open", Options{MaxInputs: 100, Seed: 1})
	if found = failing(r); len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Open", found[0].Witness)
}

// replayed writes a witness as text, reads it, and replays it.
func replayed(t *testing.T, b *solc.Build, name string, s input.Sequence) {
	t.Helper()
	text := input.AppendText(nil, s)
	read, err := input.ReadText(text, nil)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	again, err := Replay(context.Background(), contract(t, b, name), b.Contracts, read, Outside{}, false)
	if err != nil || len(failing(again)) == 0 {
		t.Errorf("no longer fails: %v\n%s", err, text)
	}
}

func TestFactories(t *testing.T) {
	b := compile(t, "testdata/Factories.sol")
	_, words := deployOne(t, b, "Shop")
	want := []string{"Shop creates Till", "Shop creates Till as Till2", "deployer creates Shop()"}
	if !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
	r := run(t, b, "Shop", Options{MaxInputs: 20_000, Seed: 1})
	found := failing(r)
	if len(found) != 1 || len(found[0].Witness.Txs) != 2 {
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Shop", found[0].Witness)
}

// A contract that asks its creator in its constructor is created by that, though a library has its
// code. What the creator needs has mocks at the addresses that its code names.
func TestCallback(t *testing.T) {
	b := compile(t, "testdata/Callback.sol")
	_, words := deployOne(t, b, "Bond")
	want := []string{
		"deployer creates Press()", "deployer creates Maker()",
		"deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000) at 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48, which the code names or computes",
		"deployer creates Vault()", "Maker creates Bond", "deployer calls Maker.make(Vault, 1750000001)",
	}
	for _, line := range want {
		if !slices.Contains(words, line) {
			t.Errorf("%q is not in %q", line, words)
		}
	}
	found := failing(run(t, b, "Bond", Options{MaxInputs: 3000, Seed: 1}))
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	replayed(t, b, "Bond", found[0].Witness)

	alone := contract(t, b, "Bond")
	r, err := Run(context.Background(), alone, []*solc.Contract{alone}, Options{MaxInputs: 10})
	if err != nil || !strings.HasSuffix(r.Note, "; the contract that creates it is not compiled with it: fuzz its file, too") {
		t.Errorf("%v %q", err, r.Note)
	}
}

// Two parameters of the same type get two contracts.
func TestTwins(t *testing.T) {
	_, words := deployOne(t, compile(t, "testdata/Factories.sol"), "Exchange")
	want := []string{"deployer creates Till()", "deployer creates Till() as Till2", "deployer creates Exchange(Till, Till2)"}
	if !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
}

// A note says why a contract cannot be deployed: the check that stopped the
// constructor and its place, or the missing library.
func TestUndeployable(t *testing.T) {
	b := compile(t, "testdata/Upgradeable.sol")
	r := run(t, b, "Picky", Options{MaxInputs: 10, Seed: 1})
	for _, part := range []string{"the constructor of Picky reverts with all tried arguments at testdata/Upgradeable.sol:", "\"never\")"} {
		if !strings.Contains(r.Note, part) {
			t.Errorf("%q", r.Note)
		}
	}
	linked := contract(t, b, "Linked")
	whole, err := Run(context.Background(), linked, b.Contracts, Options{MaxInputs: 10})
	if err != nil || whole.Note != "" {
		t.Errorf("%v %q", err, whole.Note)
	}
	r, err = Run(context.Background(), linked, []*solc.Contract{linked}, Options{MaxInputs: 10})
	const want = "contract Linked needs the library Sums of testdata/Upgradeable.sol, which is not part of the compilation"
	if err != nil || r.Note != want {
		t.Errorf("%v %q", err, r.Note)
	}
}

// Names of parameters select contracts, and contracts with the same address on
// every chain have that address.
func TestNamedArguments(t *testing.T) {
	b := compile(t, "testdata/Proxies.sol")
	rows := map[string][]string{
		"Proxy1967":   {"deployer creates Box()", "deployer creates Proxy1967(Box, 0x) with 1ether"},
		"BeaconProxy": {"deployer creates Box()", "deployer creates Beacon(Box)", "deployer creates BeaconProxy(Beacon, 0x) with 1ether"},
		"Router":      {"deployer creates BoxFactory()", "Router creates Box", "deployer creates Router(BoxFactory, deployer)"},
		"SafeProxy":   {"deployer creates Safe()", "deployer creates SafeProxy(Safe)"},
		"Registered":  {"deployer creates Registered()"},
	}
	for name, want := range rows {
		if _, words := deployOne(t, b, name); !slices.Equal(words, want) {
			t.Errorf("%s:\n%s", name, strings.Join(words, "\n"))
		}
	}
}

// Conditions that stop a constructor or an initialiser are solved, and other
// contracts than the likeliest are tried; failed attempts leave no contracts. Lists have
// the elements that code reads by number.
func TestSolvedConstructors(t *testing.T) {
	b := compile(t, "testdata/Picky.sol")
	rows := map[string]string{
		"Related":     "deployer creates Related(",
		"Staked":      "deployer creates Staked() with",
		"Ordered":     "deployer creates Ordered(",
		"Initialised": "deployer creates Initialised()\ndeployer calls Initialised.initialize(",
		"Street":      "deployer creates Open()\ndeployer creates Street(Open)",
		"HouseProxy":  "deployer creates Open()\ndeployer creates HouseProxy(Open, ",
		"Numbered":    "deployer creates Numbered([deployer, user1, user2, attacker], [1, 1, 1, 1])",
	}
	for name, want := range rows {
		s, words := deployOne(t, b, name)
		if got := strings.Join(words, "\n"); s == nil || !strings.HasPrefix(got, want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if found := failing(run(t, b, "Timed", Options{MaxInputs: 500, Seed: 1})); len(found) != 1 {
		t.Errorf("%d findings in Timed", len(found))
	}
	r := run(t, b, "Never", Options{MaxInputs: 10, Seed: 1})
	if !strings.HasSuffix(r.Note, `Picky.sol:110: require(a > 5 && a < 5, "never"); fuzz a contract that creates it with suitable arguments`) {
		t.Errorf("%q", r.Note)
	}
}

// A token that no actor can get is replaced by one that all actors have.
func TestBarrenToken(t *testing.T) {
	b := compile(t, "testdata/Asked.sol")
	_, words := deployOne(t, b, "Lock")
	want := []string{"deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000)", "deployer creates Lock(ERC20)"}
	if !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
	if found := failing(run(t, b, "Lock", Options{MaxInputs: 5000, Seed: 1})); len(found) != 1 {
		t.Errorf("%d findings", len(found))
	}
}

// What functions take for a transaction is deployed, though the project has a token of its own, unless
// the deployment has one: two where a function takes several. A function that is told an address wires
// contracts.
func TestTakenTokens(t *testing.T) {
	b := compile(t, "testdata/Taken.sol")
	mock := "deployer creates ERC20([deployer, user1, user2, attacker], 1000000000000000000000000000)"
	for name, want := range map[string][]string{
		"Taking":  {"deployer creates Taking()", mock},
		"Told":    {"deployer creates Told()"},
		"Having":  {"deployer creates Coin()", "deployer creates Having(Coin)"},
		"Pairing": {"deployer creates Pairing()", mock, mock + " as ERC20_2"},
		"Listing": {"deployer creates Listing()", mock, mock + " as ERC20_2"},
	} {
		if _, words := deployOne(t, b, name); !slices.Equal(words, want) {
			t.Errorf("%s: %q", name, words)
		}
	}
}

// What was deployed for the arguments of an initializer that always fails is not
// part of the deployment.
func TestFailingInitializer(t *testing.T) {
	d, got := deployOne(t, compile(t, "testdata/Launch.sol"), "Launch")
	for _, c := range d.Contracts {
		if code := d.World.Code(c.Address); code == nil || len(code.Bytes) == 0 {
			t.Errorf("%s has no code, after %q", c.Contract.Name, got)
		}
	}
	if under := d.UnderTest().Contract.Name; under != "Launch" {
		t.Errorf("%s is under test", under)
	}
}
