pragma solidity ^0.4.24;

contract Eternal {
    address public owner = msg.sender;

    function set(bytes32 slot, bytes32 value) public {
        assembly {
            sstore(slot, value) // expect: arbitrary-write
        }
    }
}
