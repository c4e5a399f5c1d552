pragma solidity ^0.8.0;

contract Registry {
    mapping(uint256 => uint256) public values;
    mapping(address => mapping(uint256 => uint256)) public nested;
    uint256[16] private fixedList;

    function set(uint256 key, uint256 value) external {
        values[key] = value;
        nested[msg.sender][key] = value;
        fixedList[key % 16] = value;
    }
}
