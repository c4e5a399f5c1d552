pragma solidity ^0.8.0;

library Errors {
    string internal constant TOO_MUCH = "this is more than what the account may take out of the pool";
    error TooSmall(uint256 amount);

    function check(bool ok, string memory why) internal pure {
        require(ok, why);
    }

    function share(uint256 total, uint256 parts) internal pure returns (uint256) {
        return total / parts; // expect: panic
    }
}

contract Shares {
    uint256 public parts = 3;

    function leave(uint256 n) external {
        Errors.check(n < 50, Errors.TOO_MUCH);
        if (n % 7 == 5) revert Errors.TooSmall(n);
        parts -= n % 2; // expect: panic
    }

    function pay(uint256 n) external view returns (uint256) {
        Errors.check(n < 50, Errors.TOO_MUCH);
        return Errors.share(n, parts);
    }
}
