// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: assert(paid % 3 != 0); =>

/// Needs a price of gas.
contract Relay {
    uint256 paid = 1;

    function pay(uint256 units) external {
        paid += units / tx.gasprice;
        assert(paid % 3 != 0);
    }
}
