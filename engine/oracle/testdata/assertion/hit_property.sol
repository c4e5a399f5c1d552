pragma solidity ^0.8.0;

contract Pot {
    uint256 public pot;

    function put(uint8 x) external {
        pot += x;
        if (x == 77) pot = 5000;
    }

    function invariant_small() external view returns (bool) { // expect: assertion
        return pot != 5000;
    }
}
