package triage

import (
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
)

// hints tell from a run without oracles which of them may report something about it.
type hints struct {
	oracles []*oracle.Oracle
	traits  oracle.Traits        // of the deployed contracts' sources
	locks   func(*evm.Code) bool // see oracle.WhatIf
	seen    oracle.Observation   // of the running input, see of
}

// observation returns what the hints of oracles decide by.
func (h *hints) observation(txs []input.Tx, before, after *evm.World, status evm.Status, run *cover.Run) oracle.Observation {
	return oracle.Observation{
		Txs: txs, Before: before, After: after, Status: status, Suspicion: run.Suspicion,
		Failures: run.Failures, AllFailures: run.AllFailures(), Writes: run.Writes, AllWrites: run.AllWrites(),
		Sources: h.traits, Locks: h.locks,
	}
}

// of returns the oracles that may have something to report about r.
func (h *hints) of(r *search.Result) (list []*oracle.Oracle) {
	if len(h.oracles) == 0 { // as for tests: an observation takes memory for every input
		return nil
	}
	h.seen = h.observation(r.Sequence.Txs, r.Before(), r.After, r.Outcome.Status, &r.Run)
	for _, o := range h.oracles {
		if o.Hint(&h.seen) {
			list = append(list, o)
		}
	}
	return list
}

// locksOf returns a function that reports whether code cannot send wei.
func locksOf(m *cover.Map) func(*evm.Code) bool {
	known := map[*evm.Code]bool{}
	return func(code *evm.Code) bool {
		locks, ok := known[code]
		if !ok {
			locks = !program.CanSendEther(m.Bytecode(code))
			known[code] = locks
		}
		return locks
	}
}
