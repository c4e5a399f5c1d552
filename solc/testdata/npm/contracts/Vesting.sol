// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {VestingWallet} from "@openzeppelin/contracts/finance/VestingWallet.sol";

/// OpenZeppelin's vesting wallet, a year long from its first day.
contract Vesting is VestingWallet {
    constructor(address beneficiary) VestingWallet(beneficiary, uint64(block.timestamp), 365 days) {}
}
