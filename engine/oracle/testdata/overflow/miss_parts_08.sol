pragma solidity ^0.8.0;

// Keeps parts of words on purpose: of hashes, of packed words, of a remainder.
contract Parts {
    uint24 public id;
    bytes32 seed;
    uint256 public drawn;
    uint128 public low;
    uint128 public high;
    bool public odd;

    function plant(uint256 x) external {
        seed = keccak256(abi.encode(x));
        drawn = uint256(seed);
    }

    function name() external {
        id = uint24(drawn); // of a hash that another transaction stored
    }

    function unpack(uint256 packed) external {
        low = uint128(packed);
        high = uint128(packed >> 128);
    }

    function parity(uint256 x) external {
        odd = uint8(x) % 2 == 1;
    }

    function clock() external {
        low = uint32(block.timestamp);
    }
}
