pragma solidity ^0.8.0;

// As harnesses do: what can be asserted, and one way to do it.
abstract contract Asserts {
    function t(bool ok, string memory why) internal virtual;

    function gte(uint256 a, uint256 b, string memory why) internal virtual;
}

library Checks {
    event AssertionFailed(string why);

    function that(bool ok) internal pure {
        assert(ok);
    }

    function fails(bool bad, string memory why) internal {
        if (bad) {
            emit AssertionFailed(why);
        }
    }
}

abstract contract Logged is Asserts {
    event Log(string);

    function t(bool ok, string memory why) internal override {
        if (!ok) {
            emit Log(why);
            assert(false);
        }
    }

    function gte(uint256 a, uint256 b, string memory why) internal override {
        t(a >= b, why);
    }
}

// Each call of a helper says something else, so each is a finding of its own.
contract Harness is Logged {
    uint256 private total;

    function add(uint256 amount) external {
        total += amount % 1000;
        gte(1998, total, "the total is small"); // expect: assertion
    }

    function one(uint256 a) external {
        t(a != 0x123456789012, "not this one"); // expect: assertion
    }

    function two(uint256 a, uint256 b) external {
        t(a % 7919 != 4242, "not this remainder"); // expect: assertion
        Checks.that(b != 987654321987); // expect: assertion
        t(b / 2 <= b, "half is less");
    }

    function three(uint256 a) external {
        Checks.fails(a ^ 0xabcdef == 0x7654321, "not this one either"); // expect: assertion
    }
}

// A helper that speaks of the state fails by itself, whoever calls it.
contract Counted {
    uint256 private count;

    function check(uint256 most) internal view {
        assert(count < most); // expect: assertion
    }

    function one() external {
        count += 1;
        check(10);
    }

    function two() external {
        count += 2;
        check(10);
    }
}
