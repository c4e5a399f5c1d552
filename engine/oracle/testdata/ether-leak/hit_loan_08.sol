// SPDX-License-Identifier: CC0-1.0
pragma solidity ^0.8.0;

interface IBorrower {
    function execute() external payable;
}

// A loan may be paid back into the borrower's own account.
contract Lender {
    mapping(address => uint256) public balances;

    function deposit() external payable {
        balances[msg.sender] += msg.value;
    }

    function withdraw() external {
        uint256 amount = balances[msg.sender];
        balances[msg.sender] = 0;
        payable(msg.sender).transfer(amount); // expect: ether-leak
    }

    function flashLoan(uint256 amount) external {
        uint256 before = address(this).balance;
        IBorrower(msg.sender).execute{value: amount}();
        require(address(this).balance >= before, "not paid back");
    }
}
