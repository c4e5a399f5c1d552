// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

/// Calls that need earlier ones: storage, balances and the time of the block
/// matter.
contract Phases {
    uint256 private phase;
    uint256 private since;
    mapping(address => uint256) private paid;

    function open() external {
        require(phase == 0);
        phase = 1;
        since = block.timestamp;
    }

    function pay() external payable {
        require(phase == 1 && msg.value > 0);
        paid[msg.sender] += msg.value;
    }

    function close() external {
        require(phase == 1 && block.timestamp > since);
        phase = 2;
    }

    function withdraw() external {
        require(phase == 2);
        uint256 amount = paid[msg.sender];
        require(amount > 0);
        paid[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
