pragma solidity ^0.5.0;

contract Stack {
    uint256[] private items;

    function push(uint256 item) external {
        items.push(item);
    }

    function pop() external {
        require(items.length >= 0);
        items.length--; // expect: overflow
    }
}
