pragma solidity ^0.4.24;

// Whoever comes first becomes the owner.
contract Wallet {
    address public owner;

    function init() public {
        require(owner == 0);
        owner = msg.sender;
    }

    function kill() public {
        require(msg.sender == owner);
        selfdestruct(owner); // expect: selfdestruct
    }
}
