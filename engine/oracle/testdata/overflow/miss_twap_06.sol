pragma solidity ^0.6.0;

// Averages from observations of a sum that goes round.
contract Twap {
    struct Observation {
        uint256 time;
        uint32 sum;
    }

    Observation[] private observations;
    uint32 private sum = 4294967000;

    constructor() public {
        observations.push(Observation(block.timestamp, sum));
    }

    function add(uint16 weight) external {
        sum += weight;
        observations.push(Observation(block.timestamp, sum));
    }

    function growth(uint256 from, uint256 to) external view returns (uint32) {
        require(from < to && to < observations.length);
        return between(observations[from].sum, observations[to].sum);
    }

    function latest() external view returns (uint32 total, uint32 step) {
        uint256 n = observations.length;
        total = sum;
        if (n > 1) step = observations[n - 1].sum - observations[n - 2].sum;
    }

    function between(uint32 a, uint32 b) private pure returns (uint32) {
        return b - a;
    }
}
