pragma solidity ^0.8.0;

// The pool of the main chain returns an element for each that it is asked for.
interface Pool {
    function observe(uint32[] calldata ago) external view returns (int56[] memory ticks);
}

contract Feed {
    Pool private constant POOL = Pool(0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8);

    int56 public latest;

    function update() external {
        uint32[] memory ago = new uint32[](2);
        ago[0] = 60;
        int56[] memory ticks = POOL.observe(ago);
        unchecked {
            latest = ticks[1] - ticks[0];
        }
    }
}

contract Average {
    Pool private constant POOL = Pool(0x8ad599c3A0ff1De082011EFDDc58f1908eb6e6D8);

    int56 public latest;

    function update() external {
        int56[] memory ticks = POOL.observe(new uint32[](40));
        unchecked {
            latest = (ticks[39] - ticks[0]) / 40; // allow: panic
        }
    }
}
