// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Modified {
    uint256 public value;
    uint256 public calls;
    address owner = msg.sender;

    modifier counted() {
        calls += 1;
        _;
        calls += 1;
    }

    modifier limited(uint256 x) {
        require(x < 100, "too much");
        _;
    }

    function set(uint256 x) external counted limited(x + 1) returns (uint256 y) {
        y = twice(x);
        value = y;
    }

    function twice(uint256 x) private counted returns (uint256) {
        return x * 2;
    }

    function reset() external counted {
        value = 0;
    }
}
