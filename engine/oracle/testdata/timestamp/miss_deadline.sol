pragma solidity ^0.8.0;

contract Lock {
    mapping(address => uint256) public until;
    mapping(address => uint256) public held;

    function lock() external payable {
        held[msg.sender] += msg.value;
        until[msg.sender] = block.timestamp + 7 days;
    }

    function release() external {
        require(block.timestamp >= until[msg.sender], "locked");
        uint256 amount = held[msg.sender];
        held[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}
