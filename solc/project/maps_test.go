package project

import (
	"fmt"
	"path/filepath"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
	"leveret/solc/srcmap"
)

// Contracts that others create, which others create in turn, have source maps of their own code.
func TestMapsOfCreatedContracts(t *testing.T) {
	const body = `
	mapping(address => uint256) public balance;
	function pay(address to, uint256 amount) external { balance[to] += amount; }
`
	const text = `pragma solidity >=0.5.0 <0.8.0;
contract Token {` + body + `}
contract Shop { Token public token = new Token();` + body + `}
contract Mall { Shop public shop = new Shop(); }
`
	env := realTools(t)
	for _, release := range []string{"0.5.16", "0.6.12", "0.7.6"} {
		root := solctest.Write(t, "foundry.toml", fmt.Sprintf("[profile.default]\noptimizer = true\nsolc = %q\n", release), "src/Mall.sol", text)
		p := open(t, root, env)
		p.KeepOutput = true
		b, err := p.Compile(t.Context(), []string{filepath.Join(root, "src/Mall.sol")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		kept, err := solc.ReadOutput(b.Output, map[string]*solc.Source{"src/Mall.sol": b.Sources[0]})
		if err != nil {
			t.Fatal(err)
		}
		for name, b := range map[string]*solc.Build{"build": b, "kept output": kept} {
			if wrong := b.Misfits(); wrong != nil {
				t.Errorf("%s, %s: the maps of %v are of other code", release, name, wrong)
			}
			if b.Sources[0].Unit == nil || b.Contract("Mall") == nil || !b.Contract("Mall").Deployable() {
				t.Errorf("%s, %s: something is lost", release, name)
			}
		}
		for _, name := range []string{"Token", "Shop"} {
			code := b.Contract(name).Runtime
			maps := srcmap.NewInstructions(code.Object, code.Map)
			for i := range maps.Count() {
				pc, _ := maps.IndexPC(i)
				const sstore = 0x55
				if at, _ := maps.PCSpan(pc); code.Object[pc] == sstore && text[at.Start:at.End()] != "balance[to] += amount" {
					t.Errorf("%s, %s: %q stores", release, name, text[at.Start:at.End()])
				}
			}
		}
	}
}
