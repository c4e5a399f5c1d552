// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// A list of payees is cleared after they were paid, by a routine of the compiler that has
/// no source of its own.
contract Pot {
    uint256 public constant SHARE = 1 ether;
    address[] public payees;

    function join() external payable {
        require(msg.value == SHARE);
        payees.push(msg.sender);
    }

    receive() external payable {}

    function settle() external {
        for (uint256 i = 0; i < payees.length; i++) { // allow: unbounded-loop
            (bool paid,) = payees[i].call{value: SHARE}(""); // expect: reentrancy // allow: dos-failed-call
            require(paid);
        }
        delete payees;
    }
}
