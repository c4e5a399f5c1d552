// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Branches of each kind that sources have, between checks that the compiler adds.
contract Arms {
    uint256 public total;
    uint256[] private list = [1, 2, 3];

    function decide(uint256 x) external {
        if (x > 9) total = list[x % 3] / x;
    }

    function demand(uint256 x) external {
        require(x < 7);
        total = 100 / (x + 1);
    }

    function choose(uint256 x) external {
        total = x > 5 ? x - 5 : total;
    }

    function both(uint256 x, bytes32 secret) external {
        if (x > 3 && keccak256(abi.encode(secret)) == bytes32(uint256(12345))) total = x;
    }

    function either(uint256 x, uint256 y) external {
        if (x < 3 || y > 5) total = y;
    }

    function count(uint8 n) external {
        for (uint256 i = 0; i < n; i++) total = i;
    }

    function never(bytes32 secret) external {
        while (keccak256(abi.encode(secret)) == bytes32(uint256(12345))) total++;
    }

    function straight(uint256 x) external {
        total += list[x % 3] * 2 + uint8(x);
    }
}
