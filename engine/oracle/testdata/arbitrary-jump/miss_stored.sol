pragma solidity ^0.8.0;

contract Mode {
    function () internal step;
    uint256 public done;

    constructor() {
        step = one;
    }

    function one() internal {
        done += 1;
        step = two;
    }

    function two() internal {
        done += 2;
        step = one;
    }

    function go() external {
        step();
    }
}
