// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: open-owner
// fix: keeper = next; => if (msg.sender == keeper) keeper = next;

/// Anyone hands the keys over.
contract Keys {
    address public keeper = msg.sender;
    bool public open;

    function hand(address next) external {
        keeper = next;
    }

    function turn() external {
        require(msg.sender == keeper);
        open = !open;
    }
}
