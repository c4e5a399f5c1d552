// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Whoever approved the bank pays for everybody.
contract Bank {
    IERC20 public immutable token;
    mapping(address => uint256) public credit;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(address from, uint256 amount) external {
        require(token.transferFrom(from, address(this), amount)); // expect: token-leak
        credit[msg.sender] += amount; // allow: panic
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount));
    }
}
