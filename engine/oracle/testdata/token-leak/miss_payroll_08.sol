// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Who approved the payroll named those who may collect.
contract Payroll {
    IERC20 public immutable token;
    mapping(address => mapping(address => uint256)) public wages;

    constructor(IERC20 token_) {
        token = token_;
    }

    function employ(address worker, uint256 amount) external {
        wages[msg.sender][worker] = amount;
    }

    function collect(address employer, uint256 amount) external {
        wages[employer][msg.sender] -= amount; // allow: panic
        require(token.transferFrom(employer, msg.sender, amount));
    }
}
