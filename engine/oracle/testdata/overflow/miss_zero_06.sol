pragma solidity ^0.6.0;

// Two's complement adds a signed change to an unsigned number of any size.
contract Large {
    uint256 public stock = 10 ** 18;
    uint256 public high = uint256(-(10 ** 18));

    function adjust(int256 taken, int256 put) external {
        require(taken < 0 && taken > -1000 && stock >= 1000);
        require(put >= 0 && put < 1000 && high < uint256(-1000));
        stock = stock + uint256(taken);
        high = high + uint256(put);
    }

    function keep(int256 taken) external {
        require(taken < 0 && taken > -1000 && stock >= 1000);
        stock = stock + uint256(taken);
        int256 none = 0;
        high = high + uint256(none);
    }
}
