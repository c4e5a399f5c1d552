// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface Vm {
    function assume(bool condition) external pure;
    function assertNotEq(uint256 a, uint256 b) external pure;
    function assertGe(uint256 a, uint256 b) external pure;
    function assertLe(int256 a, int256 b) external pure;
    function assertApproxEqAbs(uint256 a, uint256 b, uint256 most) external pure;
}

// Only what is compared tells how far an input is from a failure: the numbers are in no
// code, and chance does not meet them.
abstract contract Numbers {
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    bool public IS_TEST = true;
    uint256 internal secret;

    function setUp() public virtual {
        secret = scaled(uint240(uint256(keccak256(abi.encode(address(this))))));
    }

    // No word of the state is an argument that fails.
    function scaled(uint240 x) internal pure returns (uint256) {
        return uint256(x) * 5 + 2;
    }

    // As forge-std's.
    function bound(uint256 x, uint256 min, uint256 max) internal pure returns (uint256) {
        require(min <= max, "min > max");
        if (x >= min && x <= max) return x;
        uint256 size = max - min + 1;
        if (x <= 3 && size > x) return min + x;
        if (x >= type(uint256).max - 3 && size > type(uint256).max - x) return max - (type(uint256).max - x);
        if (x > max) {
            uint256 rem = (x - max) % size;
            return rem == 0 ? max : min + rem - 1;
        }
        uint256 rest = (min - x) % size;
        return rest == 0 ? min : max - rest + 1;
    }
}

contract CheatcodeDistances is Numbers {
    function testNotEqual(uint240 x) public view { // fails
        vm.assertNotEq(scaled(x), secret);
    }

    function testAtLeast(uint240 x) public view { // fails
        vm.assume(scaled(x) >= secret);
        vm.assertGe(scaled(x), secret + 4);
    }

    function testAtMost(uint240 x) public view { // fails
        vm.assume(scaled(x) >= secret);
        vm.assertLe(-int256(scaled(x)), -int256(secret) - 4);
    }

    function testFar(uint240 x) public view { // fails
        uint256 away = scaled(x) > secret ? scaled(x) - secret : secret - scaled(x);
        vm.assertApproxEqAbs(away > 10 ? secret : secret + 1000, secret, 999);
    }

    function testHolds(uint240 x) public view {
        vm.assertGe(secret * 2, secret + 1);
        vm.assertNotEq(scaled(x), secret + 1);
    }
}

// Assertions as libraries of tests write them out.
/// forge-config: default.legacy_assertions = true
contract LibraryDistances is Numbers {
    event log(string);

    bool public failed;

    function fail() internal {
        emit log("Error");
        failed = true;
    }

    function assertNotEq(uint256 a, uint256 b) internal {
        if (a == b) fail();
    }

    function assertGe(uint256 a, uint256 b) internal {
        if (a < b) fail();
    }

    function testNotEqual(uint240 x) public { // fails
        assertNotEq(scaled(x), secret);
    }

    function testAtLeast(uint240 x) public { // fails
        vm.assume(scaled(x) >= secret);
        assertGe(scaled(x), secret + 4);
    }
}

contract BoundDistances is Numbers {
    function testBound(uint256 x) public view { // fails
        x = bound(x, 1e18, 1e60);
        vm.assertNotEq(x, 1e50 + (secret >> 100));
    }

    function testTwoBounds(uint256 x, uint256 y) public view { // fails
        x = bound(x, 1, 1e40);
        y = bound(y, x, 2e40);
        vm.assertNotEq(y - x, secret >> 130);
    }
}

contract Locked {
    uint256 public open;
    uint256 internal immutable secret;

    constructor(uint256 n) { secret = n; }

    function first(uint240 x) external {
        if (uint256(x) * 5 + 2 == secret) open = 1;
    }

    function second(uint256 x, uint256 y) external {
        if (open == 1 && x >= 1000 && y == x * 2 + (secret >> 9)) open = 2;
    }
}

contract HandlerDistances is Numbers {
    Locked locked;

    function setUp() public override {
        super.setUp();
        locked = new Locked(secret);
    }

    function targetContracts() public view returns (address[] memory list) {
        list = new address[](1);
        list[0] = address(locked);
    }

    function invariant_closed() public view { // fails
        vm.assertNotEq(locked.open(), 2);
    }
}

// What fails is shrunk.
contract Shrunk is Numbers {
    function testLarge(uint256 x, bytes memory data) public pure { // fails
        require(x < 1000 || data.length < 2);
    }
}
