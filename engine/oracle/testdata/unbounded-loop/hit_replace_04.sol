pragma solidity ^0.4.24;

contract Lenders {
    address[] lenders;
    uint256 public rounds;

    function lend() public {
        for (uint256 i = 0; i < 30; i++) lenders.push(msg.sender);
    }

    function reset() public {
        if (lenders.length > 100) {
            lenders = new address[](0); // expect: unbounded-loop
            rounds = 1;
        }
    }
}
