pragma solidity ^0.8.0;

contract Store {
    address public owner = msg.sender;

    function set(uint256 key, uint256 value) external {
        assembly {
            sstore(add(key, 100), value) // expect: arbitrary-write
        }
    }
}
