// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Only its owner writes where it likes.
contract Slots {
    address immutable owner = msg.sender;

    function put(bytes32 slot, uint256 value) external {
        require(msg.sender == owner, "owner");
        assembly {
            sstore(slot, value)
        }
    }
}
