// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: unchecked-call
// fix: payable(msg.sender).call{value: amount}(""); => (bool sent, ) = payable(msg.sender).call{value: amount}(""); if (!sent) owed[msg.sender] = amount;

/// A payment above the balance fails, and the debt is deleted.
contract Refunds {
    mapping(address => uint256) public owed;

    function deposit() external payable {
        owed[msg.sender] += msg.value * 2;
    }

    function refund() external {
        uint256 amount = owed[msg.sender];
        owed[msg.sender] = 0;
        payable(msg.sender).call{value: amount}("");
    }
}
