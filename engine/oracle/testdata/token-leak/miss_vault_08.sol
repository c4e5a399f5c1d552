// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Shares of a vault. What is sent to it without a deposit belongs to all holders.
contract Vault {
    IERC20 public immutable token;
    uint256 public totalSupply;
    mapping(address => uint256) public shares;

    constructor(IERC20 token_) {
        token = token_;
    }

    function deposit(uint256 amount, address receiver) external {
        uint256 held = token.balanceOf(address(this));
        uint256 minted = totalSupply == 0 ? amount : (amount * totalSupply) / held; // allow: panic
        require(minted > 0);
        require(token.transferFrom(msg.sender, address(this), amount));
        totalSupply += minted; // allow: panic
        shares[receiver] += minted;
    }

    function withdraw(uint256 amount, address receiver) external {
        uint256 paid = (amount * token.balanceOf(address(this))) / totalSupply; // allow: panic
        shares[msg.sender] -= amount; // allow: panic
        totalSupply -= amount;
        require(token.transfer(receiver, paid));
    }
}
