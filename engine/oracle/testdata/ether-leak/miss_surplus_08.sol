// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

// Anyone may take what nobody deposited.
contract Market {
    uint256 private total;
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
        total += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        total -= amount;
        payable(msg.sender).transfer(amount);
    }

    function skim() external {
        payable(msg.sender).transfer(address(this).balance - total);
    }
}
