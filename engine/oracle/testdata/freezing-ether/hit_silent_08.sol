// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
}

/// What takes the wei has no statement, and the way out is for tokens only.
contract Sweeper { // expect: freezing-ether
    address immutable owner = msg.sender;

    receive() external payable {}

    function sweep(IERC20 token, uint256 amount) external {
        require(msg.sender == owner, "owner");
        require(token.transfer(owner, amount), "failed");
    }
}
