// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {TimelockController} from "@openzeppelin/contracts/governance/TimelockController.sol";

/// OpenZeppelin's timelock as a deployer would set it up.
contract Timelock is TimelockController {
    constructor(address[] memory proposers, address[] memory executors)
        TimelockController(2 days, proposers, executors, msg.sender)
    {}
}
