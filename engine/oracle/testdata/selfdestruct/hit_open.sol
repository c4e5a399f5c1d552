pragma solidity ^0.5.0;

contract Purse {
    function () external payable {}

    function close() external {
        selfdestruct(msg.sender); // expect: selfdestruct
    }
}
