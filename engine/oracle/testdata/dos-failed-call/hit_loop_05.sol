// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

contract Club {
    address payable[] members;

    function join() external payable {
        require(msg.value == 1 ether && members.length < 4);
        members.push(msg.sender);
    }

    function dissolve() external {
        require(members.length > 0);
        for (uint256 i = 0; i < members.length; i++) {
            members[i].transfer(1 ether); // expect: dos-failed-call
        }
        delete members;
    }
}
