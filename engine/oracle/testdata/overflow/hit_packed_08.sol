pragma solidity ^0.8.0;

// A tick out of range is packed as its lower bits, which optimisers leave to the shift.
contract Ranges {
    mapping(bytes32 => uint256) public ranges;

    function put(bytes32 id, int24 strike, int24 width) external {
        unchecked {
            int24 lower = strike - width / 2; // expect: overflow
            ranges[id] = (uint256(uint24(lower)) << 232) + uint256(uint24(width));
        }
    }
}
