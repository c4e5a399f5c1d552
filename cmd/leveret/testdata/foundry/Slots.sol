// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: arbitrary-write
// fix: let at := add(key, 100) => if gt(key, 7) { revert(0, 0) } let at := add(key, 100)

/// The key chooses the slot.
contract Slots {
    address public owner = msg.sender;

    function set(uint256 key, uint256 value) external {
        assembly {
            let at := add(key, 100)
            sstore(at, value)
        }
    }
}
