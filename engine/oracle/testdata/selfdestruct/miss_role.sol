pragma solidity ^0.8.0;

contract Roles {
    mapping(address => bool) public admin;

    constructor() {
        admin[msg.sender] = true;
    }

    function grant(address who) external {
        require(admin[msg.sender], "not admin");
        admin[who] = true;
    }

    function close() external {
        require(admin[msg.sender], "not admin");
        selfdestruct(payable(msg.sender));
    }
}
