pragma solidity ^0.5.0;

contract List {
    uint256[] private items;

    function add(uint256 x) external {
        items.push(x);
    }

    function at(uint256 i) external view returns (uint256) {
        return items[i]; // expect: panic
    }
}
