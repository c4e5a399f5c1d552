pragma solidity ^0.8.0;

// A library refuses what the assertion claims never happens.
library Errors {
    string internal constant TOO_MUCH = "this is more than what the account may take out of the pool";

    function check(bool ok, string memory why) internal pure {
        require(ok, why);
    }
}

contract Draw {
    function draw(uint256 n, uint8 k) external pure returns (uint256) {
        Errors.check(n < 50 && k != 77, Errors.TOO_MUCH);
        assert(k != 77 && n + k < 305);
        return 100 / (n + 1);
    }
}
