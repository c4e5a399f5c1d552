pragma solidity ^0.8.4;

error TooLow(uint256 amount);

contract Bank {
    function store(uint256 amount) external pure {
        if (amount < 100) {
            revert TooLow(amount); // expect: requirement
        }
    }
}

contract Branch {
    Bank private bank = new Bank();

    function fee(uint256 amount) external view {
        bank.store(amount / 100);
    }
}
