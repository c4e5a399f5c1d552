// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Box {
    uint256 immutable size;
    bool big;

    constructor(uint256 n) {
        size = n;
        if (n > 1000) big = true;
    }

    function fits(uint256 n) external view returns (bool) {
        return n <= size;
    }
}

contract MadeTests {
    function testFits(uint256 n, uint256 size) public {
        Box box = new Box(size);
        assert(box.fits(n) == (n <= size));
    }

    function testMagic(uint256 n, uint256 size) public { // fails
        Box box = new Box(size);
        assert(!box.fits(n) || n < 123456789 || n >= 123456799);
    }
}
