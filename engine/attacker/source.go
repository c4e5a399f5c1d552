package attacker

import _ "embed"

// Solidity is the attacker's contract as people would write it, for solc 0.6.2
// and later: LeveretAttacker, which is told what to do by functions instead of
// by its storage. A test compares the two.
//
//go:embed Attacker.sol
var Solidity string
