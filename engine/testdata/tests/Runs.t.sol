// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Counter {
    uint256 public calls;
    uint256 public odd;

    function put(uint256 x) external {
        calls++;
        if (x % 2 == 1) odd++;
    }
}

contract Failing {
    uint256 public calls;

    function put() external { calls++; }

    function fail() external { calls = 0; revert("always"); }
}

/// forge-config: default.invariant.depth = 12
contract WholeRuns {
    Counter handler;

    function setUp() public { handler = new Counter(); }

    function afterInvariant() public view {
        assert(handler.calls() == 12);
    }

    function invariant_short() public view {
        assert(handler.calls() < 13);
    }
}

/// forge-config: default.invariant.depth = 12
contract BrokenRuns {
    Counter handler;

    function setUp() public { handler = new Counter(); }

    function afterInvariant() public view {
        assert(handler.calls() == 12 && handler.odd() == 0);
    }

    function invariant_true() public view {} // fails
}

/// forge-config: default.invariant.depth = 12
contract RunsWithFailures {
    Failing handler;

    function setUp() public { handler = new Failing(); }

    function afterInvariant() public view {
        assert(handler.calls() == 12);
    }

    function invariant_true() public view {} // fails
}

/// forge-config: default.invariant.depth = 12
/// forge-config: default.invariant.fail-on-revert = true
contract StrictRuns {
    Failing handler;

    struct FuzzSelector { address addr; bytes4[] selectors; }

    function setUp() public { handler = new Failing(); }

    function excludeSelectors() public view returns (FuzzSelector[] memory list) {
        list = new FuzzSelector[](1);
        list[0].addr = address(handler);
        list[0].selectors = new bytes4[](1);
        list[0].selectors[0] = Failing.fail.selector;
    }

    function afterInvariant() public view {
        assert(handler.calls() == 12);
    }

    function invariant_true() public view {}
}

/// forge-config: default.invariant.depth = 12
contract Intervals {
    Counter handler;

    function setUp() public { handler = new Counter(); }

    function invariant_always() public view { // fails
        assert(handler.calls() != 3);
    }

    /// forge-config: default.invariant.check-interval = 0
    function invariant_atEnd() public view {
        assert(handler.calls() != 3);
    }

    /// forge-config: default.invariant.check-interval = 0
    function invariant_broken() public view { // fails
        assert(handler.calls() != 12);
    }

    /// forge-config: default.invariant.check-interval = 5
    function invariant_fifth() public view {
        assert(handler.calls() != 3 && handler.calls() != 6);
    }

    /// forge-config: default.invariant.check-interval = 5
    function invariant_fifthBroken() public view { // fails
        assert(handler.calls() != 10);
    }
}
