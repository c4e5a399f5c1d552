// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Till {
    address immutable shop = msg.sender;
    uint256 public coins;

    function pay(uint256 n) external {
        coins += n;
    }
}

/// What its constructor creates is called as well.
contract Shop {
    Till public left = new Till();
    Till public right;

    constructor() {
        right = new Till();
    }

    function check() external view {
        assert(right.coins() != 4242);
    }

    /// Creates whatever it is told to: nothing, for example.
    function make(bytes calldata code) external returns (address made) {
        bytes memory copy = code;
        assembly {
            made := create(0, add(copy, 32), mload(copy))
        }
    }
}

/// What is exchanged has to be two things.
contract Exchange {
    Till immutable left;
    Till immutable right;

    constructor(Till a, Till b) {
        left = a;
        right = b;
    }

    function coins() external view returns (uint256) {
        return left.coins() + right.coins();
    }
}
