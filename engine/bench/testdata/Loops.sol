// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// Loops over arrays in memory, calldata and storage, and arithmetic in them.
contract Loops {
    uint256[] public values;
    mapping(uint256 => uint256) public counts;
    uint256 public total;

    constructor(uint256 n) {
        for (uint256 i = 0; i < n; i++) values.push(i * i + 1);
    }

    /// Sorts pseudo-random numbers by insertion and keeps the median.
    function sort(uint256 seed, uint256 n) external returns (uint256) {
        uint256[] memory list = new uint256[](n);
        for (uint256 i = 0; i < n; i++) {
            seed = (seed * 1103515245 + 12345) % 2 ** 31;
            list[i] = seed;
        }
        for (uint256 i = 1; i < n; i++) {
            uint256 value = list[i];
            uint256 j = i;
            while (j > 0 && list[j - 1] > value) {
                list[j] = list[j - 1];
                j--;
            }
            list[j] = value;
        }
        total = list[n / 2];
        return total;
    }

    /// Multiplies square matrices.
    function multiply(uint256 seed, uint256 n) external pure returns (uint256 trace) {
        uint256[][] memory a = new uint256[][](n);
        uint256[][] memory b = new uint256[][](n);
        for (uint256 i = 0; i < n; i++) {
            a[i] = new uint256[](n);
            b[i] = new uint256[](n);
            for (uint256 j = 0; j < n; j++) {
                a[i][j] = seed + i * j;
                b[i][j] = seed ^ (i + j);
            }
        }
        for (uint256 i = 0; i < n; i++) {
            for (uint256 j = 0; j < n; j++) {
                uint256 sum = 0;
                for (uint256 k = 0; k < n; k++) sum += a[i][k] * b[k][j];
                if (i == j) trace += sum;
            }
        }
    }

    /// Counts primes with a sieve.
    function primes(uint256 n) external pure returns (uint256 count) {
        bool[] memory composite = new bool[](n + 1);
        for (uint256 i = 2; i <= n; i++) {
            if (composite[i]) continue;
            count++;
            for (uint256 j = i * i; j <= n; j += i) composite[j] = true;
        }
    }

    /// Adds up the stored values and changes one.
    function add(uint256 at, uint256 value) external returns (uint256 sum) {
        values[at] = value;
        for (uint256 i = 0; i < values.length; i++) sum += values[i] % 97;
        total = sum;
    }

    /// Counts the bytes of a text, and hashes them in order.
    function digest(bytes calldata text) external returns (uint256 hash) {
        for (uint256 i = 0; i < text.length; i++) {
            uint256 c = uint8(text[i]);
            unchecked {
                hash = (hash ^ c) * 16777619 + (hash >> 32);
            }
        }
        counts[hash % 16]++;
    }
}
