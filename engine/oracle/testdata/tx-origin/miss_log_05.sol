pragma solidity ^0.5.0;

contract Logged {
    event Paid(address indexed by, address indexed origin, uint256 amount);
    mapping(address => uint256) public last;
    address public first;

    function pay() public payable {
        require(block.number > last[tx.origin], "once a block");
        last[tx.origin] = block.number;
        emit Paid(msg.sender, tx.origin, msg.value);
        if (first == address(0)) first = tx.origin;
    }

    function back() public payable {
        (bool ok, ) = tx.origin.call.value(msg.value)("");
        require(ok);
    }
}
