pragma solidity ^0.7.0;

contract Stored {
    uint256 private target;
    uint256 public done;

    function first() internal {
        done = 1;
    }

    function set(uint256 offset) external {
        target = offset;
    }

    function go() external {
        function () internal f = first;
        uint256 offset = target;
        assembly {
            f := add(f, offset)
        }
        f(); // expect: arbitrary-jump // allow: panic
    }
}
