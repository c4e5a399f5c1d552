// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// oracle: arbitrary-jump
// fix: function () internal f = first; => require(to == 0); function () internal f = first;

/// An argument is added to a jump destination.
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
        f();
        if (done == 7) second();
    }
}
