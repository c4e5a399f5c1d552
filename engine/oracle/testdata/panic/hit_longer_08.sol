// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Goes one further than the list of the caller.
contract Served {
    address[] public accounts;
    mapping(address => uint256) public served;

    constructor() {
        accounts.push(msg.sender);
    }

    function serve(bool[] calldata which) external {
        require(which.length == accounts.length);
        for (uint256 i = 0; i <= which.length; ++i) {
            served[accounts[i]] += 1; // expect: panic
        }
    }
}
