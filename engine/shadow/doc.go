// Package shadow watches a transaction and knows, for every word, where it
// came from: which comparison made it, which inputs flowed into it, and which
// conditions decided that it was computed at all.
//
// An Observer mirrors the EVM's stack, memory, storage, transient storage,
// calldata and return data of every frame with references to shadow words.
// A shadow word is a node of a graph that lives for one transaction: an
// opcode, references to its operands, its concrete value as the machine had
// it, and three interned sets of sources: those that flow into the value
// (byte by byte, so that packed variables stay apart), those that chose the
// place it was read from, and those that decided by control flow. What
// outlives the transaction, the provenance of storage, is in a State.
//
// On that graph rest:
//   - Conditions: for every JUMPI an expression tree over the comparisons
//     that made its condition, with concrete operands, and the cost of either
//     outcome [HARVEY 4.3].
//   - Resolver: where a cheap observer that keeps no graph finds the operands
//     of a jump's condition, statically per basic block or learned from
//     shadow runs.
//   - Flows: linear relations of a word to one input, for direct substitution.
//   - Events for oracles, and marks that an oracle puts on a word in order to
//     hear later which sinks it reached.
//   - Preimages of keccak hashes and calls of the ecrecover precompile.
//
// What flows is exact to the byte for copies, masks, shifts and packed
// variables; any other instruction lets its operands flow into all of its
// result. A write to a place that an input chose says so of what was written,
// not of what stayed as it was elsewhere. Control dependence rests on static
// post-dominators within a function, found from return addresses that a block
// leaves on the stack; where that fails, a branch counts as deciding until its
// frame ends. Which branch decided a pushed boolean is inferred (infer.go).
//
// Measured on 2026-11-21, on two shared cores: a loop of 100,000 instructions
// takes 8-15 times as long as unwatched and twice as long as with an empty
// hook; calls of some hundred instructions 8-32 times as long as unwatched;
// 14 kB of code that are new cost 2 ms (go test -bench . ./engine/shadow).
//
// The package knows no source code, no search and no oracle, and it steers
// nothing.
package shadow
