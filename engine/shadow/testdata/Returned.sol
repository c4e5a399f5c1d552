// SPDX-License-Identifier: MIT
pragma solidity >=0.4.24 <0.9.0;

// Functions that return booleans.
contract Returned {
    struct Wide {
        uint256 amount;
        int256 delta;
    }

    Wide wide;
    bool flag;
    uint256 counter;

    constructor() public {
        wide.amount = 1000;
        wide.delta = -20;
    }

    function greater(uint256 a, uint256 b) internal pure returns (bool) {
        return a > b;
    }

    function equal(uint256 a, uint256 b) public pure returns (bool) { return a == b; }
    function both(uint256 a, uint256 b) public pure returns (bool) { return !(a == 5 && b == 3); }
    function either(uint256 a, uint256 b) public pure returns (bool) { return a > 5 || b < 3; }
    function inner(uint256 a, uint256 b) public pure returns (bool) { return !greater(a, b); }
    function member(uint256 a) public view returns (bool) { return wide.amount != a; }
    function signed(int256 a) public view returns (bool) { return wide.delta < a; }
    function zero(uint256 a) public pure returns (bool) { return a == 0; }
    function stored() public view returns (bool) { return flag; }
    function given(bool a) public pure returns (bool) { return a; }
    function always(uint256 a) public returns (bool) { counter = a; return true; }
    function number(uint256 a, uint256 b) public pure returns (uint256) { if (a < b) return 1; return 2; }
}
