// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: freezing-ether
// fix: event Received(address from, uint256 amount); => event Received(address from, uint256 amount); function out(address payable to) external { to.transfer(address(this).balance); }

/// Ether sent to it is locked.
contract Hole {
    event Received(address from, uint256 amount);

    receive() external payable {
        emit Received(msg.sender, msg.value);
    }
}
