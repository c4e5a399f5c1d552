// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Votes} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Votes.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";

/// OpenZeppelin's vote-counting token; anybody mints a little.
contract Voting is ERC20Votes {
    constructor() ERC20("Voting", "VOT") EIP712("Voting", "1") {}

    function mint(uint256 amount) external {
        require(amount <= 1e21, "too much");
        _mint(msg.sender, amount);
    }
}
