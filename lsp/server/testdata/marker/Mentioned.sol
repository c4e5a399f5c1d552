// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Mentioned {
    function check(uint256 x) external pure {
        assert(x != 5); // see leveret-disable-line assertion //@ error assertion "check(5)"
    }
}
