// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

import "openzeppelin-2/contracts/drafts/TokenVesting.sol";

/// OpenZeppelin 2's vesting of tokens: a year, of which the first month is a cliff.
contract OldVesting is TokenVesting {
    constructor(address beneficiary) public TokenVesting(beneficiary, block.timestamp, 30 days, 365 days, true) {}
}
