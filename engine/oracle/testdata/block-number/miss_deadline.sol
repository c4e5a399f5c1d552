pragma solidity ^0.8.0;

contract Crowd {
    uint256 public end = block.number + 40000;
    mapping(address => uint256) public given;

    function give() external payable {
        require(block.number < end, "over");
        given[msg.sender] += msg.value;
    }

    function takeBack() external {
        require(block.number >= end, "not over");
        uint256 amount = given[msg.sender];
        given[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
