// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Cheats {
    function assume(bool) external pure;
}

// With delays of at most one second and two calls, only the time that passes before a
// call that reverts leads to the assertion.
contract Waiting {
    uint256 immutable start = block.timestamp;

    function step() public {
        require(block.timestamp != start + 1);
        assert(block.timestamp != start + 2); // fails
    }
}

// A call that is not allowed is as if it had not been.
contract Rejecting {
    uint256 immutable start = block.timestamp;

    function step() public {
        Cheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).assume(block.timestamp != start + 1);
        assert(block.timestamp != start + 2);
    }
}
