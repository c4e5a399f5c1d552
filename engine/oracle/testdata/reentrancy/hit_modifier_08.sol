// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// The prize can be claimed until it is marked as claimed, which is too late.
contract Prize {
    mapping(address => bool) public claimed;

    receive() external payable {}

    modifier once() {
        require(!claimed[msg.sender], "claimed");
        _;
        claimed[msg.sender] = true;
    }

    function claim() external payable once {
        require(msg.value == 1 ether);
        (bool ok,) = msg.sender.call{value: 1.5 ether}(""); // expect: reentrancy
        require(ok);
    }
}
