// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

/// A token of the project, which nobody but the deployer has.
contract Coin is IERC20 {
    mapping(address => uint256) public balanceOf;

    constructor() {
        balanceOf[msg.sender] = 1e24;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        balanceOf[msg.sender] -= amount; // allow: panic
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        require(from == msg.sender);
        return transfer(to, amount);
    }
}

/// Locks are numbered over all accounts, and callers name the token. Before its time is over,
/// what is locked can be taken out again and again.
contract Lockers {
    struct Lock {
        uint256 amount;
        uint256 end;
        address token;
    }

    mapping(address => mapping(uint256 => Lock)) public locks;
    uint256 public next = 1;

    function lock(address token, uint256 amount, uint256 end) external {
        require(amount > 0 && end > block.timestamp);
        require(IERC20(token).transferFrom(msg.sender, address(this), amount));
        locks[msg.sender][next++] = Lock(amount, end, token);
    }

    function unlock(uint256 id) external {
        Lock storage l = locks[msg.sender][id];
        require(l.amount > 0);
        uint256 amount = l.amount;
        if (block.timestamp > l.end) {
            l.amount = 0;
        }
        require(IERC20(l.token).transfer(msg.sender, amount)); // expect: token-leak
    }
}
