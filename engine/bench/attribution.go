package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/google/pprof/profile"
)

// The parts of a campaign that CPU time is attributed to.
const (
	partExecution = "execution"
	partTaint     = "taint"
	partSolving   = "solving" // making inputs of what taint runs and costs show
	partTriage    = "triage"
	partLookahead = "lookahead"
	partSelection = "selection" // sources, mutation, learning, corpus, digests
	partGC        = "GC"
	partOther     = "other" // deployment, events, the runtime
)

// parts lists them in the order of tables.
var parts = []string{partExecution, partTaint, partSolving, partTriage, partLookahead, partSelection, partGC, partOther}

// A frameRule attributes the samples below a function, method or package to a part.
// prefix is the beginning of a function's name, as profiles have it. A package
// ends with a dot, a type's methods with ").".
type frameRule struct {
	prefix, part string
}

// attribution decides which part a sample belongs to. A rule of an earlier
// group decides before those of a later one; within a group, the outermost
// frame that a rule matches decides. So what triage executes is triage, what
// the solver executes with taint is taint, what it makes of that is solving, and
// how an entry is chosen for it is selection.
var attribution = [][]frameRule{
	{
		{"runtime.gcBgMarkWorker", partGC},
		{"runtime.gcAssistAlloc", partGC},
		{"runtime.gcStart", partGC},
		{"runtime.gcMarkDone", partGC},
		{"runtime.gcMarkTermination", partGC},
		{"runtime.bgsweep", partGC},
		{"runtime.bgscavenge", partGC},
	},
	{
		{"leveret/engine/exec.(*Executor).skipKnown", partSelection}, // digests
	},
	{
		{"leveret/engine/deploy.", partOther},
		{"leveret/engine.newCampaign", partOther},
		{"leveret/engine.(*campaign).notify", partOther}, // of revision 8d1ebfc
		{"leveret/engine.(*notifier).", partOther},
		{"leveret/engine.(*worker).tally", partOther},
		{"leveret/engine.(*campaign).finish", partOther},
		{"leveret/engine.(*saver).", partOther},
		{"leveret/engine/triage.", partTriage},
		{"leveret/engine/debug.", partTriage},
		{"leveret/engine/debug/variables.", partTriage},
		{"leveret/engine/replay.", partTriage},
		{"leveret/engine/oracle.", partTriage},
		{"leveret/engine/suppress.", partTriage},
		{"leveret/engine/lookahead.", partLookahead},
		{"leveret/engine/direct.(*Lookahead).", partLookahead},
		{"leveret/engine/solve.(*Taint).", partTaint},
		{"leveret/engine/shadow.", partTaint},
		{"leveret/engine/joint.", partSolving},
		{"leveret/engine/predict.", partSolving},
		{"leveret/engine/solve.(*Jointly).", partSolving},
		{"leveret/engine/solve.(*proposals).", partSolving},
		{"leveret/engine/exec.(*Executor).", partExecution},
		{"leveret/engine/evm.(*Machine).", partExecution},
		{"leveret/engine/cover.(*Recorder).", partExecution},
	},
	{
		{"leveret/engine.", partSelection},
		{"leveret/engine/suite.", partSelection},
		{"leveret/engine/attack.", partSelection},
		{"leveret/engine/attacker.", partSelection},
		{"leveret/engine/bytecode.", partSelection},
		{"leveret/engine/cheat.", partExecution},
		{"leveret/engine/conditions.", partExecution},
		{"leveret/engine/corpus.", partSelection},
		{"leveret/engine/cover.", partSelection},
		{"leveret/engine/coverage.", partSelection},
		{"leveret/engine/demand.", partSelection},
		{"leveret/engine/direct.", partSelection},
		{"leveret/engine/evm.", partSelection},
		{"leveret/engine/exec.", partSelection},
		{"leveret/engine/finding.", partSelection},
		{"leveret/engine/foreign.", partSelection},
		{"leveret/engine/input.", partSelection},
		{"leveret/engine/plan.", partSelection},
		{"leveret/engine/bounded.", partSelection},
		{"leveret/engine/mock.", partSelection},
		{"leveret/engine/mutate.", partSelection},
		{"leveret/engine/program.", partSelection},
		{"leveret/engine/search.", partSelection},
		{"leveret/engine/solve.", partSelection},
	},
}

// partOf returns the part of a stack, outermost frame first.
func partOf(stack []string) string {
	for _, group := range attribution {
		for _, frame := range stack {
			for _, r := range group {
				if strings.HasPrefix(frame, r.prefix) {
					return r.part
				}
			}
		}
	}
	return partOther
}

// stackOf returns the functions of a sample, outermost first.
func stackOf(s *profile.Sample) (stack []string) {
	for i := len(s.Location) - 1; i >= 0; i-- {
		lines := s.Location[i].Line // innermost inlined call first
		for j := len(lines) - 1; j >= 0; j-- {
			if lines[j].Function != nil {
				stack = append(stack, lines[j].Function.Name)
			}
		}
	}
	return stack
}

// attribute returns the share of the CPU time of each part; they sum to 1.
func attribute(p *profile.Profile) (map[string]float64, error) {
	value := -1
	for i, t := range p.SampleType {
		if t.Type == "cpu" {
			value = i
		}
	}
	if value < 0 {
		return nil, fmt.Errorf("the profile has no CPU time")
	}
	shares, total := map[string]float64{}, 0.0
	for _, s := range p.Sample {
		time := float64(s.Value[value])
		shares[partOf(stackOf(s))] += time
		total += time
	}
	if total == 0 {
		return nil, fmt.Errorf("the profile has no samples")
	}
	for part := range shares {
		shares[part] /= total
	}
	return shares, nil
}

// attributeFile reads a CPU profile and attributes it.
func attributeFile(name string) (map[string]float64, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := profile.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("read the profile %s: %w", name, err)
	}
	return attribute(p)
}
