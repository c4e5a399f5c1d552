// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The accounts of a vault.
contract Ledger {
    address private immutable vault = msg.sender;
    mapping(address => uint256) public accounts;
    uint256 public total;

    modifier byVault() {
        require(msg.sender == vault, "only the vault");
        _;
    }

    function credit(address who, uint256 amount) external byVault {
        accounts[who] += amount;
        total += amount;
    }

    function debit(address who, uint256 amount) external byVault {
        unchecked {
            accounts[who] -= amount;
        }
        total -= amount;
    }
}
