pragma solidity ^0.8.0;

contract SafeStakes {
    mapping(address => uint64) public stakes;

    function toUint64(uint256 value) internal pure returns (uint64) {
        require(value <= type(uint64).max, "does not fit");
        return uint64(value);
    }

    function stake(uint256 amount) external {
        stakes[msg.sender] = toUint64(amount);
    }

    function same(uint256 amount) external {
        uint32 small = uint32(amount);
        require(small == amount, "does not fit");
        stakes[msg.sender] = small;
    }
}
