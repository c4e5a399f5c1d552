package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"

	"leveret/engine"
	"leveret/engine/bench/subject"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// digest runs a campaign with one worker and returns a row of tab-separated
// values: contract, seed, hash of every executed input in order, coverage,
// number and hash of the findings. It ignores messages, so that rewording them
// changes no digest.
func digest(ctx context.Context, s subject.Subject, v variant, seed uint64, inputs int) (string, error) {
	executed := fnv.New64a()
	options := engine.Options{
		Seed: seed, MaxInputs: inputs, Workers: 1,
		Executed: func(s input.Sequence) { writeUint64(executed, input.Digest(s)) },
	}
	v.change(s.Contract, &options)
	result, err := engine.Run(ctx, s.Contract, s.Project, options)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%s, seed %d: %w", s.Name, seed, err)
	case result.Stats.Inputs == 0:
		return "", fmt.Errorf("%s was not fuzzed: %s", s.Name, result.Note)
	}
	return fmt.Sprintf("%s\t%d\t%016x\t%s\t%d\t%016x", s.Name+v.name, seed, executed.Sum64(),
		coverage(&result.Stats), len(result.Findings), digestFindings(result.Findings)), nil
}

// A variant is a configuration of campaigns.
type variant struct {
	name   string // appended to the contract's
	seeds  int    // at most; 0: all
	change func(*solc.Contract, *engine.Options)
}

var variants = []variant{
	{"", 0, func(*solc.Contract, *engine.Options) {}},
	{" directed", 1, func(c *solc.Contract, o *engine.Options) { o.Lines = lastFunction(c) }},
	{" without demand", 1, func(_ *solc.Contract, o *engine.Options) { o.NoDemand = true }},
	{" without prediction", 1, func(_ *solc.Contract, o *engine.Options) { o.NoPrediction, o.Lookahead = true, engine.LookaheadOff }},
}

// lastFunction returns the lines of the last function of a contract.
func lastFunction(c *solc.Contract) []engine.Lines {
	functions := c.Build.Trees().Functions(c.Node, false)
	if len(functions) == 0 {
		return nil
	}
	last := functions[len(functions)-1]
	return []engine.Lines{{File: c.Build.SpanSource(last.Span).Name, Spans: []srcmap.Span{last.Span}}}
}

// coverage returns inputs, transactions, paths, covered instructions and
// covered branches.
func coverage(s *finding.Stats) string {
	return fmt.Sprintf("%d %d %d %d %d/%d", s.Inputs, s.Transactions, s.Paths, s.Instructions.Covered, s.Jumps.Covered, s.Jumps.Seen)
}

func digestFindings(list []finding.Finding) uint64 {
	h := fnv.New64a()
	for i := range list {
		f := &list[i]
		fmt.Fprintln(h, f.ID, f.Oracle, f.Severity, f.Function, f.Place.File, f.Place.Span.Start, f.Place.Span.Length, f.Inputs)
		writeUint64(h, input.Digest(f.Witness))
	}
	return h.Sum64()
}

func writeUint64(h hash.Hash, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	h.Write(b[:])
}
