pragma solidity ^0.4.24;

contract Table {
    uint256 public done;
    function () internal[2] private steps;

    constructor() public {
        steps[0] = first;
        steps[1] = second;
    }

    function first() internal {
        done = 1;
    }

    function second() internal {
        done = 2;
    }

    function dispatch(uint256 which) external {
        require(which < 2);
        steps[which]();
    }
}
