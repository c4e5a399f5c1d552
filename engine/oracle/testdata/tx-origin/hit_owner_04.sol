pragma solidity ^0.4.24;

contract Wallet {
    address owner;
    uint256 public sent;

    constructor() public {
        owner = msg.sender;
    }

    function () public payable {}

    function send(address to, uint256 amount) public {
        require(tx.origin == owner); // expect: tx-origin
        sent++; // allow: overflow
        to.transfer(amount);
    }
}
