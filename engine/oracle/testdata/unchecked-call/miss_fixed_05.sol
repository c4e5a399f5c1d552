pragma solidity ^0.5.0;

// Paid to accounts that the deployment fixes: what fails is seen.
contract Strict {
    address payable owner = msg.sender;
    address payable treasury;
    bool public owes;

    constructor(address payable to) public {
        treasury = to;
    }

    function all() external payable {
        owner.transfer(msg.value);
    }

    function half() external payable {
        require(treasury.send(msg.value / 2), "not paid");
        owner.transfer(msg.value / 2);
    }

    function some() external payable {
        (bool ok, ) = treasury.call.value(msg.value)("");
        owes = !ok;
    }
}
