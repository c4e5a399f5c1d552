// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// LoopMazeHard of the small contracts with small values shut out: they do not
/// get past the first line, and the one that fails the assertion is in no
/// dictionary.
contract LoopMazeLarge {
    function run(uint256 w, uint256 x, uint256 y, uint256 z, uint256 a) external pure returns (uint256 r) {
        require(w > 2 ** 64 && x > 2 ** 64 && y > 2 ** 64 && z > 2 ** 64 && a > 2 ** 64);
        unchecked {
            if (x % 1000 != 42) {
                r = 256;
                if (y % 2 == 0) r = 257;
                w = w % r;
                while (w != 0) w--;
                z = z % r;
                while (r != z) z++;
                assert(x != 42 - w * z); // holds
            } else {
                r = 3 * a * a + 7 * a + 101;
                assert(r != 0x20d8b989fb26c5c80ea1cd9e56f5318faf29ac78dfe2fd81f8a25); // fails for a == 0xd3c51e9722b4f06d8a135be840
            }
        }
    }
}
