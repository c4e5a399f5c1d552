package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"

	"leveret/solc"
	"leveret/solc/ast"
)

// A mutant is a source with one edit.
type mutant struct {
	ID       string `json:"id"`
	Target   string `json:"target"`
	File     string `json:"file"` // below the project
	Line     int    `json:"line"`
	Operator string `json:"operator"`
	Before   string `json:"before"`
	After    string `json:"after"`
	Fate     fate   `json:"fate"`
	By       string `json:"by,omitempty"` // the unit test that kills it, or why it does not compile

	source *solc.Source
	edit   edit
	build  *solc.Build // of a survivor that was planted and not searched yet; may be nil
}

// A fate is what becomes of a mutant before its tests are searched.
type fate string

const (
	survives fate = "survives" // all unit tests pass as before
	killed   fate = "killed"   // by a unit test
	equal    fate = "equal"    // to the original, in all code but metadata
	invalid  fate = "invalid"  // it does not compile
)

// text is the source with the edit.
func (m *mutant) text() []byte {
	text := m.source.Text
	return slices.Concat(text[:m.edit.start], []byte(m.edit.text), text[m.edit.end:])
}

// plant lists all mutants of some sources of a build in random order, so that
// each beginning is spread over operators and sources.
func plant(target string, build *solc.Build, sources []*solc.Source, name func(*solc.Source) string, seed uint64) []*mutant {
	functions := names(build)
	var buckets [][]*mutant
	random := rand.New(rand.NewPCG(seed, 1))
	for _, o := range operators {
		for _, s := range sources {
			var bucket []*mutant
			for _, n := range s.Unit.Root.Find(o.types...) {
				if n.Function() == nil {
					continue
				}
				p := &place{n, s.Text, functions}
				for _, e := range o.edits(p) {
					bucket = append(bucket, newMutant(target, name(s), o.name, s, e))
				}
			}
			random.Shuffle(len(bucket), func(i, j int) { bucket[i], bucket[j] = bucket[j], bucket[i] })
			buckets = append(buckets, bucket)
		}
	}
	random.Shuffle(len(buckets), func(i, j int) { buckets[i], buckets[j] = buckets[j], buckets[i] })
	return interleave(buckets)
}

// interleave takes one of each list in turn.
func interleave(lists [][]*mutant) (all []*mutant) {
	for i, more := 0, true; more; i++ {
		more = false
		for _, list := range lists {
			if i < len(list) {
				all, more = append(all, list[i]), true
			}
		}
	}
	return all
}

func newMutant(target, file, operator string, s *solc.Source, e edit) *mutant {
	hash := sha256.Sum256(fmt.Appendf(nil, "%s %d %d %s", file, e.start, e.end, e.text))
	return &mutant{
		ID: target + "-" + hex.EncodeToString(hash[:4]), Target: target, File: file, Operator: operator,
		Line: s.Lines.OffsetPosition(e.start).Line, Before: string(s.Text[e.start:e.end]), After: e.text,
		source: s, edit: e,
	}
}

// names are the names of the functions and enum values of a build.
func names(build *solc.Build) map[string]bool {
	all := map[string]bool{}
	for _, s := range build.Sources {
		if s == nil {
			continue
		}
		for _, n := range s.Unit.Root.Find(ast.FunctionDefinition, ast.EnumValue) {
			all[n.Name()] = true
		}
	}
	delete(all, "")
	return all
}
