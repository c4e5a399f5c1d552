// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assume(bool condition) external pure;
}

contract AssumeTests {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    uint256 sum;

    function testNarrow(uint256 x) public {
        vm.assume(x >= 1000 && x < 1 ether);
        sum += x;
    }

    function testHalf(uint256 x) public {
        vm.assume(x <= type(uint128).max);
        sum += x;
    }

    function testNegative(int256 x, uint8 n) public {
        vm.assume(x < -5 && x > -1e18);
        sum += uint256(-x) + n;
    }

    function testTwo(uint256 price, uint64 time, address to) public {
        vm.assume(price != 0 && price < 1e30);
        vm.assume(time > 365 days && time < 100 * 365 days);
        vm.assume(to != address(0));
        sum += price * time;
    }

    function testOrder(uint256 first, uint256 second) public {
        vm.assume(second > first);
        sum = second - first;
    }

    function testChain(uint64 start, uint64 end, uint64 cliff) public {
        vm.assume(start < cliff && cliff <= end);
        sum = end - start;
    }

    function testAll(uint256 x, int128 y) public {
        vm.assume(x != 77 && y != -77);
        sum = x;
    }
}
