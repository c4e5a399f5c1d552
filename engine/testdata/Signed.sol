// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Only a signature of the first account of Hardhat and Anvil passes.
contract Signed {
    uint256 private nonce;

    function claim(uint256 amount, uint8 v, bytes32 r, bytes32 s) external {
        bytes32 hash = keccak256(abi.encode(address(this), amount, nonce));
        require(ecrecover(hash, v, r, s) == 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266);
        nonce++;
        assert(amount < 5000);
    }
}
