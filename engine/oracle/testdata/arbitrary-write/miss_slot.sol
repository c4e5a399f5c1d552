pragma solidity ^0.8.0;

// Writes slots by number, but only its own ones.
contract Slots {
    bytes32 private constant BASE = keccak256("leveret.slots");

    function set(uint8 index, uint256 value) external {
        bytes32 base = BASE;
        assembly {
            sstore(add(base, and(index, 0xff)), value)
        }
    }

    function choose(uint256 slot, uint256 value) external {
        require(slot == 7 || slot == 8, "unknown");
        assembly {
            sstore(slot, value)
        }
    }
}
