// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface Hook {
    function received(uint256 amount) external returns (uint256);
}

/// Goes on only if the sender's contract gives the answer.
contract Hooked {
    uint256 public count;

    function hand() external {
        require(Hook(msg.sender).received(1) == 424242, "refused");
        count += 1;
    }

    function push() external {
        Hook(msg.sender).received(2);
    }
}
