// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Silenced {
    uint8 public a;

    function first(uint8 x) external pure {
        // leveret-disable-next-line assertion -- known
        assert(x != 7);
    }

    function second(uint8 x) external {
        assert(x != 8); // leveret-disable-line
        assert(x != 9); // see leveret-disable-line assertion
        // leveret-disable-next-line overflow
        a = x;
    }
}

contract Helped {
    function t(bool ok) internal pure {
        // leveret-disable-next-line assertion
        assert(ok);
    }

    function shown(bool ok) internal pure {
        assert(ok);
    }

    function first(uint8 x) external pure {
        t(x != 7);
        shown(x != 8);
    }

    function second(uint8 x) external pure {
        t(x != 9);
    }
}
