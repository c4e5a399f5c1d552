// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IERC20 {
    function balanceOf(address who) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function approve(address spender, uint256 amount) external returns (bool);
}

/// A base that can stand by itself: of it nobody has anything.
contract Base is IERC20 {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function transfer(address to, uint256 amount) external returns (bool) {
        balanceOf[msg.sender] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }
}

/// What it locks up is let go later.
contract Lock {
    IERC20 private immutable token;
    uint256 private immutable opening = block.timestamp + 30 days;

    constructor(IERC20 token_) {
        token = token_;
    }

    function release() external {
        require(block.timestamp >= opening, "too early");
        uint256 amount = token.balanceOf(address(this));
        require(amount > 0, "nothing");
        assert(amount != 777);
        token.transfer(msg.sender, amount);
    }
}
