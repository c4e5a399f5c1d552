// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Coin {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function deposit() external payable {
        balanceOf[msg.sender] += msg.value;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            allowance[from][msg.sender] = allowed - amount;
        }
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
        return true;
    }
}

/// What it takes has to be approved, but that is not all: the deployer has no coins.
contract Till {
    Coin private immutable coin;
    uint256 public paid;

    constructor(Coin coin_) {
        coin = coin_;
    }

    function pay(uint256 amount) external {
        coin.transferFrom(msg.sender, address(this), amount);
        paid += amount;
    }
}
