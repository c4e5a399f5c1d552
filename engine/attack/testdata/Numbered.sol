// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Numbers the deposits of all accounts.
contract Numbered {
    mapping(address => mapping(uint256 => uint256)) public deposits;
    uint256 public next;

    function deposit(IERC20 token, uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        deposits[msg.sender][++next] = amount;
    }

    function take(IERC20 token, uint256 id) external {
        require(token.transfer(msg.sender, deposits[msg.sender][id]));
    }
}
