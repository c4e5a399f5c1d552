// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Oracle {
    function price(uint256 x) external returns (uint256);
}

/// The comment of a line counts its conditions. The compiler adds checks to most lines.
contract Conditions {
    uint256 public total;
    uint256[] private list = [1, 2, 3];
    mapping(address => bool) private owners;
    Oracle private oracle;

    modifier small(uint256 x) {
        require(x < 1000, "too much"); // 1
        _;
    }

    function add(uint256 x, uint256 y) external payable small(x) small(y) {
        if (x < y) total += list[x % 3]; // 1
        else total = 100 / (x - y + 1);
    }

    function choose(uint256 x, uint256 y) external small(x) {
        if (x < y && y > 5 || x == 77) total = x; // 3
        total = x > 5 ? total : x / y; // 1
    }

    function loops(uint8 x) external {
        for (uint256 k = 0; k < x; k++) // 1
            list.push(list[k]);
        while (total > 7) total--; // 1
        do total++; // 1
        while (total < x);
    }

    function checks(uint256 x) external {
        require(x > 5); // 1
        if (!owners[msg.sender]) total = abi.decode(abi.encode(x), (uint256)); // 1
        assert(total < 2 ** 255);
        try oracle.price(x) returns (uint256 p) { // 1
            total = p;
        } catch {}
        assembly {
            if gt(x, 300) { sstore(0, 1) } // 1
        }
    }
}
