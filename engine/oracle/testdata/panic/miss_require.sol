pragma solidity ^0.8.0;

contract Limits {
    mapping(address => uint256) public used;

    function use(uint256 amount) external {
        require(amount <= 100, "too much at once");
        require(used[msg.sender] + amount <= 1000, "too much in all");
        used[msg.sender] += amount;
    }
}
