pragma solidity ^0.8.0;

contract Stock {
    uint256 public left = 1000;

    function take(uint256 amount) external {
        require(amount <= 10, "too many");
        left -= amount;
    }
}

contract Relay {
    Stock private stock = new Stock();

    function sell(uint256 amount) external {
        stock.take(amount);
    }
}
