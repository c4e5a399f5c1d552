// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The caller says for each account whether it is served, and may say too much.
contract Served {
    address[] public accounts;
    mapping(address => uint256) public served;

    constructor() {
        accounts.push(msg.sender);
    }

    function serve(bytes calldata which) external {
        bool[] memory chosen = abi.decode(which, (bool[]));
        for (uint256 i = 0; i < chosen.length; ++i) {
            if (chosen[i]) {
                served[accounts[i]] += 1; // allow: panic
            }
        }
    }
}
