pragma solidity ^0.5.0;

contract Blocks {
    mapping(address => uint256) public seen;
    mapping(address => uint256) public held;
    event Taken(address who, uint256 height, address miner);

    function put() external payable {
        held[msg.sender] += msg.value;
        seen[msg.sender] = block.number;
    }

    function take() external {
        uint256 amount = held[msg.sender];
        held[msg.sender] = 0;
        seen[msg.sender] = block.number;
        emit Taken(msg.sender, block.number, block.coinbase);
        msg.sender.transfer(amount);
    }
}
