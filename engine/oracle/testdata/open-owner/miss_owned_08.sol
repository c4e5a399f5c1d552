pragma solidity ^0.8.0;

// Hands over in two steps.
contract TwoSteps {
    address public owner = msg.sender;
    address public pending;

    function offer(address to) external {
        require(msg.sender == owner, "not the owner");
        pending = to;
    }

    function accept() external {
        require(msg.sender == pending, "not offered");
        owner = pending;
        pending = address(0);
    }
}
