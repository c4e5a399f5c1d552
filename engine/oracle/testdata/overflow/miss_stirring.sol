pragma solidity ^0.8.0;

// Hashes and random numbers that are computed with multiples and sums.
contract Stirring {
    mapping(uint256 => uint256) public seen;

    function djb(bytes calldata text) external returns (uint256 h) {
        h = 5381;
        unchecked {
            for (uint256 i = 0; i < text.length; ++i) {
                h = h * 33 + uint8(text[i]);
            }
        }
        seen[h]++;
    }

    function fnv(bytes calldata text) external returns (uint64 h) {
        h = 14695981039346656037;
        unchecked {
            for (uint256 i = 0; i < text.length; ++i) {
                h ^= uint8(text[i]);
                h *= 1099511628211;
            }
        }
        seen[h]++;
    }

    function next(uint256 x) external returns (uint256) {
        unchecked {
            x = x * 6364136223846793005 + 1442695040888963407;
        }
        seen[x]++;
        return x;
    }
}
