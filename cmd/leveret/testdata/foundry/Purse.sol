// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: selfdestruct
// fix: require(opened); => require(opened && msg.sender == owner);

/// An account that opened the purse can destroy it.
contract Purse {
    address payable immutable owner = payable(msg.sender);
    bool opened;

    receive() external payable {}

    function open() external {
        opened = true;
    }

    function close() external {
        require(opened);
        selfdestruct(owner);
    }
}
