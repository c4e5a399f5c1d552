// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Fees {
    function feeOf(uint256 amount) internal pure returns (uint256 fee) {
        fee = amount / 100;
    }
}

contract Token {
    mapping(address => uint256) public balances;

    function mint(address to, uint256 amount) external {
        balances[to] += amount;
    }

    function move(address to, uint256 amount) external returns (bool) {
        require(balances[msg.sender] >= amount, "too little");
        balances[msg.sender] -= amount;
        balances[to] += amount;
        return true;
    }
}

contract Ledger {
    using Fees for uint256;

    Token public token;
    uint256 public moved;
    uint256 public total;

    constructor() {
        token = new Token();
        token.mint(address(this), 1000);
    }

    modifier counted() {
        moved += 1;
        _;
    }

    function pay(address to, uint256 amount) external counted {
        uint256 fee = amount.feeOf();
        token.move(to, amount - fee);
    }

    function tryPay(address to, uint256 amount) external returns (bool) {
        try token.move(to, amount) returns (bool done) {
            return done;
        } catch {
            return false;
        }
    }

    function sum(uint256 n) external {
        for (uint256 i = 1; i <= n; i++) {
            total += i;
        }
    }

    bool public open; // in one word with last
    address public last;

    function enter() external {
        open = true;
        last = msg.sender;
    }

    function check() external view {
        assert(moved < 2);
    }
}
