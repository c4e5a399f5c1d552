// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Nobody misses a surplus that was sent without a deposit.
contract Pool {
    IERC20 public immutable token;
    uint256 public total;
    mapping(address => uint256) public credit;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        total += amount; // allow: panic
        credit[msg.sender] += amount;
    }

    function withdraw(uint256 amount) external {
        credit[msg.sender] -= amount; // allow: panic
        total -= amount;
        require(token.transfer(msg.sender, amount));
    }

    function skim(address to) external {
        require(token.transfer(to, token.balanceOf(address(this)) - total)); // allow: panic
    }
}
