// SPDX-License-Identifier: MIT
pragma solidity ^0.4.24;

contract Bank {
    mapping(address => uint256) public balances;

    function deposit() public payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() public {
        uint256 amount = balances[msg.sender];
        require(msg.sender.call.value(amount)()); // expect: reentrancy
        balances[msg.sender] = 0;
    }
}
