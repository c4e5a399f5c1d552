// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Ledger {
    mapping(address => uint256) public balances;

    function put() external payable {
        balances[msg.sender] += msg.value;
    }

    function take(uint256 amount) external {
        unchecked {
            balances[msg.sender] -= amount; // expect: overflow
        }
        payable(msg.sender).transfer(amount); // expect: ether-leak
    }
}
