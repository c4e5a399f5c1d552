// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Steps {
    uint256 private stage;

    function first(uint256 code) external {
        if (code == 42) stage = 1;
    }

    function second() external {
        require(stage == 1);
        stage = 2;
    }

    function third() external view {
        assert(stage != 2); //@ error assertion "first(42)" 3
        assert(stage <= 2);
    }

    function quiet(uint256 x) external pure {
        // leveret-disable-next-line assertion -- on purpose
        assert(x != 5);
    }
}
