// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

import "zeppelin-solidity/contracts/token/ERC20/CappedToken.sol";
import "zeppelin-solidity/contracts/token/ERC20/PausableToken.sol";
import "zeppelin-solidity/contracts/token/ERC20/StandardBurnableToken.sol";

/// OpenZeppelin 1's token with all that was usual then.
contract OldestToken is CappedToken(1e24), PausableToken, StandardBurnableToken {}
