// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

library Sums {
    function total(uint256[] storage list) internal view returns (uint256 sum) {
        for (uint256 i = 0; i < list.length; i++) {
            sum += list[i];
        }
    }

    function twice(uint256 x) public pure returns (uint256) {
        return 2 * x;
    }
}

contract Counter {
    uint256 public count;

    function add(uint256 by) external returns (uint256) {
        require(by < 1000, "too much");
        count += by;
        return count;
    }
}

contract Stepped {
    using Sums for uint256[];

    uint256[] public list;
    mapping(address => uint256) public last;
    Counter immutable counter;
    address owner = msg.sender;
    uint256 depth;

    constructor() {
        counter = new Counter();
    }

    modifier noting() {
        last[msg.sender] = list.length;
        _;
        depth = 0;
    }

    function push(uint256 x) external noting {
        uint256 y = half(x);
        if (y > 10) {
            list.push(y);
        } else {
            list.push(twice(y));
        }
        try counter.add(x) returns (uint256 now_) {
            depth = now_;
        } catch {
            depth = 1;
        }
    }

    function recurse(uint8 n) public returns (uint256) {
        if (n == 0) return 1;
        return recurse(n / 2) + recurse(n / 3) + Sums.twice(n);
    }

    function check() external view {
        uint256 sum = list.total();
        assert(sum < 5);
    }

    function sort() external {
        uint256 n = list.length;
        for (uint256 i = 0; i < n; i++) {
            for (uint256 j = i + 1; j < n; j++)
                if (list[j] < list[i]) (list[i], list[j]) = (list[j], list[i]);
        }
        assembly {
            let k := 0
            for { } lt(k, 3) { k := add(k, 1) } { sstore(0x99, add(sload(0x99), k)) }
        }
    }

    function half(uint256 x) internal pure returns (uint256) {
        return x / 2;
    }

    function twice(uint256 x) private pure returns (uint256 z) {
        z = x;
        z *= 2;
    }
}
