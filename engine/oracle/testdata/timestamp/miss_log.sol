pragma solidity ^0.5.0;

contract Journal {
    event Paid(address who, uint256 amount, uint256 when);
    mapping(address => uint256) public lastPaid;
    mapping(address => uint256) public held;

    function deposit() external payable {
        held[msg.sender] += msg.value;
        lastPaid[msg.sender] = now;
    }

    function pay() external {
        uint256 amount = held[msg.sender];
        held[msg.sender] = 0;
        lastPaid[msg.sender] = now;
        emit Paid(msg.sender, amount, now);
        msg.sender.transfer(amount);
    }
}
