// SPDX-License-Identifier: MIT
pragma solidity ^0.7.0;

import "openzeppelin-3/presets/ERC20PresetMinterPauser.sol";

/// OpenZeppelin 3's preset, as many deployed tokens are.
contract OldToken is ERC20PresetMinterPauser("Old", "OLD") {}
