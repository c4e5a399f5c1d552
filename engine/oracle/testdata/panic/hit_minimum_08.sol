// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The amount of the caller is compared with what the index happens to be.
contract Queue {
    address[] public waiting;
    mapping(address => uint256) public served;

    constructor() {
        waiting.push(msg.sender);
    }

    function leave() external {
        waiting.pop(); // allow: panic
    }

    function serve(uint256 amount) external {
        require(amount > 0);
        served[waiting[0]] = amount; // expect: panic
    }
}
