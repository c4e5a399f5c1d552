// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// What was sent by mistake can be rescued by anyone, with all deposits.
contract Vault {
    IERC20 public immutable token;
    mapping(address => uint256) public credit;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        credit[msg.sender] += amount; // allow: panic
    }

    function withdraw(uint256 amount) external {
        require(credit[msg.sender] >= amount);
        credit[msg.sender] -= amount;
        require(token.transfer(msg.sender, amount));
    }

    function rescue(IERC20 which, address to) external {
        which.transfer(to, which.balanceOf(address(this))); // expect: token-leak
    }
}
