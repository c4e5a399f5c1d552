pragma solidity ^0.7.0;

contract Ledger {
    mapping(address => int128) public accounts;

    function book(int128 amount) public {
        accounts[msg.sender] = accounts[msg.sender] + amount; // expect: overflow
    }

    function reverse(int128 amount) public returns (int128) {
        return -amount; // expect: overflow
    }
}
