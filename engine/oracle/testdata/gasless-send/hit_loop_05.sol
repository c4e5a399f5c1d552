// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

contract Shareholders {
    address payable[] holders;

    function join() external {
        require(holders.length < 5);
        holders.push(msg.sender);
    }

    function distribute() external payable {
        require(holders.length > 0); // allow: panic
        uint256 share = msg.value / holders.length;
        for (uint256 i = 0; i < holders.length; i++) {
            holders[i].send(share); // expect: gasless-send, unchecked-call
        }
    }
}
