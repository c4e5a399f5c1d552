package attacker

import _ "embed"

// Solidity is the source of LeveretAttacker, the same contract for people to
// read, for solc 0.6.2 and later. Functions instead of storage words configure
// it. A test compares the two.
//
//go:embed Attacker.sol
var Solidity string
