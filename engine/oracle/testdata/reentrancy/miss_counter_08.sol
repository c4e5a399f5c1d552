// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Writes late, but what it writes is right in whatever order it comes.
contract Counted {
    uint256 public payments;
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        (bool ok,) = msg.sender.call{value: amount}("");
        require(ok);
        payments++;
    }
}
