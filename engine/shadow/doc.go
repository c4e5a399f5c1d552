// Package shadow tracks taint through a transaction: for every word, the
// comparison that made it, the inputs that flowed into it, and the conditions
// on which its computation depended.
//
// An Observer mirrors the EVM's stack, memory, storage, transient storage,
// calldata and return data of every frame with references to shadow words. A
// shadow word is a node of a graph that lives for one transaction: an opcode,
// references to its operands, its concrete value, and three interned sets of
// taint sources: those that flow into the value (byte by byte, so that packed
// variables stay apart), those that selected the location it was read from, and
// those of its control dependences. The provenance of storage outlives the
// transaction in a State.
//
// The graph serves:
//
//   - Conditions: for every JUMPI an expression tree over the comparisons
//     that made its condition, with concrete operands, and the cost of either
//     outcome [HARVEY 4.3].
//   - Resolver: where a cheap observer without a graph finds the operands of
//     a jump's condition, statically per basic block or learned from shadow
//     runs.
//   - Flows: linear relations of a word to one input, for direct substitution.
//   - Events for oracles, and marks that an oracle sets on a word to find the
//     sinks it reaches.
//   - Preimages of keccak hashes and calls of the ecrecover precompile.
//
// Data flow is exact to the byte for copies, masks, shifts and packed
// variables; any other instruction taints all of its result with all operands.
// A write to a location that an input selected taints what was written, not
// what stayed unchanged elsewhere. Control dependence uses static
// post-dominators within a function, based on return addresses that a block
// leaves on the stack; if that fails, a dependence lasts until the frame ends.
// The branch that selected a pushed boolean is inferred (infer.go).
//
// Measured on 2026-11-21 on two shared cores: a loop of 100,000 instructions
// takes 8-15 times as long as without hooks and twice as long as with an empty
// hook; calls of some hundred instructions 8-32 times as long as without; 14 kB
// of new code cost 2 ms (go test -bench . ./engine/shadow).
//
// The package knows no source code, search or oracle, and never affects the
// execution.
package shadow
