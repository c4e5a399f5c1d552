// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {ERC20} from "solmate/src/tokens/ERC20.sol";

/// solmate's ERC-20; anybody mints.
contract SolmateToken is ERC20("Solmate", "SOL", 18) {
    function mint(uint256 amount) external {
        require(amount <= 1e24, "too much");
        _mint(msg.sender, amount);
    }

    function burn(uint256 amount) external {
        _burn(msg.sender, amount);
    }
}
