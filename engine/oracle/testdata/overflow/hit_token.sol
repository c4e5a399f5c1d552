pragma solidity ^0.4.24;

// The check subtracts first, so it never fails.
contract Token {
    mapping(address => uint256) public balances;

    constructor() public {
        balances[msg.sender] = 1000000;
    }

    function transfer(address to, uint256 amount) public returns (bool) {
        require(balances[msg.sender] - amount >= 0); // expect: overflow
        balances[msg.sender] -= amount; // expect: overflow
        balances[to] += amount; // expect: overflow
        return true;
    }
}
