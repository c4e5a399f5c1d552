// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {ERC20} from "solady/src/tokens/ERC20.sol";
import {OwnableRoles} from "solady/src/auth/OwnableRoles.sol";

/// solady's ERC-20, written in assembly, with roles.
contract SoladyToken is ERC20, OwnableRoles {
    constructor() {
        _initializeOwner(msg.sender);
        _mint(msg.sender, 1e24);
    }

    function name() public pure override returns (string memory) {
        return "Solady";
    }

    function symbol() public pure override returns (string memory) {
        return "SDY";
    }

    function mint(address to, uint256 amount) external onlyRolesOrOwner(_ROLE_0) {
        _mint(to, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
