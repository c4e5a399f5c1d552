// SPDX-License-Identifier: MIT
pragma solidity 0.7.6;
// oracle: dos-failed-call
// fix: members[i].transfer(1 ether); => if (!members[i].send(1 ether)) owed[members[i]] += 1 ether;

/// A member that is a contract can block all payments.
contract Club7 {
    address payable[] members;
    mapping(address => uint256) public owed;

    function join() external payable {
        require(msg.value == 1 ether && members.length < 4);
        members.push(msg.sender);
    }

    function dissolve() external {
        require(members.length > 0);
        for (uint256 i = 0; i < members.length; i++) {
            members[i].transfer(1 ether);
        }
        delete members;
    }
}
