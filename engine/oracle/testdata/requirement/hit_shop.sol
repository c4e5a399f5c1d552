pragma solidity ^0.8.0;

contract Stock {
    uint256 public left = 1000;

    function take(uint256 amount) external {
        require(amount % 2 == 0, "pairs only"); // expect: requirement
        left -= amount % 3;
    }
}

contract Shop {
    Stock private stock = new Stock();

    function sell(uint16 boxes) external {
        stock.take(uint256(boxes) * 3);
    }
}
