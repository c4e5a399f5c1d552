pragma solidity ^0.5.0;

contract Choice {
    uint256 public done;

    function first() internal {
        done = 1;
    }

    function second() internal {
        done = 2;
    }

    function dispatch(bool which) external {
        function () internal f = which ? first : second;
        f();
    }
}
