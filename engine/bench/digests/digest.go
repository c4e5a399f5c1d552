package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"hash/fnv"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// digest runs a campaign with one worker and returns what it did as a row of
// tab-separated values: contract, seed, hash of every executed input in order,
// coverage, number and hash of the findings. Messages do not count, so that
// rewording them changes no digest.
func (s subject) digest(ctx context.Context, seed uint64, inputs int) (string, error) {
	executed := fnv.New64a()
	result, err := engine.Run(ctx, s.contract, s.project, engine.Options{
		Seed: seed, MaxInputs: inputs, Workers: 1,
		Executed: func(s input.Sequence) { writeUint64(executed, input.Digest(s)) },
	})
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("%s, seed %d: %w", s.name, seed, err)
	case result.Stats.Inputs == 0:
		return "", fmt.Errorf("%s was not fuzzed: %s", s.name, result.Note)
	}
	return fmt.Sprintf("%s\t%d\t%016x\t%s\t%d\t%016x", s.name, seed, executed.Sum64(),
		coverage(&result.Stats), len(result.Findings), digestFindings(result.Findings)), nil
}

// coverage returns inputs, transactions, paths, covered instructions and
// covered branches.
func coverage(s *finding.Stats) string {
	return fmt.Sprintf("%d %d %d %d %d/%d", s.Inputs, s.Transactions, s.Paths, s.Instructions.Covered, s.Branches.Covered, s.Branches.Seen)
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
