pragma solidity ^0.5.0;

contract Listed {
    mapping(address => bool) admins;
    uint256 public price;

    constructor() public {
        admins[msg.sender] = true;
    }

    function setPrice(uint256 to) public {
        require(admins[tx.origin], "not an admin"); // expect: tx-origin
        price = to;
    }
}
