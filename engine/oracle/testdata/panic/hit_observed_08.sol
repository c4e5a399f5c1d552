pragma solidity ^0.8.0;

// The pool returns an element for each that it is asked for, and one more is read.
interface Pool {
    function observe(uint32[] calldata ago) external view returns (int56[] memory ticks, uint160[] memory liquidity);
}

contract Feed {
    Pool private immutable pool;
    int56 public latest;

    constructor(Pool asked) {
        pool = asked;
    }

    function read(uint32 since) external {
        try this.ticksSince(since) returns (int56 ticks) {
            latest = ticks;
        } catch {
            latest = 0;
        }
    }

    function ticksSince(uint32 since) external view returns (int56 all) {
        require(msg.sender == address(this));
        uint32[] memory ago = new uint32[](2);
        ago[0] = since;
        (int56[] memory ticks, ) = pool.observe(ago);
        for (uint256 i = 0; i <= ago.length; i++) {
            unchecked {
                all += ticks[i]; // expect: panic
            }
        }
    }
}
