pragma solidity ^0.8.0;

library Errors {
    string internal constant TOO_MUCH = "this is more than what the account may take out of the pool";

    function check(bool ok, string memory why) internal pure {
        require(ok, why);
    }
}

contract Stock {
    uint256 public left = 1000;

    function take(uint256 amount) external {
        Errors.check(amount <= 10, Errors.TOO_MUCH);
        left -= amount;
    }
}

contract Relay {
    Stock private stock = new Stock();

    function sell(uint256 amount) external {
        stock.take(amount);
    }
}
