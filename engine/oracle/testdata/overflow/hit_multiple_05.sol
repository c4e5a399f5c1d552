pragma solidity ^0.5.0;

// Sums and multiples that are quantities: not of the variable itself, or even.
contract Points {
    mapping(address => uint256) public points;
    uint256 public total;

    function credit(uint256 games, uint256 bonus) public {
        points[msg.sender] = games * 50 + bonus; // expect: overflow
    }

    function rebase(uint256 more) public {
        total = total * 2 + more; // expect: overflow
    }
}
