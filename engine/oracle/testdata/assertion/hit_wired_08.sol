pragma solidity ^0.8.0;

// What is claimed of the answers of a contract that is set later fails once it is set.
contract Stock {
    mapping(address => uint256) public stored;

    function put(uint256 amount) external {
        stored[msg.sender] = amount;
    }
}

contract Shop {
    address private immutable admin = msg.sender;
    Stock private stock;
    uint256 public sold;

    function setStock(address to) external {
        require(msg.sender == admin && address(stock) == address(0), "set");
        stock = Stock(to);
    }

    function sell() external {
        uint256 amount = stock.stored(msg.sender);
        assert(amount != 1234); // expect: assertion
        sold = amount;
    }
}
