pragma solidity ^0.8.0;

// Modular arithmetic on purpose: hashes, mixing, inverses, bits.
contract Mixing {
    uint256 public state;

    function mix(uint256 value) external {
        unchecked {
            state = (state * 6364136223846793005) ^ (value + 1442695040888963407);
        }
    }

    function slot(address who) external pure returns (uint256) {
        unchecked {
            return uint256(keccak256(abi.encode(who))) * 31 + 7;
        }
    }

    function lowest(uint256 x) external pure returns (uint256) {
        unchecked {
            return x & (0 - x);
        }
    }

    function inverse(uint256 d) external pure returns (uint256 r) {
        require(d & 1 == 1);
        unchecked {
            r = (3 * d) ^ 2;
            r *= 2 - d * r;
            r *= 2 - d * r;
        }
    }

    function tail(bytes32 hash) external pure returns (uint8, address) {
        return (uint8(uint256(hash)), address(uint160(uint256(hash))));
    }

    function high(uint256 x) external pure returns (uint128) {
        return uint128(x >> 128) ^ uint128(x & type(uint128).max);
    }
}
