// Package foundry writes a finding as a Foundry test that repeats its witness.
// The test fails on the faulty contract, and passes once the contract does the
// right thing or rejects one of the calls.
//
// A test needs no library: it includes every contract that it deploys and that
// the project lacks. It deploys from the engine's deployer with the nonces that
// the engine uses, so that all addresses are the same, in calldata too.
package foundry

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mock"
	"leveret/engine/oracle"
	"leveret/solc"
)

// File is the path of a contract's tests, relative to the root of its project.
func File(contract string) string { return solc.TestFile(contract) }

// A Contract is the contract that a finding is about.
type Contract struct {
	Name string
	Solc string // version of the compiler, "0.8.30"
}

// Test returns the file old, which may be empty, with a test for f added. It keeps
// an existing test for the same id. Start is the block at the end of the
// deployment. The error is a clause that says why f cannot become a test.
func Test(old []byte, c Contract, f finding.Finding, start input.BlockTime) ([]byte, error) {
	if f.Observable.Instead != nil {
		f.Witness = *f.Observable.Instead
	}
	t := test{contract: c, finding: f, names: input.NewNames(f.Witness.Deployment), block: start}
	if err := t.possible(); err != nil {
		return nil, err
	}
	t.function()
	if len(bytes.TrimSpace(old)) == 0 {
		return t.file(), nil
	}
	return t.insert(old)
}

// A test is a test under construction.
type test struct {
	contract Contract
	finding  finding.Finding
	check    *check
	names    *input.Names
	block    input.BlockTime
	body     bytes.Buffer
	locals   map[string]string   // by the name of a Creation
	scripted bool                // the attacker's contract has a script from an earlier transaction
	hashes   []finding.BlockHash // not yet set
}

func (t *test) printf(format string, args ...any) { fmt.Fprintf(&t.body, format, args...) }

// line writes a statement or comment of the function.
func (t *test) line(format string, args ...any) { t.printf("        "+format+"\n", args...) }

// possible chooses the check, or returns why there can be no test.
func (t *test) possible() error {
	s := &t.finding.Witness
	if s.UnderTest() == nil || len(s.Txs) == 0 {
		return errors.New("it has no witness")
	}
	if f := s.Deployment.Fork; f != nil {
		return fmt.Errorf("its witness needs a %v, which a test without an endpoint has not", f)
	}
	if first := &s.Deployment.Creations[0]; s.UnderTest().By == first.Name && solc.IsTestFile(first.File) {
		return fmt.Errorf("its state is what setUp of %s builds, which another test cannot repeat", first.Name)
	}
	for i := range s.Deployment.Creations {
		if c := &s.Deployment.Creations[i]; c.File == "" && mock.Find(c.Class()) == nil {
			return fmt.Errorf("%s is neither a contract of the project nor of Leveret", c.Name)
		}
	}
	if v := t.contract.Solc; !atLeast(v, 0, 6, 2) {
		return fmt.Errorf("tests need solc 0.6.2 or later, and the finding is from solc %s", v)
	}
	for i := range checks {
		if checks[i].fits(t) {
			t.check = &checks[i]
			return nil
		}
	}
	if o := oracle.Named(t.finding.Oracle); o != nil {
		return errors.New(o.Unexportable)
	}
	return fmt.Errorf("findings of the oracle %s cannot be checked from outside", t.finding.Oracle)
}

// atLeast reports whether a version is at least the one with the given parts.
func atLeast(version string, parts ...int) bool {
	have := strings.Split(version, ".")
	for i, want := range parts {
		n := 0
		if i < len(have) {
			n, _ = strconv.Atoi(have[i])
		}
		if n != want {
			return n > want
		}
	}
	return true
}

// name is the name of the function; it depends on the finding's id alone.
func (t *test) name() string {
	return "test_" + strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, t.finding.ID)
}

// contractName is the name of the test contract.
func (t *test) contractName() string { return t.contract.Name + "LeveretTest" }

// structs reports whether the compiler needs a pragma to decode structs.
func (t *test) structs() bool {
	return t.check.recorded && !atLeast(t.contract.Solc, 0, 8, 0)
}

// imports lists the lines before the first contract, without duplicates: a pragma
// and the imports of the deployed contracts.
func (t *test) imports() []string {
	var list []string
	if t.structs() {
		list = append(list, "pragma experimental ABIEncoderV2;")
	}
	for _, c := range t.finding.Witness.Deployment.Creations {
		if c.File == "" {
			continue
		}
		line := fmt.Sprintf("import {%s} from %s;", c.Class(), strconv.Quote(importPath(c.File)))
		if !slices.Contains(list, line) {
			list = append(list, line)
		}
	}
	return list
}

// importPath is the path of a source from the folder of the tests. Names of packages
// stay, for the project's remappings.
func importPath(file string) string {
	if strings.HasPrefix(file, "@") || path.IsAbs(file) {
		return file
	}
	return path.Join("..", file)
}

// file returns a new file with the test.
func (t *test) file() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, head, strings.Join(t.imports(), "\n"))
	p := t.pieces()
	b.WriteString(p.companions(nil))
	b.WriteString(t.suite(&p))
	return b.Bytes()
}

// suite returns the test contract with the test.
func (t *test) suite(p *pieces) string {
	return fmt.Sprintf(suiteText, t.contract.Name, t.contractName(), actorConstants(), p.helpers(nil)+t.body.String())
}

func actorConstants() string {
	var b strings.Builder
	for _, a := range input.Actors {
		fmt.Fprintf(&b, "    address constant %s = %s;\n", a, a.Address().Hex())
	}
	return b.String()
}

// head is the start of a file; %s is the imports.
const head = `// SPDX-License-Identifier: UNLICENSED
pragma solidity >=0.6.2;

%s
`

// suiteText is a test contract: the name of the contract, its own name,
// the actors, the functions.
const suiteText = `
/// Regression tests for findings of Leveret in %s. Each test fails until the
/// finding is fixed. Run them with leveret test or forge test.
contract %s {
    LeveretVm constant vm = LeveretVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

%s%s}
`
