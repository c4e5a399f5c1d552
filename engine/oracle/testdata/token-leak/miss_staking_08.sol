// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Rewards grow with time and come from what anybody may give.
contract Staking {
    IERC20 public immutable token;
    uint256 public rewards;
    mapping(address => uint256) public staked;
    mapping(address => uint256) public since;

    constructor(IERC20 token_) {
        token = token_;
    }

    function give(uint256 amount) external {
        require(token.transferFrom(msg.sender, address(this), amount));
        rewards += amount; // allow: panic
    }

    function stake(uint256 amount) external {
        require(amount > 0 && staked[msg.sender] == 0);
        require(token.transferFrom(msg.sender, address(this), amount));
        staked[msg.sender] = amount;
        since[msg.sender] = block.timestamp;
    }

    function unstake() external {
        uint256 amount = staked[msg.sender];
        uint256 reward = (amount * (block.timestamp - since[msg.sender])) / 365 days; // allow: panic
        if (reward > rewards) {
            reward = rewards;
        }
        rewards -= reward;
        staked[msg.sender] = 0;
        require(token.transfer(msg.sender, amount + reward)); // allow: panic
    }
}
