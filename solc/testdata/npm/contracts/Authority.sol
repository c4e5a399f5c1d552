// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Authority as Rules} from "solmate/src/auth/Auth.sol";
import {MultiRolesAuthority} from "solmate/src/auth/authorities/MultiRolesAuthority.sol";

/// solmate's authority; the deployer owns it.
contract Authority is MultiRolesAuthority {
    constructor() MultiRolesAuthority(msg.sender, Rules(address(0))) {}
}
