pragma solidity ^0.5.0;

contract Dispatcher {
    uint256 public done;

    function first() internal {
        done = 1;
    }

    function second() internal {
        done = 2;
    }

    function dispatch(uint256 to) external {
        function () internal f = first;
        assembly {
            f := add(f, to)
        }
        f(); // expect: arbitrary-jump // allow: panic
    }
}
