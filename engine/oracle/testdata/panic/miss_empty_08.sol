pragma solidity ^0.8.0;

// Nobody was added yet: the call fails, and the caller knows why.
contract Payroll {
    uint256[] private wages;
    uint256 public paid;

    function hire(uint256 wage) external {
        require(wage < 1000, "too much");
        wages.push(wage);
    }

    function pay() external {
        paid = wages[0]; // allow: panic
    }
}
