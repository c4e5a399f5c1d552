pragma solidity ^0.5.0;

contract OwnedPurse {
    address payable private owner = msg.sender;

    function () external payable {}

    function give(address payable next) external {
        require(msg.sender == owner);
        owner = next;
    }

    function close() external {
        require(msg.sender == owner);
        selfdestruct(owner);
    }
}
