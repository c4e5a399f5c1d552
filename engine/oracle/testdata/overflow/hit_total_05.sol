pragma solidity ^0.5.0;

// A sum that nobody takes a difference of, whatever adds to it.
contract Totals {
    uint64 public total;
    mapping(address => uint64) public balance;

    function give(address to, uint64 amount) external {
        total += amount; // expect: overflow
        balance[to] += amount; // expect: overflow
    }

    function move(address to, uint64 amount) external {
        balance[msg.sender] -= amount; // expect: overflow
        balance[to] += amount; // expect: overflow
    }
}
