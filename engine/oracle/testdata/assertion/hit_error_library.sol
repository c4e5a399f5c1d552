pragma solidity ^0.8.0;

library Errors {
    string internal constant TOO_MUCH = "this is more than what the account may take out of the pool";
    string internal constant LATE = "2";

    function check(bool ok, string memory why) internal pure {
        require(ok, why);
    }
}

contract Draw {
    function draw(uint256 n, uint8 k) external pure returns (uint256) {
        Errors.check(n < 50, Errors.TOO_MUCH);
        require(n != 13, Errors.LATE);
        assert(k != 77); // expect: assertion
        return 100 / (n + 1);
    }
}
