pragma solidity ^0.5.0;

// There is a first price, and no second one.
contract Prices {
    uint256[] private prices;
    uint256 public total;

    constructor() public {
        prices.push(7);
    }

    function sum() external {
        total = prices[0] + prices[1]; // expect: panic
    }
}
