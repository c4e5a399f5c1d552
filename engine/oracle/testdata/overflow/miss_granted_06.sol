pragma solidity ^0.6.0;

// Only those whom the operator grants access to count.
contract Registry {
    address operator;
    mapping(address => bool) access;
    mapping(address => uint256[]) lists;

    constructor() public {
        operator = msg.sender;
    }

    function grant(address who, bool may) external {
        require(msg.sender == operator, "not the operator");
        access[who] = may;
    }

    function add(address list, uint256 id) external {
        require(access[msg.sender], "no access");
        lists[list].push(id + 1); // allow: overflow
    }
}
