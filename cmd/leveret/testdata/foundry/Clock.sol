// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;
// fix: assert(!(started && block.timestamp > since + 10)); =>

/// Needs delays, a linked library, and calls without a function.
library Hours {
    function later(uint256 a, uint256 b) external pure returns (bool) {
        return a > b;
    }
}

contract Clock {
    uint256 since = block.timestamp;
    bool started;

    receive() external payable {
        if (msg.value > 0) started = Hours.later(block.timestamp, since);
    }

    fallback() external {
        assert(!(started && block.timestamp > since + 10));
    }
}
