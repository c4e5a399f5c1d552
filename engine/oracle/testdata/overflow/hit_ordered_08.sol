pragma solidity ^0.8.0;

// Differences are taken, but something else needs the exact number.
contract Ordered {
    bool public open = true;
    uint32 public grown = type(uint32).max - 1000;
    uint32 public kept = type(uint32).max - 1000;
    mapping(address => uint32) public seen;
    mapping(address => uint256) public owed;

    function grow(uint16 by) external {
        unchecked {
            grown = grown + by; // expect: overflow
        }
    }

    function settle() external {
        require(grown >= seen[msg.sender]);
        unchecked {
            owed[msg.sender] += grown - seen[msg.sender];
        }
        seen[msg.sender] = grown;
    }

    function keep(uint16 by) external {
        unchecked {
            kept = kept + by; // expect: overflow
        }
    }

    function share(uint32 from) external view returns (uint256) {
        return uint256(kept) * 100 / (uint256(from) + 1);
    }
}
