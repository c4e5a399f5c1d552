// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Unused {
    uint256 private held;

    function put(uint256 x) external {
        // leveret-disable-next-line assertion //@ hint unused-suppression "no finding of assertion"
        held = x;
    }
}
