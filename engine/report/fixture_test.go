package report

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/solc"
	"leveret/solc/srcmap"
)

const walletText = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Wallet {
	mapping(address => uint256) größe; unit total; // tab and umlaut before the mark
    function take(address payable to, uint256 amount) external {
        assert(
            amount < 5
        );
    }
}
`

func method(t testing.TB, signature string, names ...string) *input.Function {
	t.Helper()
	f, err := input.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range names {
		f.Inputs[i].Name = name
	}
	return f
}

func word(f *input.Function, i int, n uint64) input.Value {
	return input.NewWord(f.Inputs[i].Type, uint256.NewInt(n))
}

func place(line, column, endLine, endColumn int) finding.Place {
	return finding.Place{File: "src/Wallet.sol", Path: "/project/src/Wallet.sol", Span: srcmap.Span{Start: 100*line + column, Length: 100*(endLine-line) + endColumn - column},
		Start: srcmap.Position{Line: line, Column: column}, End: srcmap.Position{Line: endLine, Column: endColumn}}
}

// witness uses everything that a Sequence can hold.
func witness(t testing.TB) input.Sequence {
	wallet, token := common.HexToAddress("0xaa"), common.HexToAddress("0xbb")
	create := method(t, "constructor(address,int64)")
	take := method(t, "take(address,uint256)", "to", "amount")
	set := method(t, "set((bool,bytes4)[],string,bytes)", "pairs", "label", "data")
	again := input.Tx{From: input.Attacker, To: wallet, Function: take, Args: []input.Value{input.NewAddress(wallet), word(take, 1, 3)}}
	pair := set.Inputs[0].Type.Elem
	minus := new(uint256.Int).SetAllOne()
	return input.Sequence{
		Deployment: &input.Deployment{Creations: []input.Creation{
			{Name: "Token", Address: token},
			{Name: "Wallet", File: "src/Wallet.sol", Address: wallet, Value: *uint256.NewInt(1_500_000_000_000_000_000),
				Args: []input.Value{input.NewAddress(token), input.NewWord(create.Inputs[1].Type, minus)}},
		}},
		Txs: []input.Tx{
			{From: input.User1, To: wallet, Function: set, Args: []input.Value{
				{Type: set.Inputs[0].Type, Elems: []input.Value{{Type: pair, Elems: []input.Value{
					input.NewWord(pair.Fields[0].Type, uint256.NewInt(1)),
					input.NewWord(pair.Fields[1].Type, new(uint256.Int).SetBytes(common.RightPadBytes([]byte{1, 2, 3, 4}, 32))),
				}}}},
				{Type: set.Inputs[1].Type, Data: []byte("a \"b\"\n")},
				{Type: set.Inputs[2].Type, Data: make([]byte, 100)},
			}},
			{From: input.User2, To: token, Function: method(t, "receive()"), Value: *uint256.NewInt(7), Delay: input.Delay{Blocks: 12, Seconds: 144}},
			{From: input.Deployer, To: wallet, Function: method(t, "fallback()"), Data: []byte{1, 2}, Delay: input.Delay{Seconds: 90_061}},
			{From: input.Attacker, To: wallet, Function: take, Args: []input.Value{input.NewAddress(input.User2.Address()), word(take, 1, math.MaxUint64)},
				Script: &input.Script{Mode: input.Reenter, Calls: []input.Reentry{{Tx: again, Times: 2}}, Answers: [][]uint256.Int{{*uint256.NewInt(1)}}}},
		},
	}
}

// explored covers the function of Wallet, but one outcome of its condition.
func explored(t testing.TB) *finding.CoverageReport {
	return &finding.CoverageReport{
		Files: []finding.FileCoverage{{File: "src/Wallet.sol", Path: "/project/src/Wallet.sol",
			Lines:    []finding.LineCoverage{{Line: 5, Total: 3}, {Line: 6, Covered: 9, Total: 9, Hits: 12}, {Line: 7, Covered: 4, Total: 8, Hits: 3}},
			Branches: []finding.BranchCoverage{{Line: 7, Span: srcmap.Span{Start: strings.Index(walletText, "assert"), Length: 33}, Outcomes: [2]finding.BranchOutcome{{Taken: true}, {}}}},
		}},
		Functions: []finding.FunctionCoverage{{Function: method(t, "take(address,uint256)"), Inputs: 123456, Paths: 37}},
	}
}

// calls is a trace with everything that one can have.
func calls() []replay.Node {
	at := place(6, 5, 6, 18)
	return []replay.Node{
		{Text: "1. user1 calls Wallet.set()"},
		{Text: "2. user2 calls Wallet.take(to: user2, amount: 7)", Place: &at, After: []string{"moved 1 wei: user2 → Wallet"},
			Nodes: []replay.Node{{Text: "sends 1 wei to user2", Place: &at, Nodes: []replay.Node{{Text: "reverts: <b>no</b>", Here: "assertion"}}}}},
	}
}

// inherited is the result of a contract that inherits from Wallet: the assertion of
// sample, with a longer witness, and a payment that two oracles describe.
func inherited(t testing.TB) Contract {
	w := witness(t)
	w.Txs = append(w.Txs, w.Txs[3])
	found := func(id, oracle string, severity finding.Severity, at finding.Place) finding.Finding {
		return finding.Finding{ID: id, Oracle: oracle, Severity: severity, Message: oracle + " shows", Contract: "Vault", Place: at, Witness: w, Inputs: 2, Seconds: 1}
	}
	payment := found("SWC-134:Vault:03", "gasless-send", finding.Warning, place(6, 5, 6, 18))
	payment.Cause = "unchecked-call"
	return Contract{
		Result: finding.Result{
			Name: "Vault", File: "src/Vault.sol", Stats: finding.Stats{Inputs: 10, Seconds: 1},
			Findings: []finding.Finding{
				payment,
				found("SWC-104:Vault:02", "unchecked-call", finding.Warning, place(6, 5, 6, 18)),
				found("SWC-110:Vault:01", "assertion", finding.Error, place(7, 9, 9, 10)),
			},
		},
		Root: "/project", Texts: map[string][]byte{"src/Wallet.sol": []byte(walletText)},
	}
}

// sample is a Report with everything in it that can be in one.
func sample(t testing.TB) *Report {
	w := witness(t)
	return &Report{
		Tool: "0.0.0", Root: "/project", Seed: 7, Block: input.BlockTime{Number: 1, Timestamp: 1000},
		Run: Run{Revision: "abc", Started: time.Unix(1000, 0).UTC(), Seconds: 10, Workers: 2, Settings: []Setting{{Name: "time", Value: "10s"}},
			Team: []Worker{{ID: "W1", Threads: 2, Contract: "Bank", Rate: 1234.5, Waiting: 3, Problem: "<b>no room</b>"}}},
		Contracts: []Contract{
			{
				Result: finding.Result{
					Name: "Wallet", File: "src/Wallet.sol",
					Findings: []finding.Finding{
						{ID: "none:Wallet:01", Oracle: "arbitrary-write", Severity: finding.Information, Message: "`größe` can be <b>anything</b>", Contract: "Wallet",
							Function: "take(address,uint256)", Place: place(5, 30, 5, 35), Witness: input.Sequence{Deployment: w.Deployment, Txs: w.Txs[3:]}, Inputs: 1, Seconds: 0.001},
						{ID: "SWC-110:Wallet:4f2a", Oracle: "assertion", SWC: "SWC-110", Severity: finding.Error, Message: "the assertion `amount < 5` fails", Contract: "Wallet",
							Function: "take(address,uint256)", Place: place(7, 9, 9, 10), Witness: w, Inputs: 12345, Seconds: 12.5,
							Evidence: []finding.Evidence{{Name: "left", Value: "18446744073709551615"}, {Name: "right", Value: "5"}},
							Related:  []finding.Related{{Place: place(6, 5, 6, 18), Message: "called here"}}},
					},
					Stats: finding.Stats{Inputs: 123456, Transactions: 234567, Paths: 37, Instructions: finding.Coverage{Covered: 412, Total: 500},
						Branches: finding.Coverage{Covered: 14, Total: 17}, Seconds: 10, Unconfirmed: 1},
					Coverage: explored(t),
				},
				Traces:   map[string][]replay.Node{"SWC-110:Wallet:4f2a": calls()},
				Curve:    Curve{Samples: []Sample{{Seconds: 1, Inputs: 1000, Paths: 3, Instructions: 40, Branches: 2}, {Seconds: 10, Inputs: 123456, Paths: 37, Instructions: 412, Branches: 14, Findings: 2}}},
				Root:     "/project",
				Compiler: Compiler{Version: "0.8.30", Optimizer: true, OptimizerRuns: 200},
				Texts:    map[string][]byte{"src/Wallet.sol": []byte(walletText)},
				Blocker:  &Blocker{Source: &solc.Source{Path: "/project/src/Wallet.sol"}, File: "src/Wallet.sol", Line: 6, Condition: "amount < 5", Inputs: 1234},
			},
			inherited(t),
			{Kind: "interface", Result: finding.Result{Name: "IWallet", File: "src/IWallet.sol", Note: "IWallet is an interface and has no code; fuzz a contract that implements it"}},
		},
	}
}
