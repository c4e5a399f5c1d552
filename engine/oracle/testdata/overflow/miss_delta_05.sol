pragma solidity ^0.5.0;

// Signed changes of unsigned words in two's complement, checked afterwards.
contract Pot {
    mapping(address => uint256) public stock;
    mapping(address => uint256) public owed;
    uint256 public level;

    function plus(uint256 x, int256 y) internal pure returns (uint256 z) {
        z = x + uint256(y);
        require(y >= 0 || z <= x);
        require(y <= 0 || z >= x);
    }

    function minus(uint256 x, int256 y) internal pure returns (uint256 z) {
        z = x - uint256(y);
        require(y <= 0 || z <= x);
        require(y >= 0 || z >= x);
    }

    function adjust(address who, int256 change, int256 debt) external {
        stock[who] = plus(stock[who], change);
        owed[who] = minus(owed[who], debt);
    }

    function shift(int256 change) external {
        require(change > -1000 && change < 1000);
        require(level >= 1000 || change >= 0);
        uint256 delta = uint256(change);
        level = level + delta; // the delta is small, and the level large enough
    }

    function distance(uint256 a, uint256 b) external pure returns (int256) {
        require(a < 2 ** 255 && b < 2 ** 255);
        return int256(a - b);
    }
}
