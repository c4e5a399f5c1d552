pragma solidity ^0.8.0;

// Who takes from a queue that never had anything in it gets nothing.
contract Jobs {
    bytes32[] private jobs;

    function put(bytes32 job) external {
        jobs.push(job);
    }

    function drop() external {
        jobs.pop(); // allow: panic
    }
}
