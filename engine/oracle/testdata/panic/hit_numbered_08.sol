pragma solidity ^0.8.0;

// Of four coins that are read by number, the constructor keeps two.
contract Desks {
    address[] private coins;
    uint256 public open;

    constructor(address[] memory given) {
        require(given.length >= 2, "too few");
        coins.push(given[0]);
        coins.push(given[1]);
    }

    function start(address coin) external {
        require(coin == coins[0] || coin == coins[1] || coin == coins[3], "no desk"); // expect: panic
        open++;
    }
}
