// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {ERC20} from "solmate/src/tokens/ERC20.sol";
import {ERC4626} from "solmate/src/tokens/ERC4626.sol";
import "./SolmateToken.sol"; // a token to hold

/// solmate's ERC-4626 vault over any token.
contract SolmateVault is ERC4626 {
    constructor(ERC20 token) ERC4626(token, "Vault", "VLT") {}

    function totalAssets() public view override returns (uint256) {
        return asset.balanceOf(address(this));
    }
}
