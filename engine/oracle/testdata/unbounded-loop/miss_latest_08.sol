pragma solidity ^0.8.0;

// A list without end, of which loops take the last twenty, or what a binary search needs.
contract Latest {
    uint256[] times;
    uint256 public sum;
    uint256 public found;

    function add() external {
        times.push(block.timestamp);
    }

    function total() external {
        uint256 left = times.length;
        uint256 s;
        for (uint256 i = 0; i < 20; i++) {
            if (left == 0) break;
            left--;
            s += times[left];
        }
        sum = s;
    }

    function find(uint256 time) external {
        uint256 low;
        uint256 high = times.length;
        for (uint256 i = 0; i < 128; i++) {
            if (low >= high) break;
            uint256 middle = (low + high) / 2;
            if (times[middle] < time) low = middle + 1;
            else high = middle;
        }
        found = low;
    }
}
