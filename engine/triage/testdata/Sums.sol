// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.20;

contract Sums {
    event Sum(uint8 sum);

    uint8 public first;
    uint8 public second;
    uint8 public third;

    function store(uint8 a, uint8 b) external {
        unchecked {
            (first, second) = (a + b, a * b);
            third = a - b;
        }
    }

    function show(uint8 a, uint8 b) external {
        unchecked {
            emit Sum(a + b);
        }
    }

    function keep(uint8 a, uint8 b, bool kept) external {
        unchecked {
            uint8 sum = a + b;
            emit Sum(sum);
            if (kept) first = sum;
        }
    }
}
