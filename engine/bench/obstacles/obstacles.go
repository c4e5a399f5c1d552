// Package obstacles generates small contracts with one assertion that can fail,
// behind an obstacle of one class: conditions that hold only together, answers of
// called contracts, senders, unasked ether, nested encodings, long exact
// sequences. A seed draws the variant of the class and the constants.
package obstacles

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Contract is the name of the generated contracts.
const Contract = "Obstacle"

// Sizes are the names of the sizes, the smallest first.
var Sizes = []string{"small", "medium", "large"}

// A Class is a kind of obstacle.
type Class struct {
	Name     string
	variants []variant
}

// A variant writes the members of a contract for a size from 0. mark is the
// statement that a witness reaches. least is the number of transactions of the
// shortest witness.
type variant func(d *draw, size int, mark string) (members string, least int)

// Classes are the classes, in the order of tables.
var Classes = []Class{
	{"joint", []variant{linear, ordered, sums, products, inverses}},
	{"answers", []variant{twoAnswers, answerOfArgument, reentrant, viewAnswers, roundAnswers, storedAnswer, phases, chained, answeredCallback}},
	{"senders", []variant{senderInCode, senderInStorage, recovered}},
	{"ether", []variant{unaskedEther, exactEther}},
	{"nested", []variant{bytesInBytes, multicall, forwarded, packed, typedData, timelocked, proxied, batched}},
	{"sequences", []variant{counter, turns, dial, toggles, lock, queue, pairs, quorum, handshakes}},
}

// An Obstacle is a generated contract.
type Obstacle struct {
	Source string // in Solidity
	Line   int    // of the assertion, from 1
	Least  int    // transactions of the shortest witness
}

// assertion is the statement that a witness reaches.
const assertion = "assert(false);"

// New generates an obstacle. Consecutive seeds have the variants of the class in
// turn. mark is the statement in place of the assertion; empty: assert(false).
func New(c Class, size int, seed uint64, mark string) Obstacle {
	if mark == "" {
		mark = assertion
	}
	d := &draw{Rand: rand.New(rand.NewPCG(seed, uint64(size)))}
	members, least := c.variants[seed%uint64(len(c.variants))](d, size, mark)
	o := Obstacle{Least: least}
	var text strings.Builder
	text.WriteString("// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n\n")
	if strings.Contains(members, "Quoted(") {
		text.WriteString(quoted)
	}
	text.WriteString("contract " + Contract + " {\n")
	for line := range strings.Lines(strings.TrimSpace(members) + "\n") {
		text.WriteString("    " + line)
	}
	text.WriteString("}\n" + d.others)
	o.Source = text.String()
	before, _, _ := strings.Cut(o.Source, mark)
	o.Line = 1 + strings.Count(before, "\n")
	return o
}

// quoted is the interface of contracts that are asked.
const quoted = `interface Quoted {
    function quote(uint256 id) external view returns (uint256);
    function round() external view returns (uint80, int256, uint256, uint256, uint80);
}

`

// A draw draws constants.
type draw struct {
	*rand.Rand
	others string // contracts beside the obstacle
}

// between draws a number from low to high.
func (d *draw) between(low, high int) int { return low + d.IntN(high-low+1) }

// word draws a literal with so many random bytes.
func (d *draw) word(bytes int) string {
	var text strings.Builder
	for range bytes {
		fmt.Fprintf(&text, "%02x", d.between(1, 255))
	}
	return "0x" + text.String()
}

// account draws the number of an account; zeros in front make it a number for the
// compiler, which wants the checksums of addresses.
func (d *draw) account() string { return "0x00" + strings.TrimPrefix(d.word(20), "0x") }

// names lists n names that start with a letter.
func names(letter string, n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprint(letter, i))
	}
	return list
}

// parameters lists parameters of one type.
func parameters(kind string, list []string) string {
	return kind + " " + strings.Join(list, ", "+kind+" ")
}

// nested writes conditions as nested branches around the mark.
func nested(conditions []string, mark string) string {
	return fmt.Sprintf("if (%s) {\n    %s\n}", strings.Join(conditions, ") if ("), mark)
}
