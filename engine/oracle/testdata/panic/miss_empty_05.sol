pragma solidity ^0.5.0;

// The list of rewards fills later than that of pools is asked for.
contract Rewards {
    struct Pool { uint256 id; uint256 weight; }
    Pool[] private pools;
    uint256 public total;

    function add(uint256 weight) external {
        require(weight < 1000, "too heavy");
        pools.push(Pool(pools.length, weight));
    }

    function count() external {
        total = pools[0].weight; // allow: panic
    }
}
