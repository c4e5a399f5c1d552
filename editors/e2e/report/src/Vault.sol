// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {Ledger} from "./Ledger.sol";

/// A vault for ether, with faults for the report to show.
contract Vault {
    Ledger public immutable ledger = new Ledger();
    address public owner = msg.sender;
    uint256 public fee = 3;

    function deposit() external payable {
        require(msg.value > 0, "nothing to deposit");
        ledger.credit(msg.sender, msg.value);
    }

    /// Pays before it takes the amount off the account.
    function withdraw(uint256 amount) external {
        require(ledger.accounts(msg.sender) >= amount, "not enough");
        (bool sent,) = msg.sender.call{value: amount}("");
        require(sent, "not sent");
        ledger.debit(msg.sender, amount);
    }

    function setFee(uint256 value) external {
        fee = value;
    }

    /// What a withdrawal costs.
    function cost(uint256 amount) external view returns (uint256 sum) {
        sum = amount / 1000 * fee;
        assert(fee < 115792089237316195423570985008687907853269984665640564039457584007913129639935);
        if (amount > 1 ether && keccak256(abi.encode(amount)) == bytes32(uint256(7))) {
            sum = 0;
        }
    }

    function give(address payable to) external {
        require(tx.origin == owner, "not the owner");
        to.send(address(this).balance);
    }
}
