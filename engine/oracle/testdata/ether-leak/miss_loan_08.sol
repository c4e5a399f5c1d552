// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface IBorrower {
    function execute() external payable;
}

// Nobody deposits while a loan is out: it is paid back for nothing.
contract Lender {
    bool private lent;
    mapping(address => uint256) public balances;

    function deposit() external payable {
        require(!lent, "no deposits now");
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        require(!lent);
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }

    function flashLoan(uint256 amount) external {
        lent = true;
        uint256 before = address(this).balance;
        IBorrower(msg.sender).execute{value: amount}();
        require(address(this).balance >= before, "not paid back");
        lent = false;
    }

    receive() external payable {}
}
