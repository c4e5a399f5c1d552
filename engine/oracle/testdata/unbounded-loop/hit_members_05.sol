pragma solidity ^0.5.0;

contract Club {
    address[] public members;
    mapping(address => uint256) public owed;

    function join() public {
        members.push(msg.sender);
    }

    function share() public {
        for (uint256 i = 0; i < members.length; i++) { // expect: unbounded-loop
            owed[members[i]] += 1; // allow: overflow
        }
    }
}
