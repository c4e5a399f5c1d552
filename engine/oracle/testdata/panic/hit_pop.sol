pragma solidity ^0.8.0;

contract Queue {
    uint256[] private items;

    function push(uint256 x) external {
        items.push(x);
    }

    function pop() external {
        items.pop(); // expect: panic
    }
}
