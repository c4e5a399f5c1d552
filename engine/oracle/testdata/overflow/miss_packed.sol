pragma solidity ^0.6.0;

// Variables that share a word are cut out of it by masks; time is kept modulo
// 2^32 on purpose.
contract Packed {
    uint128 private low;
    uint128 private high;
    uint32 private last;
    mapping(uint256 => uint256) private owners;
    event Synced(uint128 low, uint128 high);

    function set(uint256 a, uint256 b) external {
        require(a <= uint128(-1) && b <= uint128(-1), "too much");
        uint32 time = uint32(block.timestamp % 2 ** 32);
        if (time - last > 0) {
            last = time;
        }
        low = uint128(a);
        high = uint128(b);
        emit Synced(low, high);
    }

    function own(uint256 id, uint96 extra) external {
        owners[id] = uint256(uint160(msg.sender)) | (uint256(extra) << 160);
    }

    function ownerOf(uint256 id) external view returns (address) {
        return address(uint160(owners[id]));
    }

    function magnitude(int256 x) external pure returns (uint256) {
        return x < 0 ? uint256(-x) : uint256(x);
    }
}
