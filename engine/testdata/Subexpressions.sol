// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Via IR, the newest source before a check that fails is often a part of what fails: an
// operand, a number, a base, or the other side of an assignment. Each comment says what
// fails on its line, with " | " before what is named via IR if that differs. Equal checks
// of one contract may share their code, so each contract has one function.

struct Order {
    address maker;
    uint256[] limits;
}

contract Live {
    function f(Order calldata a, Order calldata b) external view returns (bool) {
        return a.limits[3] <= block.timestamp // a.limits[3]
            && b.limits[4] >= block.timestamp; // b.limits[4]
    }
}

contract Used {
    mapping(address => mapping(uint256 => bool)) private used;

    function f(Order calldata a) external {
        used[a.maker][a.limits[5]] = true; // a.limits[5]
    }
}

contract Put {
    uint256[] private list;
    uint256 private total = 3;

    function f(uint256 i) external {
        list[i / 2] = total; // list[i / 2]
    }
}

contract Rest {
    uint256 private total = 3;

    function f(uint256 a) external view returns (uint256) {
        return total - a * 7; // a * 7, total - a * 7
    }
}

contract Hours {
    uint256 private total = 3;

    function f(uint256 a) external view returns (uint256) {
        return total * (60 * 60) / (a - 3 + total); // a - 3 | total * (60 * 60) / (a - 3 + total)
    }
}

contract Shift {
    uint256 private total = 3;

    function f(uint256 n) external view returns (uint256) {
        return (total << 2) + n * (60 * 60); // n * (60 * 60)
    }
}

contract Fill {
    function f(uint256 n) external pure returns (uint256) {
        unchecked {
            return new uint256[](7 * n).length; // new uint256[](7 * n)
        }
    }
}

contract Decode {
    bytes32 public digest;

    function f(bytes calldata data) external {
        (string memory text, uint256[] memory list) = abi.decode(data, (string, uint256[]));
        digest = keccak256(abi.encode(text, list));
    }
}
