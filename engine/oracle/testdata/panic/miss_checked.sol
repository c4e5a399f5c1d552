pragma solidity ^0.8.0;

contract CheckedSplit {
    uint256[] private items;

    function share(uint256 amount, uint256 people) external pure returns (uint256) {
        require(people > 0, "nobody");
        return amount / people;
    }

    function push(uint256 x) external {
        items.push(x);
    }

    function pop() external {
        if (items.length > 0) {
            items.pop();
        }
    }
}
