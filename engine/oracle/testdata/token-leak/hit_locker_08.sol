// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// Before its time is over, what is locked can be taken out again and again.
contract Locker {
    struct Lock {
        uint256 amount;
        uint256 end;
    }

    IERC20 public immutable token;
    mapping(address => Lock) public locks;

    constructor(IERC20 token_) {
        token = token_;
    }

    function lock(uint256 amount, uint256 time) external {
        require(amount > 0 && time > 0 && time < 365 days && locks[msg.sender].amount == 0);
        require(token.transferFrom(msg.sender, address(this), amount));
        locks[msg.sender] = Lock(amount, block.timestamp + time);
    }

    function unlock() external {
        uint256 amount = locks[msg.sender].amount;
        require(amount > 0);
        if (block.timestamp > locks[msg.sender].end) {
            locks[msg.sender].amount = 0;
        }
        require(token.transfer(msg.sender, amount)); // expect: token-leak
    }
}
