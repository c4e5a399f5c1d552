// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assertEq(uint256, uint256) external pure;
    function assertTrue(bool) external pure;
    function store(address, bytes32, bytes32) external;
}

// Each failure is at the line with the name of its test, and the line of the test
// that leads there has the name, too.
contract Counter {
    uint256 public n;
    mapping(address => uint256) public held;

    error TooLarge(uint256 n);

    function add(uint256 x) public returns (uint256) {
        if (x > 1000) revert TooLarge(x); // testCustom testThrownAgain
        n += x;
        held[msg.sender] += x;
        return n;
    }

    function sub(uint256 x) external {
        require(held[msg.sender] >= x, "too much"); // testRevert
        n -= x;
        held[msg.sender] -= x;
    }

    function both(uint256 a, uint256 b) external {
        require(a > b, "a is not larger");
        require(b > 3, "b is not large"); // testTwo
        n = a;
    }

    function block(uint256 a) external {
        if (a > 3) {
            n = a;
            held[msg.sender] = n + 1;
            revert("done"); // testBlock
        }
        n = 2;
    }

    function less(uint256 a) external {
        n = n - a; // testOverflow
    }
}

abstract contract Base {
    Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function assertEq(uint256 a, uint256 b) internal pure {
        vm.assertEq(a, b); // testAssertEq testSecond
    }

    // An assertion as ds-test has them: it prints, and the test goes on.
    event log(string);
    event log_named_uint(string key, uint256 value);

    function assertSame(uint256 a, uint256 b) internal {
        if (a == b) return;
        emit log("Error: a == b not satisfied [uint]");
        emit log_named_uint("      Left", a);
        emit log_named_uint("     Right", b);
        vm.store(address(vm), "failed", bytes32(uint256(1))); // testGoesOn testAfterCatch testAfterUndone
    }
}

contract PlacesTest is Base {
    Counter c;

    function setUp() public {
        c = new Counter();
    }

    function testAssertEq() public {
        c.add(5);
        assertEq(c.n(), 5);
        assertEq(c.held(address(this)), 6); // testAssertEq
    }

    function testSecond() public {
        uint256 x = c.add(5);
        assertEq(x, 6); // testSecond
        c.add(1);
        assertEq(x, 8);
    }

    function testDirect() public {
        c.add(5);
        vm.assertTrue(c.n() == 5);
        vm.assertEq(c.n(), 7); // testDirect
    }

    function testRevert() public {
        c.add(5);
        c.sub(6); // testRevert
    }

    function testCustom() public {
        c.add(5);
        c.add(5000); // testCustom
    }

    function testAssert() public {
        uint256 x = c.add(5);
        assert(x == 4); // testAssert
    }

    function testRequire() public {
        uint256 x = c.add(5);
        require(x == 4, "x"); // testRequire
    }

    function testTwo() public {
        c.both(9, 7);
        c.both(9, 2); // testTwo
    }

    function testBlock() public {
        c.block(2);
        c.block(4); // testBlock
    }

    function testOverflow() public {
        c.add(3);
        c.less(4); // testOverflow
    }

    function testCaught() public {
        try c.less(4) {} catch {}
        c.add(1);
        require(c.n() == 4, "caught"); // testCaught
    }

    function testThrownAgain() public {
        try c.add(4000) {} // testThrownAgain
        catch (bytes memory reason) {
            assembly { revert(add(reason, 32), mload(reason)) }
        }
    }

    function testGoesOn() public {
        assertSame(c.add(5), 5);
        assertSame(c.n(), 6); // testGoesOn
        assertSame(c.n(), 7);
        c.add(1);
    }

    function testAfterCatch() public {
        c.add(1);
        assertSame(c.n(), 3); // testAfterCatch
        try c.less(4) {} catch {}
    }

    function undone() external {
        assertSame(1, 2);
        revert("undone");
    }

    function testAfterUndone() public {
        try this.undone() {} catch {}
        c.add(1);
        assertSame(c.n(), 30); // testAfterUndone
        c.add(2);
    }
}
