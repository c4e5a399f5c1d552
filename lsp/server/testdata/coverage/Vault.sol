// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Vault {
    mapping(address => uint256) public held;
    bool public opened;

    function put(uint256 x) external {
        require(x < 1000, "too much");
        held[msg.sender] += x;
    }

    function open(bytes32 secret) external {
        if (keccak256(abi.encode(secret)) == bytes32(uint256(12345))) {
            opened = true;
        }
    }
}
