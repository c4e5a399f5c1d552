pragma solidity ^0.5.0;

/// What is asked for has no result, and nothing else happens.
contract Pool {
    enum Kind { Call, Delegate }

    uint256 public shares;
    uint256 public assets;
    uint8[4] public kinds;

    function enter(uint256 n) external {
        require(n < 1 ether);
        shares += n;
        assets += n;
    }

    function worth(uint256 n) external view returns (uint256) {
        require(n < 1 ether);
        return n * assets / shares;
    }

    function run(Kind kind) external pure returns (bool) {
        return kind == Kind.Delegate;
    }
}
