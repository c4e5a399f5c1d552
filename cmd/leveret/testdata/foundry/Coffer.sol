// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: token-leak
// fix: token.transfer(to, => if (msg.sender == keeper) token.transfer(to,

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Anyone empties it.
contract Coffer {
    IERC20 public immutable token;
    address public immutable keeper = msg.sender;

    constructor(IERC20 token_) {
        token = token_;
    }

    function fill(uint256 amount) external {
        token.transferFrom(msg.sender, address(this), amount);
    }

    function empty(address to) external {
        token.transfer(to, token.balanceOf(address(this)));
    }
}
