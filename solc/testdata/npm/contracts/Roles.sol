// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

/// OpenZeppelin's AccessControl over something to control.
contract Roles is AccessControl, Pausable {
    bytes32 public constant KEEPER = keccak256("KEEPER");
    uint256 public value;

    constructor() {
        _grantRole(DEFAULT_ADMIN_ROLE, msg.sender);
    }

    function set(uint256 to) external onlyRole(KEEPER) whenNotPaused {
        value = to;
    }

    function pause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _pause();
    }

    function unpause() external onlyRole(DEFAULT_ADMIN_ROLE) {
        _unpause();
    }
}
