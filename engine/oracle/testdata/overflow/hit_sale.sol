pragma solidity ^0.6.0;

// The price of many tokens wraps to next to nothing.
contract Sale {
    uint256 constant PRICE = 1 ether;
    mapping(address => uint256) public bought;

    function buy(uint256 count) public payable {
        require(msg.value == count * PRICE); // expect: overflow
        bought[msg.sender] += count; // allow: overflow
    }

    function sell(uint256 count) public {
        require(bought[msg.sender] >= count);
        bought[msg.sender] -= count;
        msg.sender.transfer(count * PRICE); // allow: overflow, ether-leak
    }
}
