// SPDX-License-Identifier: MIT
pragma solidity ^0.5.0;

/// Anybody can become the owner.
contract Safe {
    address payable owner;
    mapping(address => uint256) public paid;

    constructor() public {
        owner = msg.sender;
    }

    function pay() external payable {
        paid[msg.sender] += msg.value;
    }

    function init() external {
        owner = msg.sender; // allow: open-owner
    }

    function collect() external {
        require(msg.sender == owner);
        owner.transfer(address(this).balance); // expect: ether-leak
    }
}
