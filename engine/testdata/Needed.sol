// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IAnswer {
    function answer() external view returns (uint256);
}

/// Lines that nothing reaches, each for another reason.
contract Needed {
    uint256 private steps;
    uint256 public reached;

    function step() external {
        steps++;
    }

    function state() external {
        if (steps == 1e30) {
            reached = 1;
        }
    }

    function answer(IAnswer to) external {
        if (uint256(keccak256(abi.encode(to.answer()))) == 77) {
            reached = 2;
        }
    }

    function sender() external {
        if (uint256(keccak256(abi.encode(msg.sender))) == 77) {
            reached = 3;
        }
    }

    function hash(uint256 x) external {
        if (uint256(keccak256(abi.encode(x))) == 77) {
            reached = 4;
        }
    }
}
