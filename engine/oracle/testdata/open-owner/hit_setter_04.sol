pragma solidity ^0.4.24;

contract Bank {
    address owner = msg.sender;

    function () public payable {}

    function setOwner(address next) public {
        owner = next; // expect: open-owner
    }

    function drain() public {
        require(msg.sender == owner);
        owner.transfer(address(this).balance); // allow: ether-leak
    }
}
