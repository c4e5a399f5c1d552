pragma solidity ^0.8.0;

// Each account can enter once; there is no end of accounts.
contract Raffle {
    address[] players;
    mapping(address => bool) entered;
    mapping(address => uint256) public points;

    function enter() external {
        require(!entered[msg.sender], "entered");
        entered[msg.sender] = true;
        players.push(msg.sender);
    }

    function score() external {
        uint256 n = players.length;
        for (uint256 i; i < n; ++i) { // expect: unbounded-loop
            points[players[i]] += 1;
        }
    }
}
