pragma solidity ^0.4.24;

// Tells who is the owner, and changes nothing.
contract Teller {
    address owner = msg.sender;
    uint256 public asked;

    function mine() public view returns (bool) {
        if (tx.origin == owner) return true;
        return false;
    }

    function ask() public {
        require(asked < 1000);
        asked++;
    }
}
