// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// Owners are who the wallet was set up with, not anybody.
contract Wallet {
    mapping(address => bool) private owns;
    bool private ready;

    modifier initializer() {
        require(!ready, "ready");
        ready = true;
        _;
    }

    modifier onlyOwner() {
        require(owns[msg.sender], "not an owner");
        _;
    }

    function initialize(address[] calldata owners) external initializer {
        require(owners.length > 1, "alone");
        for (uint256 i = 0; i < owners.length; i++) {
            require(owners[i] != address(0) && !owns[owners[i]], "owner");
            owns[owners[i]] = true;
        }
    }

    function run(address to, bytes calldata data) external onlyOwner {
        (bool ok,) = to.delegatecall(data);
        require(ok, "failed");
    }
}
