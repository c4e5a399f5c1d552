// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// Conditions that hold only together. What holds is an assertion that fails.
contract Coupled {
    uint256 private stored;

    function equations(uint128 x, uint128 y, uint128 z) external pure {
        uint256 sum = uint256(x) + y;
        if (sum + z == 600000000600000000) {
            if (3 * uint256(x) + 2 * uint256(y) == 1234567890123456789) {
                if (x > z && z > y) assert(false);
            }
        }
    }

    function mixed(uint64 x, uint64 y) external pure {
        unchecked {
            uint64 h = x ^ 0x5bd1e995a7c15f3d;
            h = ((h << 13) | (h >> 51)) * 0x9e3779b97f4a7c15;
            if (h == 0x123456789abcdef0) {
                if ((x ^ y) & 0xff00ff00ff00ff00 == 0x1200340056007800) assert(false);
            }
        }
    }

    function increasing(uint32[4] calldata x) external pure {
        uint256 sum = x[0];
        for (uint256 i = 1; i < 4; i++) {
            require(x[i] > x[i - 1], "not in order");
            sum += x[i];
        }
        if (sum == 9999999 && x[3] - x[0] == 777777) assert(false);
    }

    function store(uint96 x) external {
        stored = uint256(x) * 5 + 3;
    }

    function compare(uint96 x, uint96 y) external view {
        if (stored > 3) {
            if (stored + x == 10 ** 21 + 7) {
                if (stored == uint256(y) * 7 + x) assert(false);
            }
        }
    }

    function hashed(uint256 x, uint64 y, uint64 z) external pure {
        if (uint256(keccak256(abi.encode(x))) % 1000 == z % 1000) {
            if (uint256(z) + y == 123456 && y > 777) assert(false);
        }
    }

    function searched(uint64 x, uint64 y) external pure {
        if (uint256(x) * x % 10007 == 8) {
            if (y > x) assert(false);
        }
    }
}
