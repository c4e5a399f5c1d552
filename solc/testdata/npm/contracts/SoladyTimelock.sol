// SPDX-License-Identifier: MIT
pragma solidity ^0.8.4;

import {Timelock} from "solady/src/accounts/Timelock.sol";

/// solady's timelock, which whoever initializes it first sets up.
contract SoladyTimelock is Timelock {}
