pragma solidity ^0.5.0;

contract Names {
    mapping(address => bytes32) public names;

    function give(bytes32 name, address payable who) public {
        assert(who != address(0)); // allow: assertion
        names[who] = name;
    }
}
