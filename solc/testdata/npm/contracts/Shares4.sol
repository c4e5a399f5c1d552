// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import "openzeppelin-4/token/ERC20/extensions/ERC4626.sol";

/// OpenZeppelin 4's ERC-4626 vault over any token.
contract Shares4 is ERC4626 {
    constructor(IERC20 asset) ERC4626(asset) ERC20("Shares", "SHR") {}
}
