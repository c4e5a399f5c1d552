pragma solidity ^0.8.0;

// Indices that go round, and counters whose distance is a length.
contract Ring {
    uint256[256] public slots;
    uint8 public head = 250;
    mapping(uint256 => uint256) private queue;
    uint8 private first = 250;
    uint8 private end = 250;

    function push(uint256 value) external {
        slots[head] = value;
        unchecked {
            head += 3;
        }
    }

    function add(uint256 value) external {
        uint8 count;
        unchecked {
            count = end - first;
        }
        require(count < 100);
        queue[end % 128] = value;
        unchecked {
            end++;
        }
    }

    function take() external returns (uint256 value) {
        require(end != first);
        value = queue[first % 128];
        unchecked {
            first++;
        }
    }
}
