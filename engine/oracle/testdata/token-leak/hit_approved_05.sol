// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

interface IERC20 {
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// A helper that moves the tokens of whoever approved it.
contract Mover {
    IERC20 public token;

    constructor(IERC20 token_) public {
        token = token_;
    }

    function move(address from, address to, uint256 amount) public {
        require(amount > 0 && to != address(0));
        require(token.transferFrom(from, to, amount)); // expect: token-leak
    }
}
